import LivePhotoCore
import LivePhotoMuxer
import TestSupport
import Testing

@Suite("Editing movie metadata")
struct MetadataEditTests {
  private static let others: [(key: String, type: UInt32, locale: UInt32, bytes: [UInt8])] = [
    ("com.example.first", 1, 0, Array("one".utf8)),
    ("com.example.number", 22, 0, [7]),
    ("com.example.translated", 1, 0x5553_15C7, Array("hi".utf8)),
  ]

  private func movie(
    _ keys: [(key: String, type: UInt32, locale: UInt32, bytes: [UInt8])] = others, isFullBox: Bool = false
  )
    throws -> Movie
  {
    let synthetic = SyntheticMovie(
      tracks: [SyntheticTrack(format: "jpeg")], movieExtra: SyntheticBox.keys(keys, isFullBox: isFullBox))
    return try Movie(parsing: MemorySource(try synthetic.build()))
  }

  private func written(_ movie: Movie, _ edit: MovieMetadataEdit) throws -> [UInt8] {
    var writer = LivePhotoMovieWriter(identifier: .random(), moment: try movie.stillMoment(at: .zero))
    writer.metadata = edit
    return try writer.plan(for: movie).output.materialized()
  }

  /// Values of every type that a writer may choose, and what exiftool reads of them.
  @Test(.judged(by: .exiftool, .ffprobe))
  func typedValues() throws {
    let values: [(key: String, value: EncodedMetadataValue, read: String?)] = [
      ("com.example.utf8", .utf8("Grüße"), "Grüße"),
      ("com.example.utf16", .utf16("Grüße 𝄞"), "Grüße 𝄞"),
      ("com.example.int8", .signed(Int8(-5)), "-5"),
      ("com.example.int16", .signed(Int16(-500)), "-500"),
      ("com.example.int32", .signed(Int32(-70000)), "-70000"),
      ("com.example.int64", .signed(Int64(-5_000_000_000)), "-5000000000"),
      ("com.example.uint8", .unsigned(UInt8(200)), "200"),
      ("com.example.uint16", .unsigned(UInt16(60000)), "60000"),
      ("com.example.uint32", .unsigned(UInt32(4_000_000_000)), "4000000000"),
      ("com.example.uint64", .unsigned(UInt64(1 << 40)), "1099511627776"),
      ("com.example.float32", .float32(1.5), "1.5"),
      ("com.example.float64", .float64(-2.25), "-2.25"),
      (
        "com.example.jpeg", .picture(.jpeg, [0xFF, 0xD8, 0xFF, 0xD9]), "(Binary data 4 bytes, use -b option to extract)"
      ),
      ("com.example.png", .picture(.png, [0x89, 0x50, 0x4E, 0x47]), "(Binary data 4 bytes, use -b option to extract)"),
      ("com.example.raw", EncodedMetadataValue(type: 0, bytes: [1, 2, 3]), nil),
      ("com.example.private", EncodedMetadataValue(type: 1234, bytes: [9, 9]), nil),
      ("com.example.int8of65", EncodedMetadataValue(type: 65, bytes: [0xFF]), nil),
      ("com.example.point", EncodedMetadataValue(.point(x: 1, y: 2)), nil),
      ("com.example.dimensions", EncodedMetadataValue(.dimensions(width: 640, height: 480)), nil),
    ]
    var edit = MovieMetadataEdit()
    for (key, value, _) in values { edit.set(value, forKey: key) }
    let bytes = try written(try movie(), edit)
    let result = try Movie(parsing: MemorySource(bytes))
    let added = Array(values.map(\.key)) + ["com.apple.quicktime.content.identifier"]
    #expect(result.metadata.items.map(\.key) == Self.others.map(\.key) + added)
    for (key, value, _) in values {
      let item = try #require(result.metadata.items.first { $0.key == key })
      #expect(item.type == value.type)
      #expect(item.value == MetadataValue(type: value.type, bytes: value.bytes), "\(key)")
    }
    let folder = try TemporaryFolder()
    let path = try folder.write(bytes, as: "movie.mov")
    let tags = try tags(of: path)
    for (key, _, expected) in values {
      guard let expected else { continue }
      let name = key.split(separator: ".").last.map { $0.prefix(1).uppercased() + $0.dropFirst() } ?? ""
      let found =
        tags.first { $0.key.hasPrefix("Keys:") && $0.key.lowercased().hasSuffix(":" + name.lowercased()) }?.value
        ?? tags.first { $0.key.lowercased().hasSuffix("example" + name.lowercased()) }?.value
      #expect(found == expected, "\(key)")
    }
    let probed = try Judge.ffprobe.ask(["-v", "quiet", "-show_entries", "format_tags", "-of", "default=nw=1", path])
    #expect(probed.lines.contains("TAG:com.example.utf8=Grüße"))
    #expect(probed.lines.contains("TAG:com.example.int16=-500"))
  }

  /// Replacing keeps place and locale, removing renumbers what is behind, and nothing else changes.
  @Test(arguments: [false, true])
  func replaceAndRemove(_ isFullBox: Bool) throws {
    let source = try movie(isFullBox: isFullBox)
    var edit = MovieMetadataEdit()
    edit.set(.utf8("zwei"), forKey: "com.example.translated")
    edit.remove("com.example.number")
    edit.remove("com.example.absent")
    edit.set(.float32(3), forKey: "com.example.new")
    let result = try source.applying(edit)
    #expect(
      result.metadata.items.map(\.key) == ["com.example.first", "com.example.translated", "com.example.new"])
    #expect(result.metadata.items[0] == source.metadata.items[0])
    #expect(result.metadata.items[1].value == .text("zwei"))
    #expect((result.metadata.items[1].country, result.metadata.items[1].language) == (0x5553, 0x15C7))
    let bytes = try written(source, edit)
    #expect(bytes.firstRange(of: Array("com.example.number".utf8)) == nil)
    // What an edit sets and then removes is removed, and the other way round.
    edit.remove("com.example.translated")
    edit.set(.utf8("again"), forKey: "com.example.number")
    let changed = try source.applying(edit).metadata.items.map(\.key)
    #expect(changed == ["com.example.first", "com.example.number", "com.example.new"])
    #expect(try source.applying(MovieMetadataEdit()).metadata.items == source.metadata.items)
  }

  /// Movies and tracks without keys get them, beside MP4's own metadata; a key that never was cannot be removed.
  @Test(.judged(by: .exiftool)) func tracksAndEmptyMovies() throws {
    let source = try Movie(parsing: MemorySource(try SyntheticMovie(tracks: [SyntheticTrack(format: "jpeg")]).build()))
    var edit = MovieMetadataEdit()
    edit.remove("com.example.absent")
    #expect(try source.applying(edit).metadata.items.isEmpty)
    edit.set(.utf8("a lens"), forKey: "com.apple.quicktime.camera.lens_model", in: .track(1))
    let bytes = try written(source, edit)
    let result = try Movie(parsing: MemorySource(bytes))
    #expect(result.tracks[0].metadata["com.apple.quicktime.camera.lens_model"] == .text("a lens"))
    // A second edit finds the box that the first has made.
    var second = MovieMetadataEdit()
    second.set(.utf8("another"), forKey: "com.apple.quicktime.camera.lens_model", in: .track(1))
    let again = try Movie(parsing: MemorySource(try written(result, second)))
    #expect(again.tracks[0].metadata.items.map(\.value) == [.text("another")])
    let folder = try TemporaryFolder()
    let lens = try Judge.exiftool.ask(["-s3", "-CameraLensModel", try folder.write(bytes, as: "movie.mov")])
    #expect(lens.lines.first == "a lens")
    var wrong = MovieMetadataEdit()
    wrong.remove("com.example.key", in: .track(9))
    #expect(throws: MovieWriteError.self) { try source.applying(wrong) }
  }

  /// Items behind the keys that count, and keys without items.
  @Test func oddTables() throws {
    var bytes = SyntheticBox.keys(Self.others)
    // One key fewer than there are: the third is none.
    let keys = try #require(bytes.firstRange(of: Array("keys".utf8)))
    bytes[keys.upperBound + 7] = 2
    let source = try Movie(parsing: MemorySource(try SyntheticMovie(movieExtra: bytes).build()))
    var edit = MovieMetadataEdit()
    edit.set(.utf8("new"), forKey: "com.example.new")
    #expect(throws: MovieWriteError.self) { try source.applying(edit) }
    var removal = MovieMetadataEdit()
    removal.remove("com.example.first")
    #expect(try source.applying(removal).metadata.items.map(\.key) == ["com.example.number"])
    // A key without an item gets one.
    var hollow = SyntheticBox.keys([("com.example.a", 1, 0, [65]), ("com.example.b", 1, 0, [66])])
    let item = try #require(hollow.firstRange(of: [0, 0, 0, 2, 0, 0, 0, 17]))
    hollow[item.lowerBound + 3] = 1
    let doubled = try Movie(parsing: MemorySource(try SyntheticMovie(movieExtra: hollow).build()))
    var filling = MovieMetadataEdit()
    filling.set(.utf8("filled"), forKey: "com.example.b")
    #expect(try doubled.applying(filling).metadata["com.example.b"] == .text("filled"))
  }

  /// Values go into a type of the caller's where they fit, and come back as they were.
  @Test func encodedTypes() {
    let cases: [(MetadataValue, UInt32, [UInt8]?)] = [
      (.integer(-1), 65, [0xFF]), (.integer(-129), 65, nil), (.integer(127), 65, [0x7F]), (.integer(128), 65, nil),
      (.integer(255), 75, [0xFF]), (.integer(-1), 75, nil), (.integer(256), 75, nil), (.unsigned(6), 66, [0, 6]),
      (.unsigned(.max), 78, Array(repeating: 0xFF, count: 8)), (.unsigned(.max), 74, nil),
      (.integer(3), 77, [0, 0, 0, 3]), (.real(1), 23, [0x3F, 0x80, 0, 0]), (.text("a"), 2, [0, 0x61]),
      (.text("a"), 65, nil),
      (.picture(.png, [1]), 14, [1]), (.picture(.png, [1]), 13, nil), (.data(type: 9, [1]), 9, [1]),
      (.data(type: 9, [1]), 0, nil),
      (.perspectiveTransform([1, 2]), 83, nil),
    ]
    for (value, type, bytes) in cases {
      #expect(EncodedMetadataValue(value, type: type)?.bytes == bytes, "\(value) as \(type)")
    }
    let whole: [MetadataValue] = [
      .text("ä"), .integer(-3), .unsigned(3), .real(0.1), .point(x: 1, y: 2), .dimensions(width: 3, height: 4),
      .rectangle(x: 1, y: 2, width: 3, height: 4), .affineTransform([1, 0, 0, 1, 5, 6]),
      .quadrilateral([1, 2, 3, 4, 5, 6, 7, 8]), .perspectiveTransform([1, 0, 0, 0, 1, 0, 0, 0, 0.1]),
      .picture(.bmp, [1, 2]), .data(type: 4000, [1]),
    ]
    for value in whole {
      let encoded = EncodedMetadataValue(value)
      #expect(MetadataValue(type: encoded.type, bytes: encoded.bytes) == value)
    }
  }
}
