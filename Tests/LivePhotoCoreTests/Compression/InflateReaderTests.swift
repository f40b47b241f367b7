import TestSupport
import Testing

@testable import LivePhotoCore

@Suite("Inflate, piece by piece")
struct InflateReaderTests {
  /// Repetitive and random stretches, so that matches reach back as far as they can.
  private static let data: [UInt8] = {
    var random = SplitMix64(seed: 41)
    let motif = random.bytes(30_000)
    return motif + motif + random.bytes(70_000) + [UInt8](repeating: 7, count: 200_000) + motif + random.bytes(5)
  }()

  /// What comes out in pieces of these sizes, in turn, and what is wrong with the stream.
  private func read(
    _ stream: [UInt8], sizes: [Int], format: Inflater.Format = .zlib, limit: Int = 1 << 24
  ) -> (bytes: [UInt8], damage: ParseError?) {
    Inflater(format, limit: limit).read(stream.span) { reader in
      var bytes: [UInt8] = []
      var turn = 0
      while true {
        let size = sizes[turn % sizes.count], before = bytes.count
        reader.next(size) { piece in for index in piece.indices { bytes.append(piece[index]) } }
        turn += 1
        #expect(reader.count == bytes.count)
        guard bytes.count == before + size else { break }
      }
      return (bytes, reader.finish())
    }
  }

  @Test(
    "pieces of any size are together what the whole is", arguments: [[1, 2, 300], [12_097], [65_536], [500_000, 3]])
  func pieces(sizes: [Int]) {
    for format in [Inflater.Format.zlib, .deflate] {
      let found = read(Deflater(format).deflate(Self.data.span), sizes: sizes, format: format)
      #expect(found.bytes == Self.data && found.damage == nil)
    }
  }

  @Test("what is left unread is checked all the same")
  func unread() {
    var stream = Deflater().deflate(Self.data.span)
    #expect(Inflater(limit: 1 << 24).read(stream.span) { $0.finish() } == nil)
    stream[stream.count - 1] ^= 1
    let damage = Inflater(limit: 1 << 24).read(stream.span) { reader in
      reader.next(10) { #expect($0.count == 10) }
      return reader.finish()
    }
    #expect("\(damage as Any)".contains("Adler-32"))
  }

  @Test("no data at all are a stream that is cut off", arguments: [Inflater.Format.zlib, .deflate])
  func nothing(format: Inflater.Format) {
    let nothing: [UInt8] = []
    let found = read(nothing, sizes: [10], format: format)
    let damage = Inflater(format, limit: 10).inflatePart(of: nothing.span).damage
    #expect(found.bytes.isEmpty && damage != nil && found.damage == damage)
  }

  @Test("damage and limits are those that are found in the whole, at the same place")
  func damage() {
    let stream = Deflater().deflate(Self.data.span)
    var damaged = 0
    for copy in damagedCopies(of: stream, count: 300, seed: 5) + truncations(of: stream, count: 100) + [[], [0x78]] {
      let whole = Inflater(limit: 1 << 24).inflatePart(of: copy.span)
      let found = read(copy, sizes: [4097])
      #expect(found.damage == whole.damage)
      #expect(found.bytes == whole.bytes)
      damaged += whole.damage == nil ? 0 : 1
    }
    #expect(damaged > 300)
    for limit in [0, 1, 1000, Self.data.count - 1, Self.data.count] {
      let whole = Inflater(limit: limit).inflatePart(of: stream.span), found = read(stream, sizes: [999], limit: limit)
      #expect(found.bytes == whole.bytes && (found.damage == nil) == (limit == Self.data.count))
    }
  }
}
