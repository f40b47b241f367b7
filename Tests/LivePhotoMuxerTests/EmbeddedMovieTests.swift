import LivePhotoCore
import LivePhotoMuxer
import TestSupport
import Testing

@Suite("Movies inside other files")
struct EmbeddedMovieTests {
  private let movie: [UInt8]
  private let picture = SplitMix64.picture(bytes: 5000)

  init() throws { movie = try SyntheticMovie(isHeaderFirst: true).build() }

  private func found(_ bytes: [UInt8], from start: Int = 0) throws -> Range<Int>? {
    try EmbeddedMovie.range(in: MemorySource(bytes), from: start)
  }

  /// Behind a picture, before a trailer that is no box, at every place against the pieces that are read.
  @Test(arguments: [0, 1, 5000, (1 << 20) - 20, (1 << 20) - 15, (1 << 20) - 8, (1 << 20) - 3, 1 << 20, 3 << 20])
  func place(_ start: Int) throws {
    let before = SplitMix64.picture(bytes: start)
    let bytes = before + movie + Array("SEFHSEFT".utf8)
    let range = try #require(try found(bytes))
    #expect(range == start..<start + movie.count)
    let read = try Movie(parsing: SubSource(MemorySource(bytes), range: range))
    #expect(read.tracks[0].samples.count == 10 && read.warnings.isEmpty)
    #expect(try found(bytes, from: start + 1) == nil)
  }

  /// What only looks like a movie is passed over.
  @Test func lookalikes() throws {
    let type = SyntheticBox.box("ftyp", Array("heic\0\0\0\0mif1".utf8))
    let still = type + SyntheticBox.box("meta", [0, 0, 0, 0]) + SyntheticBox.box("mdat", picture)
    #expect(try found(still) == nil)
    #expect(try found(type + picture) == nil)
    #expect(try found(still + movie) == still.count..<still.count + movie.count)
    #expect(try found([]) == nil && found(Array("ftyp".utf8)) == nil)
    #expect(try found(movie, from: .max) == nil && found(movie, from: -9) == 0..<movie.count)
  }

  /// One that is cut off reaches to the end of the file, and says itself what is missing.
  @Test func cutOff() throws {
    for count in stride(from: movie.count - 1, to: movie.count - 60, by: -7) {
      let bytes = picture + movie.prefix(count)
      #expect(try found(bytes) == picture.count..<bytes.count)
    }
    let late = try SyntheticMovie().build()
    let bytes = picture + late.prefix(60)
    let range = try #require(try found(bytes))
    #expect(throws: ParseError.self) { try Movie(parsing: SubSource(MemorySource(bytes), range: range)) }
  }

  /// However many beginnings a hostile file has, few are followed up.
  @Test func hostile() throws {
    let beginning = SyntheticBox.box("ftyp", Array("qt  \0\0\0\0qt  ".utf8))
    let many = Array(repeatElement(beginning, count: 200_000).joined())
    #expect(try found(many + movie) == nil)
    for copy in damagedCopies(of: picture + movie, count: 300, seed: 5) { _ = try found(copy) }
  }
}

extension SplitMix64 {
  fileprivate static func picture(bytes count: Int) -> [UInt8] {
    var generator = SplitMix64(seed: 8)
    return generator.bytes(count)
  }
}
