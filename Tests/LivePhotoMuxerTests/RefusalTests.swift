import LivePhotoCore
import LivePhotoMuxer
import TestSupport
import Testing

/// What is no movie that can be read is refused, each kind with its own reason.
@Suite("Refused movies")
struct RefusalTests {
  /// A kind of file, how it is made, and what the message must say.
  struct Kind: CustomTestStringConvertible, Sendable {
    let name: String
    let reasons: [String]
    let make: @Sendable () throws -> [UInt8]

    init(_ name: String, _ reasons: String..., make: @escaping @Sendable () throws -> [UInt8]) {
      (self.name, self.reasons, self.make) = (name, reasons, make)
    }

    var testDescription: String { name }
  }

  /// Files that are something else.
  static let others = [
    Kind("an empty file", "'moov'", "missing") { [] },
    Kind("a text", "'moov'", "missing") { Array("This is no movie at all, only text.\n".utf8) },
    Kind("a segment of DASH or HLS", "media segment without its movie header", "styp") {
      SyntheticBox.box("styp", Array("msdh".utf8)) + SyntheticBox.box("moof", []) + SyntheticBox.box("mdat", [])
    },
    Kind("a segment that begins with its index", "media segment without its movie header", "sidx") {
      SyntheticBox.box("sidx", []) + SyntheticBox.box("moof", []) + SyntheticBox.box("mdat", [])
    },
    Kind("a bare fragment", "media segment without its movie header", "moof") {
      SyntheticBox.box("moof", []) + SyntheticBox.box("mdat", [])
    },
    Kind("a picture", "a picture (HEIF) in place of a movie") {
      SyntheticBox.box("ftyp", Array("heic".utf8)) + SyntheticBox.box("meta", [])
    },
    Kind("a recording that was never finished", "'moov'", "missing") {
      SyntheticBox.box("ftyp", Array("qt  \0\0\0\0".utf8)) + SyntheticBox.box("mdat", Array(repeating: 1, count: 99))
    },
    Kind("a movie cut off inside its media", "needs", "are left") { Array(try SyntheticMovie().build().prefix(60)) },
    Kind("a header compressed in a way nobody used", "compressed by 'lzma'") {
      SyntheticBox.box("moov", SyntheticBox.box("cmov", SyntheticBox.box("dcom", Array("lzma".utf8))))
    },
    Kind("a compressed header without data", "cmvd", "missing") {
      SyntheticBox.box("moov", SyntheticBox.box("cmov", []))
    },
  ]

  /// Headers without what every track has.
  static let incomplete =
    ["mvhd", "tkhd", "mdhd", "hdlr", "stbl", "stsd", "stsz", "stco"].map { type in
      Kind("a movie without \(type)", "'\(type)'", "missing") {
        try replaced(type, with: "free", in: try SyntheticMovie().build())
      }
    }

  /// Values that contradict themselves.
  static let contradictory = [
    Kind("a movie time scale of 0", "movie time scale is 0") { try edited("mvhd", at: 12, to: 0) },
    Kind("a media time scale of 0", "media time scale is 0") { try edited("mdhd", at: 12, to: 0) },
    Kind("chunks that are counted from 0", "first chunk of entry 0 of 'stsc' is 0") {
      try edited("stsc", at: 8, to: 0)
    },
    Kind("chunks without samples", "samples a chunk in entry 0 of 'stsc' is 0") { try edited("stsc", at: 12, to: 0) },
    Kind("more sizes than there is room for", "stsz", "needs") { try edited("stsz", at: 8, to: .max) },
    Kind("more edits than there is room for", "elst", "needs") { try edited("elst", at: 4, to: 0x1000_0000) },
    Kind("an edit beyond all times", "time in 'elst' is beyond 2^62") {
      try SyntheticMovie(tracks: [SyntheticTrack(edits: [(.max, 0, 0x10000)])]).build()
    },
    Kind("a header larger than the file", "needs", "are left") {
      var bytes = try SyntheticMovie(isHeaderFirst: true).build()
      let at = try place(of: "moov", in: bytes)
      bytes.replaceSubrange(at - 4..<at, with: [0x7F, 0, 0, 0])
      return bytes
    },
  ]

  @Test(arguments: others + incomplete + contradictory)
  func refused(_ kind: Kind) throws {
    let message = try refusal(try kind.make())
    for reason in kind.reasons { #expect(message.contains(reason), "\(message)") }
    #expect(!message.contains("\n") && message.count < 200, "\(message)")
  }

  /// What is well-formed, but more than a caller wants.
  @Test func beyondLimits() throws {
    let bytes = try SyntheticMovie(tracks: [
      SyntheticTrack(), SyntheticTrack(id: 2, edits: [(9, 0, 0x10000), (9, 0, 0x10000)]),
    ])
    .build()
    func refusal(_ change: (inout Limits) -> Void) throws -> String {
      var limits = Limits.standard
      change(&limits)
      return try self.refusal(bytes, limits)
    }
    #expect(try refusal { $0.tracks = 1 }.contains("number of tracks"))
    #expect(try refusal { $0.samplesPerTrack = 9 }.contains("number of samples"))
    #expect(try refusal { $0.edits = 1 }.contains("number of edits"))
    #expect(try refusal { $0.metadataBytes = 99 }.contains("size of 'moov'"))
    #expect(try refusal { $0.boxesPerContainer = 1 }.contains("number of boxes"))
  }

  /// Every movie of the corpus is read: none is refused, and only these say that something is odd.
  @Test(.needsCorpus) func corpus() throws {
    var odd: [String] = []
    for file in CorpusReadingTests.files {
      let movie = try Movie(parsing: MemorySource(try Corpus.bytes(file)))
      #expect(movie.tracks.count > 0, "\(file)")
      if !movie.warnings.isEmpty { odd.append(file.split(separator: "/")[1].description) }
    }
    #expect(CorpusReadingTests.files.count == 86)
    // Two without chunks, and three of which only the beginning was kept.
    #expect(
      odd == [
        "exiftool_QuickTime.m4a", "exiftool_QuickTime.mov", "gomp4_sample_qt.mp4",
        "mp4parse_bipbop_nonfragment_header.mp4", "mp4parse_invalid_userdata.mp4",
      ])
  }

  /// A movie that lacks the end of its media is read, and says so; one byte is enough.
  @Test(arguments: [SyntheticTrack.Sizes.listed, .constant]) func cutMedia(_ sizes: SyntheticTrack.Sizes) throws {
    var synthetic = SyntheticMovie(tracks: [SyntheticTrack(), SyntheticTrack(id: 2)], isHeaderFirst: true)
    synthetic.tracks[0].sizes = sizes
    let bytes = try synthetic.build()
    #expect(try Movie(parsing: MemorySource(bytes)).warnings.isEmpty)
    let end = try #require(try Movie(parsing: MemorySource(bytes)).tracks.map { $0.samples[9].range.upperBound }.max())
    #expect(end == bytes.count)
    let warnings = try Movie(parsing: MemorySource(Array(bytes.dropLast()))).warnings
    #expect(warnings.contains { $0.contains("beyond the end of the file") }, "\(warnings)")
  }

  private func refusal(_ bytes: [UInt8], _ limits: Limits = .standard) throws -> String {
    do throws(ParseError) {
      _ = try Movie(parsing: MemorySource(bytes), limits: limits)
    } catch { return "\(error)" }
    Issue.record("it was read")
    return ""
  }

  private static func place(of type: String, in bytes: [UInt8]) throws -> Int {
    try #require(bytes.firstRange(of: Array(type.utf8))).lowerBound
  }

  private static func replaced(_ type: String, with other: String, in bytes: [UInt8]) throws -> [UInt8] {
    var bytes = bytes
    let at = try place(of: type, in: bytes)
    bytes.replaceSubrange(at..<at + 4, with: Array(other.utf8))
    return bytes
  }

  /// A movie whose first box of a type has another 32-bit value at a distance from its payload's start.
  private static func edited(_ type: String, at distance: Int, to value: UInt32) throws -> [UInt8] {
    var bytes = try SyntheticMovie(tracks: [SyntheticTrack(edits: [(200, 0, 0x10000)])]).build()
    let at = try place(of: type, in: bytes) + 4 + distance
    bytes.replaceSubrange(at..<at + 4, with: [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) })
    return bytes
  }
}
