import Foundation
import LivePhotoCore
import TestSupport
import Testing

@Suite("Deflate")
struct DeflateTests {
  /// Bytes of many kinds: none, few, runs, text, noise, slopes, and long ones over many blocks.
  static let contents: [[UInt8]] = {
    var random = SplitMix64(seed: 9)
    let words = "a photo and a movie tied by one identifier; the still shows the frame at the marker. "
    let fibonacci = sequence(state: (1, 1)) { state -> Int? in
      state = (state.1, state.0 + state.1)
      return state.0
    }
    return [
      [], [0], [1, 2, 3], Array("abcdefgh".utf8), [UInt8](repeating: 0, count: 70_000),
      Array(String(repeating: words, count: 3000).utf8), random.bytes(100_000),
      (0..<200_000).map { UInt8(truncatingIfNeeded: $0 / 7) },
      (0..<300_000).map { _ in UInt8(truncatingIfNeeded: Int(random.next() % 13) * Int(random.next() % 13)) },
      // Counts in Fibonacci's proportions ask for codes longer than deflate has.
      fibonacci.prefix(24).enumerated().flatMap { [UInt8](repeating: UInt8($0), count: $1) }.shuffled(using: &random),
      // Matches at the far end of the window, and just beyond.
      random.bytes(32_768).repeated(2), random.bytes(32_769).repeated(2), random.bytes(258).repeated(3),
    ]
  }()

  @Test("zlib reads what is written, and it is about as small as zlib's", .judged(by: .python))
  func likeZlib() throws {
    let folder = try TemporaryFolder()
    var ours = 0
    for (index, data) in Self.contents.enumerated() {
      for (name, content) in [("g", Deflater.Content.general), ("f", .filtered)] {
        let stream = Deflater(content: content).deflate(data.span)
        #expect(Deflater(content: content).deflate(data.span) == stream)
        _ = try folder.write(stream, as: "\(index)\(name).z")
        if content == .general { ours += stream.count }
        #expect(try Inflater(limit: data.count).inflate(stream.span) == data)
        let bare = Deflater(.deflate, content: content).deflate(data.span)
        #expect(try Inflater(.deflate, limit: data.count).inflate(bare.span) == data)
      }
      _ = try folder.write(data, as: "\(index)")
    }
    let program = """
      import sys, zlib
      folder, size = sys.argv[1], 0
      for index in range(int(sys.argv[2])):
          data = open(f"{folder}/{index}", "rb").read()
          size += len(zlib.compress(data, 6))
          for name in "gf":
              z = zlib.decompressobj()
              assert z.decompress(open(f"{folder}/{index}{name}.z", "rb").read()) == data, (index, name)
              assert z.eof and not z.unused_data, (index, name)
      print(size)
      """
    let zlib = try #require(Int(try python(program, [folder.root, "\(Self.contents.count)"]).lines[0]))
    #expect(ours < zlib * 103 / 100, "\(ours) bytes against \(zlib)")
  }

  @Test("bytes that cannot be compressed grow by five bytes for each 65535 and little more")
  func noise() {
    var random = SplitMix64(seed: 1)
    let data = random.bytes(1 << 20)
    #expect(Deflater().deflate(data.span).count < data.count + 5 * 40 + 10)
  }

  @Test("checksums are zlib's", .judged(by: .python))
  func checksums() throws {
    var random = SplitMix64(seed: 2)
    // Around the sizes that the kernels take at once, and sums that are as large as can be.
    let all = [0, 1, 7, 8, 9, 15, 319, 320, 321, 5552, 100_003].map { random.bytes($0) }
    let parts = all + [[UInt8](repeating: 255, count: 1 << 20)]
    let folder = try TemporaryFolder()
    let paths = try parts.enumerated().map { try folder.write($1, as: "\($0)") }
    let program = """
      import sys, zlib
      adler, crc = 1, 0
      for path in sys.argv[1:]:
          data = open(path, "rb").read()
          adler, crc = zlib.adler32(data, adler), zlib.crc32(data, crc)
          print(adler, crc)
      """
    var adler: UInt32 = 1, crc: UInt32 = 0
    for (part, line) in zip(parts, try python(program, paths).lines) {
      adler = Adler32.checksum(part.span, from: adler)
      crc = CRC32.checksum(part.span, from: crc)
      #expect("\(adler) \(crc)" == line, "\(part.count) bytes")
    }
  }
}

extension [UInt8] {
  fileprivate func repeated(_ count: Int) -> [UInt8] { (0..<count).flatMap { _ in self } }
}
