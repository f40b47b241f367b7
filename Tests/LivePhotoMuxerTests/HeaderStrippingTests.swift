import LivePhotoCore
import TestSupport
import Testing

@testable import LivePhotoMuxer

/// Sound that says little of itself, and boxes in places where none are expected.
@Suite("Stripping headers and sound")
struct HeaderStrippingTests {
  private typealias Box = SyntheticBox
  private static let secret = Array("a secret of nobody".utf8)

  /// A sample entry of sound in stereo, 16 bits.
  private static func sound(_ format: FourCC, version: UInt8 = 0, _ boxes: [UInt8] = []) -> [UInt8] {
    let start: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 1, 0, version, 0, 0] + Array("vndr".utf8) + [0, 2, 0, 16, 0, 0, 0, 0]
    let more: [UInt8] = version == 1 ? [0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 4, 0, 0, 0, 2] : []
    return Box.box(format, start + [0x1F, 0x40, 0, 0] + more + boxes)
  }

  private static func soundTrack(_ entry: [UInt8], statedSize: UInt32?) -> SyntheticTrack {
    var generator = SplitMix64(seed: 5)
    var track = SyntheticTrack(id: 2, handler: "soun", timescale: 8000, durations: [(120, 1)], width: 0, height: 0)
    track.samplesPerChunk = 12
    track.entry = entry
    track.statedSize = statedSize
    track.samples = (0..<120).map { _ in generator.bytes(4) }
    return track
  }

  private static func parse(_ movie: SyntheticMovie) throws -> Movie {
    try Movie(parsing: MemorySource(try movie.build()))
  }

  private static func header(_ movie: Movie, _ what: MetadataStripping) throws -> [UInt8] {
    try movie.stripping(what).movie.movieBytes
  }

  /// Sound whose table says one byte a sample keeps all of its bytes, and the rest of the media is zeros where the
  /// description says how long samples are.
  @Test(arguments: ["twos", "sowt", "ima4"] as [FourCC], MetadataStripping.allCases)
  func soundOfStatedSizeOne(_ format: FourCC, _ what: MetadataStripping) throws {
    let track = Self.soundTrack(Self.sound(format), statedSize: 1)
    var synthetic = SyntheticMovie(tracks: [SyntheticTrack(), track])
    synthetic.before = Box.box("mdat", Self.secret)
    let movie = try Self.parse(synthetic)
    let source = try movie.stripping(what).movie.source
    let bytes = try source.read(0..<source.count)
    let samples = try #require(track.samples)
    for first in stride(from: 0, to: samples.count, by: 12) {
      let chunk = Array(samples[first..<first + 12].joined())
      #expect(bytes.firstRange(of: chunk) != nil, "chunk of sample \(first)")
    }
    #expect((bytes.firstRange(of: Self.secret) == nil) == (format != "ima4"))
  }

  /// What samples take, as the description of sound says, and at least as the table does.
  @Test(arguments: [(1, 48), (2, 48), (4, 48), (9, 108)] as [(UInt32, Int)])
  func occupiedRanges(_ statedSize: UInt32, _ expected: Int) throws {
    let track = Self.soundTrack(Self.sound("twos"), statedSize: statedSize)
    var synthetic = SyntheticMovie(tracks: [track])
    // Room for sizes that go beyond the sound.
    synthetic.after = Box.box("free", Array(repeating: 0, count: 4000))
    let sound = try Self.parse(synthetic).tracks[0]
    let occupied = OccupiedRanges(of: [sound])
    let start = try #require(occupied.ranges.first?.lowerBound)
    #expect(occupied.ranges == [start..<start + 9 * 48 + expected])
    #expect(occupied.overlap(start + 47..<start + 48))
    #expect(sound.hasKnownRanges == [1, 4].contains(statedSize))
  }

  /// Boxes inside boxes are looked into on the way to the sample table only, however deep they go.
  @Test(arguments: ["trak", "mdia", "minf", "stbl"] as [FourCC])
  func nestedBoxes(_ type: FourCC) throws {
    let depth = 100_000
    var nested = ByteWriter()
    for level in 0..<depth {
      nested.writeUInt32(UInt32(8 * (depth - level)))
      nested.writeFourCC(type)
    }
    var track = SyntheticTrack()
    if type != "mdia" { track.extra = nested.bytes }
    if type != "stbl" { track.informationExtra = nested.bytes }
    track.tableExtra = nested.bytes
    let plain = try Self.parse(SyntheticMovie())
    let movie = try Self.parse(SyntheticMovie(tracks: [track]))
    for what in MetadataStripping.allCases {
      #expect(try Self.header(movie, what) == Self.header(plain, what))
    }
    _ = try movie.asQuickTime()
    var edit = MovieMetadataEdit()
    edit.set(.utf8("x"), forKey: "com.example.x")
    _ = try movie.applying(edit)
    let moment = try movie.stillMoment(at: .zero)
    _ = try LivePhotoMovieWriter(identifier: .random(), moment: moment).plan(for: movie)
  }

  /// Boxes that are not known go from the media's boxes too, and are named.
  @Test(arguments: MetadataStripping.allCases) func unknownBoxesOfMedia(_ what: MetadataStripping) throws {
    var track = SyntheticTrack()
    track.informationExtra = Box.box("abcd", Self.secret)
    track.tableExtra = Box.box("efgh", Self.secret) + Box.box("sdtp", Array(repeating: 0, count: 14))
    let movie = try Self.parse(SyntheticMovie(tracks: [track]))
    #expect(movie.movieBytes.firstRange(of: Self.secret) != nil)
    let stripped = try movie.stripping(what)
    #expect(stripped.movie.movieBytes.firstRange(of: Self.secret) == nil)
    #expect(stripped.movie.movieBytes.firstRange(of: Array("sdtp".utf8)) != nil)
    guard what == .location else { return }
    for name in ["'abcd'", "'efgh'"] { #expect(stripped.removed.contains { $0.contains(name) }) }
  }

  /// The name of the data's handler goes like the media's.
  @Test func dataHandler() throws {
    var track = SyntheticTrack()
    let name = [UInt8(Self.secret.count)] + Self.secret
    track.informationExtra = Box.box(
      "hdlr", [0, 0, 0, 0] + Array("dhlralis".utf8) + Array(repeating: 0, count: 12) + name)
    let movie = try Self.parse(SyntheticMovie(tracks: [track]))
    let all = try Self.header(movie, .all)
    #expect(all.firstRange(of: Self.secret) == nil)
    #expect(all.firstRange(of: Array("dhlralis".utf8)) != nil)
    #expect(try Self.header(movie, .location).firstRange(of: Self.secret) != nil)
  }

  /// Extended boxes of sound, also those in `wave`, are blanked, and what describes it stays.
  @Test(arguments: [0, 1] as [UInt8], MetadataStripping.allCases)
  func extendedBoxesOfSound(_ version: UInt8, _ what: MetadataStripping) throws {
    let extended = Box.box("uuid", Self.secret + Self.secret)
    let boxes = extended + Box.box("wave", Box.box("frma", Array("twos".utf8)) + extended) + Box.box("chan", [1, 2, 3])
    let track = Self.soundTrack(Self.sound("twos", version: version, boxes), statedSize: 1)
    let movie = try Self.parse(SyntheticMovie(tracks: [SyntheticTrack(), track]))
    let stripped = try movie.stripping(what).movie
    #expect(stripped.movieBytes.firstRange(of: Self.secret) == nil)
    let audio = try #require(stripped.tracks[1].sampleDescriptions.first?.audio)
    #expect(audio.extensions.map(\.type) == ["free", "wave", "chan"])
    #expect(audio.configuration("frma") == Array("twos".utf8))
    #expect((stripped.movieBytes.firstRange(of: Array("vndr".utf8)) == nil) == (what == .all))
  }

  /// Names that only begin like a declaration of a namespace are properties.
  @Test func prefixesLikeDeclarations() {
    for name in ["xmlnsx:GPSLatitude", "xmlns2:GPSLatitude"] {
      var packet = XMPPacket(Array("<a xmlns:x='urn:x' xmlns='urn:y'><b \(name)='12.5N' x:Rating='4'/></a>".utf8))
      let isRead = packet.blankPlaces()
      #expect(isRead)
      let text = String(decoding: packet.bytes, as: UTF8.self)
      #expect(!text.contains("12.5N"))
      #expect(text.contains("xmlns:x='urn:x' xmlns='urn:y'"))
      #expect(text.contains("x:Rating='4'"))
    }
  }
}
