import Foundation
import LivePhotoCore
import TestSupport
import Testing

@Suite("Inflate")
struct InflateTests {
  /// What zlib says of a stream.
  struct Verdict: Decodable {
    let name: String
    /// `whole`, `truncated` or `damaged`.
    let state: String
    let size: Int
    let checksum: UInt32
    let consumed: Int
  }

  /// Streams of zlib's own making, sound and damaged, with what it makes of them.
  private func judged(_ format: Inflater.Format, seed: Int, count: Int) throws -> (TemporaryFolder, [Verdict]) {
    let folder = try TemporaryFolder()
    let window = format == .zlib ? 15 : -15
    let result = try python(Self.program, [folder.root, "\(seed)", "\(count)", "\(window)"])
    return (folder, try JSONDecoder().decode([Verdict].self, from: Data(result.output)))
  }

  @Test(
    "streams of all levels, strategies and kinds of damage are read, and refused, as zlib does",
    .judged(by: .python), arguments: [(Inflater.Format.zlib, 1), (.zlib, 2), (.deflate, 3)])
  func likeZlib(format: Inflater.Format, seed: Int) throws {
    let (folder, verdicts) = try judged(format, seed: seed, count: 500)
    var states: [String: Int] = [:]
    for verdict in verdicts {
      states[verdict.state, default: 0] += 1
      let data = try readFile(folder.path(verdict.name))
      let found = Inflater(format, limit: 1 << 24).inflatePart(of: data.span)
      #expect((found.damage == nil) == (verdict.state == "whole"), "\(verdict) \(found.damage as Any)")
      if verdict.state == "whole" { #expect(found.consumed == verdict.consumed, "\(verdict)") }
      // What was there before the end is the same too.
      if verdict.state != "damaged" {
        #expect(found.bytes.count == verdict.size, "\(verdict)")
        #expect(CRC32.checksum(found.bytes.span) == verdict.checksum, "\(verdict)")
      }
    }
    #expect(states["whole", default: 0] > 200 && states["truncated", default: 0] > 20)
    #expect(states["damaged", default: 0] > 100)
  }

  @Test("what is not deflate is refused with the reason")
  func reasons() {
    func reason(_ bytes: [UInt8], _ format: Inflater.Format = .deflate) -> String? {
      Inflater(format, limit: 100).inflatePart(of: bytes.span).damage?.description
    }
    #expect(reason([7])?.contains("block type") == true)
    #expect(reason([1, 5, 0, 5, 0])?.contains("stored block") == true)
    #expect(reason([5, 0, 0, 0, 0])?.contains("code") == true)
    #expect(reason([0xFD, 0xFF, 0, 0, 0, 0])?.contains("number of codes") == true)
    #expect(reason([0x78, 0x9D], .zlib)?.contains("header") == true)
    #expect(reason([0x79, 0x18], .zlib)?.contains("compression method") == true)
    #expect(reason([0x78, 0xBB, 0, 0, 0, 1], .zlib)?.contains("preset dictionary") == true)
    #expect(reason([], .zlib)?.contains("needs") == true)
    #expect(reason([3, 0]) == nil)
  }

  @Test("a limit holds to the byte, whatever the stream says", arguments: [0, 1, 99, 100_000, 999_999])
  func limit(limit: Int) throws {
    let stream = Deflater().deflate([UInt8](repeating: 7, count: 1_000_000).span)
    #expect(stream.count < 2000)
    let found = Inflater(limit: limit).inflatePart(of: stream.span)
    #expect(found.bytes == [UInt8](repeating: 7, count: limit))
    guard case .beyondLimit(_, found: limit + 1, limit: limit, at: _) = found.damage else {
      Issue.record("\(found.damage as Any)")
      return
    }
    #expect(throws: ParseError.self) { try Inflater(limit: limit).inflate(stream.span) }
    #expect(try Inflater(limit: 1_000_000).inflate(stream.span).count == 1_000_000)
  }

  @Test("every prefix of a stream gives a prefix of the data, and says that it is cut off")
  func prefixes() throws {
    var random = SplitMix64(seed: 5)
    let data = (0..<4000).map { UInt8(truncatingIfNeeded: $0 / 9) & UInt8(truncatingIfNeeded: random.next()) }
    for stream in truncations(of: Deflater().deflate(data.span)) {
      let found = Inflater(limit: 4000).inflatePart(of: stream.span)
      guard case .truncated = found.damage else {
        Issue.record("\(stream.count) bytes: \(found.damage as Any)")
        return
      }
      #expect(data.starts(with: found.bytes))
    }
  }

  private static let program = """
    import json, random, sys, zlib
    folder, seed, count, window = sys.argv[1], *map(int, sys.argv[2:])
    r = random.Random(seed)
    program = open(sys.executable, "rb").read(1 << 18)
    def content():
        size = r.choice([0, 1, 2, 5, 100, 1000, 65535, 65536, 150000])
        kind = r.randrange(8)
        if kind == 0: return r.randbytes(size)
        if kind == 1: return bytes(size)
        if kind == 2: return bytes(r.choice(b"ab") for _ in range(size))
        if kind == 3: return (r.randbytes(r.randrange(1, 300)) * size)[:size]
        if kind == 4: return bytes(min(255, int(r.expovariate(.1))) for _ in range(size))
        if kind == 5: return program[:size]
        if kind == 6: return bytes((i * 7 + i // 13) % 256 for i in range(size))
        return b"".join(r.randbytes(r.randrange(5)) + bytes([r.randrange(256)]) * r.randrange(600)
            for _ in range(size // 200))
    def stream():
        c = zlib.compressobj(r.randrange(10), zlib.DEFLATED, window, r.randrange(1, 10), r.randrange(5))
        data, result = content(), b""
        for at in range(0, len(data), 50000):
            result += c.compress(data[at:at + 50000])
            if r.random() < .2: result += c.flush(r.choice([zlib.Z_SYNC_FLUSH, zlib.Z_FULL_FLUSH]))
        return result + c.flush()
    def damaged(data):
        data = bytearray(data)
        if r.randrange(4) == 0: return bytes(data[:r.randrange(len(data) + 1)])
        for _ in range(r.randrange(1, 4)):
            at = r.randrange(min(len(data), r.choice([20, 200, 100000])))
            data[at] = r.choice([data[at] ^ 1 << r.randrange(8), r.randrange(256)])
        return bytes(data)
    verdicts = []
    for index in range(count):
        data = stream()
        if index % 2: data = damaged(data)
        # A dynamic block of nothing but chance, now and then.
        if index % 20 == 1: data = (b"" if window < 0 else b"\\x78\\x9c") + bytes([r.randrange(32) << 3 | 5]) + r.randbytes(99)
        data += r.choice([b"", b"behind"])
        open(f"{folder}/{index}", "wb").write(data)
        z, found, state = zlib.decompressobj(window), b"", "damaged"
        try:
            found = z.decompress(data)
            state = "whole" if z.eof else "truncated"
        except zlib.error: pass
        verdicts.append({"name": str(index), "state": state, "size": len(found), "checksum": zlib.crc32(found),
            "consumed": len(data) - len(z.unused_data)})
    print(json.dumps(verdicts))
    """
}
