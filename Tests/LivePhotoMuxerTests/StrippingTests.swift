import LivePhotoCore
import LivePhotoMuxer
import TestSupport
import Testing

/// Movies that say in every way that is known where an invented camera was, and what of it is left.
@Suite("Stripping movies")
struct StrippingTests {
  static let latitude = "12.34567", longitude = "098.76543"
  static let position = "+\(latitude)-\(longitude)+012.300/"
  /// What must be in no byte: the position as text, as fractions of degrees and minutes, as 16.16 numbers, as a double.
  static let traces: [[UInt8]] =
    [latitude, longitude, "98.76543", "Nowhere Town"].map { Array($0.utf8) } + [loci, real]
  static let loci: [UInt8] = [0xFF, 0x9D, 0x3C, 0x0D, 0x00, 0x0C, 0x58, 0x7D]
  static let real: [UInt8] = withDouble(12.34567)
  private static func withDouble(_ value: Double) -> [UInt8] {
    stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: value.bitPattern >> UInt64($0)) }
  }

  private typealias Box = SyntheticBox

  private static func classic(_ type: FourCC, _ text: String) -> [UInt8] {
    Box.box(type, [0, UInt8(text.utf8.count), 0x15, 0xC7] + Array(text.utf8))
  }

  static let xmp = """
    <?xpacket begin='' id='W5M0MpCehiHzreSzNTczkc9d'?><x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF \
    xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'><rdf:Description rdf:about='' \
    xmlns:exif='http://ns.adobe.com/exif/1.0/' xmlns:xmp='http://ns.adobe.com/xap/1.0/' \
    exif:GPSLatitude="12,20.74N \(latitude)" xmp:Rating="4"><!-- \(position) --><xmp:CreatorTool>A Tool</xmp:CreatorTool>\
    <exif:GPSLongitude>98,45.92W \(longitude)</exif:GPSLongitude></rdf:Description></rdf:RDF></x:xmpmeta>\
    <?xpacket end='w'?>
    """

  private static var xmpBox: [UInt8] {
    let type: [UInt8] = [
      0xBE, 0x7A, 0xCF, 0xCB, 0x97, 0xA9, 0x42, 0xE8, 0x9C, 0x71, 0x99, 0x94, 0x91, 0xE3, 0xAF, 0xAC,
    ]
    return Box.box("uuid", type + Array(xmp.utf8))
  }

  private static var iTunes: [UInt8] {
    let handler: [UInt8] = Array(repeating: 0, count: 8) + Array("mdir".utf8) + Array(repeating: 0, count: 13)
    func item(_ type: FourCC, _ text: String) -> [UInt8] {
      Box.box(type, Box.box("data", [0, 0, 0, 1, 0, 0, 0, 0] + Array(text.utf8)))
    }
    let named = Box.box(
      "----",
      Box.box("mean", [0, 0, 0, 0] + Array("com.apple.iTunes".utf8))
        + Box.box("name", [0, 0, 0, 0] + Array("GPS".utf8))
        + Box.box("data", [0, 0, 0, 1, 0, 0, 0, 0] + Array(latitude.utf8)))
    return Box.box(
      "meta",
      [0, 0, 0, 0] + Box.box("hdlr", handler)
        + Box.box("ilst", item("©nam", "A Title") + item("©xyz", position) + named + item("©cmt", position)))
  }

  private static var userData: [UInt8] {
    Box.box(
      "udta",
      classic("©xyz", position) + classic("©mak", "A Maker") + classic("©cmt", position)
        + Box.box("loci", [0, 0, 0, 0, 0x15, 0xC7] + Array("Nowhere Town\0".utf8) + [0] + loci)
        + Box.box("GPMF", Array(position.utf8)) + Box.box("XMP_", Array(xmp.utf8)) + iTunes + [0, 0, 0, 0])
  }

  private static let keys: [(key: String, type: UInt32, locale: UInt32, bytes: [UInt8])] = [
    ("com.apple.quicktime.location.accuracy.horizontal", 1, 0, Array("5".utf8)),
    ("com.apple.quicktime.make", 1, 0, Array("A Maker".utf8)),
    ("com.apple.quicktime.location.ISO6709", 1, 0, Array(position.utf8)),
    ("com.apple.quicktime.location.name", 1, 0, Array("Nowhere Town".utf8)),
    ("com.example.where", 1, 0, Array(position.utf8)),
    ("com.example.latitude", 24, 0, real),
    ("com.apple.quicktime.creationdate", 1, 0, Array("2031-02-03T04:05:06+0000".utf8)),
    ("com.apple.quicktime.live-photo.auto", 22, 0, [1]),
  ]

  private static func track(_ id: UInt32, _ handler: FourCC, _ entry: [UInt8], _ sample: [UInt8]) -> SyntheticTrack {
    SyntheticTrack(
      id: id, handler: handler, durations: [(4, 50)], width: 0, height: 0, entry: entry,
      samples: Array(repeating: sample, count: 4))
  }

  static func synthetic(brand: FourCC? = "qt  ", form: SyntheticMovie.MediaForm = .compact, isHeaderFirst: Bool = false)
    -> SyntheticMovie
  {
    let plain = { (format: FourCC) in Box.box(format, Array(repeating: 0, count: 7) + [1]) }
    let place = Array(position.utf8)
    let boxed = Box.box(FourCC(rawValue: 1), place)
    var video = SyntheticTrack(format: "jpeg")
    video.extra = userData + Box.keys(keys) + Box.box("tref", Box.box("cdep", [0, 0, 0, 2, 0, 0, 0, 4]))
    let tracks = [
      video,
      track(2, "meta", plain("gpmd"), place),
      track(3, "meta", Box.timedKeys(["com.apple.quicktime.location.ISO6709"]), boxed),
      track(4, "meta", Box.timedKeys(["com.apple.quicktime.video-orientation"]), [0, 0, 0, 10, 0, 0, 0, 1, 0, 1]),
      track(5, "text", plain("text"), [0, 40] + Array("GPS(\(latitude),\(longitude))".utf8)),
      track(6, "text", plain("text"), [0, 5] + Array("hello".utf8)),
      track(7, "abcd", plain("abcd"), place),
    ]
    var movie = SyntheticMovie(
      tracks: tracks, brand: brand, isHeaderFirst: isHeaderFirst, mediaForm: form,
      movieExtra: userData + Box.keys(keys) + xmpBox + Box.box("free", place) + Box.box("abcd", place))
    movie.before =
      Box.box("mdat", place) + Box.box("wide", []) + Box.box("free", place) + xmpBox + Box.box("priv", place)
    if form != .toEnd { movie.after = Box.box("skip", place) + [1, 2, 3, 4] + Array("trailer \(position)".utf8) }
    return movie
  }

  /// Texts that hold a position somewhere, in UTF-8 and UTF-16 of either order.
  static let sentences: [[UInt8]] = {
    let texts = ["was at \(position) then", "see geo:\(latitude),-98.76543;u=5", "0 12 +\(latitude)-098.76543"]
    return texts.flatMap { text in
      let units = Array(text.utf16)
      let big = units.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
      return [Array(text.utf8), big, units.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }]
    }
  }()

  /// Positions inside texts, wherever the movie keeps a text: keys, user data, XMP, text and boxed metadata, entries.
  @Test(arguments: MetadataStripping.allCases, Self.sentences.indices)
  func positionsInTexts(_ what: MetadataStripping, _ index: Int) throws {
    let text = Self.sentences[index], isUTF8 = index % 3 == 0
    let plain: [UInt8] = Array(repeating: 0, count: 7) + [1]
    let extended = Box.box("uuid", Array(repeating: 7, count: 16) + text)
    let key = Box.box("keyd", Array("mdta".utf8) + Array("com.example.note".utf8))
    let keys = Box.box(
      "keys", Box.box(FourCC(rawValue: 1), key + Box.box("dtyp", [0, 0, 0, 0, 0, 0, 0, isUTF8 ? 1 : 2])))
    let boxed = Box.box(FourCC(rawValue: 1), text)
    let harmless = Box.timedKeys(["com.apple.quicktime.video-orientation"])
    let orientation: [UInt8] = [0, 0, 0, 10, 0, 0, 0, 1, 0, 1]
    var entry = harmless + extended
    entry.replaceSubrange(
      0..<4,
      with: [
        UInt8(entry.count >> 24), UInt8(entry.count >> 16 & 255), UInt8(entry.count >> 8 & 255),
        UInt8(entry.count & 255),
      ])
    var video = SyntheticTrack(format: "jpeg")
    let xmp = "<x><a b='1'>\(isUTF8 ? String(decoding: text, as: UTF8.self) : "")</a><c d='2'/></x>"
    video.extra = Box.box(
      "udta",
      Box.box("titl", [0, 0, 0, 0, 0x15, 0xC7] + text) + Box.box("XMP_", Array(xmp.utf8))
        + Box.box("©inf", [UInt8(text.count >> 8), UInt8(text.count & 255), 0x15, 0xC7] + text))
    let tracks = [
      video, Self.track(2, "text", Box.box("text", plain), [0, UInt8(text.count)] + text),
      Self.track(3, "meta", Box.box("mebx", plain + keys), boxed), Self.track(4, "meta", entry, orientation),
      Self.track(5, "tmcd", Box.box("tmcd", plain + Array(repeating: 0, count: 18) + extended), [0, 0, 0, 1]),
    ]
    let values: [(key: String, type: UInt32, locale: UInt32, bytes: [UInt8])] = [
      ("com.example.a", isUTF8 ? 1 : 2, 0, text), ("com.example.b", 0, 0, text), ("com.example.c", 1, 0, [65]),
    ]
    let source = try Movie(
      parsing: MemorySource(try SyntheticMovie(tracks: tracks, movieExtra: Box.keys(values)).build()))
    #expect(source.tracks[2].sampleDescriptions[0].metadataKeys.map(\.name) == ["com.example.note"])
    let stripped = try source.stripping(what)
    let bytes = try written(stripped.movie)
    #expect(bytes.filter { $0 != 0 }.firstRange(of: Array("2.34567".utf8)) == nil)
    let result = try Movie(parsing: MemorySource(bytes))
    #expect(result.track(id: 4)?.sampleDescriptions.first?.metadataKeys.count == 1)
    #expect(result.track(id: 2) == nil && result.track(id: 3) == nil)
    for id in [2, 3] { #expect(stripped.removed.contains { $0.hasPrefix("track \(id) ") }) }
    guard what == .location else { return }
    #expect(result.metadata.items.map(\.key) == ["com.example.c", "com.apple.quicktime.content.identifier"])
    let packet = try #require(result.tracks[0].userData["XMP_"])
    #expect(String(decoding: packet.bytes, as: UTF8.self).contains("<c d='2'/>"))
  }

  /// With all go chapters and text that nothing says is shown, and are named; subtitles stay.
  @Test func textTracks() throws {
    let plain = { (format: FourCC) in Box.box(format, Array(repeating: 0, count: 7) + [1]) }
    let words = { (text: String) in [0, UInt8(text.utf8.count)] + Array(text.utf8) }
    var video = SyntheticTrack(format: "jpeg")
    video.extra = Box.box("tref", Box.box("chap", [0, 0, 0, 2]))
    let source = try Movie(
      parsing: MemorySource(
        try SyntheticMovie(tracks: [
          video, Self.track(2, "text", plain("text"), words("a chapter")),
          Self.track(3, "sbtl", plain("tx3g"), words("a subtitle")),
          Self.track(4, "text", plain("abcd"), words("an unknown text")),
        ]).build()))
    let all = try source.stripping(.all)
    #expect(all.movie.tracks.map(\.id) == [1, 3])
    #expect(all.removed.contains("track 2 ('text') was left out: it lists chapters"))
    #expect(all.removed.contains("track 4 ('abcd') was left out: it is not known to be shown"))
    let bytes = try written(all.movie)
    #expect(traces(in: bytes, ["a chapter", "an unknown text"].map { Array($0.utf8) }).isEmpty)
    #expect(try source.stripping(.location).movie.tracks.map(\.id) == [1, 2, 3, 4])
  }

  private func written(_ movie: Movie, at time: RationalTime = RationalTime(1, 10)) throws -> [UInt8] {
    let moment = try movie.stillMoment(at: time)
    return try LivePhotoMovieWriter(identifier: .random(), moment: moment).plan(for: movie).output.materialized()
  }

  private func traces(in bytes: [UInt8], _ traces: [[UInt8]]) -> [String] {
    traces.filter { bytes.firstRange(of: $0) != nil }.map { String(decoding: $0, as: UTF8.self) }
  }

  @Test(
    .judged(by: .exiftool, .ffprobe), arguments: [nil, "qt  ", "mp42"] as [FourCC?],
    [SyntheticMovie.MediaForm.compact, .large, .toEnd, .onePerTrack])
  func location(_ brand: FourCC?, _ form: SyntheticMovie.MediaForm) throws {
    for isHeaderFirst in [false, true] {
      let source = try Movie(
        parsing: MemorySource(
          try Self.synthetic(brand: brand, form: form, isHeaderFirst: isHeaderFirst).build()))
      #expect(!traces(in: try written(source), Self.traces).isEmpty)
      let stripped = try source.stripping(.location)
      let bytes = try written(stripped.movie)
      #expect(traces(in: bytes, Self.traces).isEmpty)
      let result = try Movie(parsing: MemorySource(bytes))
      #expect(result.tracks.map(\.id) == [1, 4, 6, 8])
      #expect(result.tracks[0].references("cdep") == [4])
      let left = [
        "com.apple.quicktime.make", "com.apple.quicktime.creationdate", "com.apple.quicktime.live-photo.auto",
      ]
      #expect(result.metadata.items.map(\.key) == left + ["com.apple.quicktime.content.identifier"])
      #expect(result.tracks[0].metadata.items.map(\.key) == left)
      #expect(result.userData.items.map(\.type) == ["©mak", "XMP_"])
      #expect(result.userData.metadata.items.map(\.key) == ["©nam"])
      for (id, old) in zip([1, 4, 6] as [UInt32], [0, 3, 5]) {
        let before = source.tracks[old], after = try #require(result.track(id: id))
        for index in before.samples.indices {
          let isSame =
            try before.samples.bytes(of: index, in: source.source)
            == after.samples.bytes(of: index, in: result.source)
          #expect(isSame)
        }
      }
      // What was more than plain metadata is named.
      for name in ["track 2", "track 3", "track 5", "track 7", "'GPMF'", "'abcd'", "'priv'", "behind the movie"] {
        guard form != .toEnd || name != "behind the movie" else { continue }
        #expect(stripped.removed.contains { $0.contains(name) }, "\(name) of \(stripped.removed)")
      }
      let folder = try TemporaryFolder()
      let path = try folder.write(bytes, as: "movie.mov")
      let found = try tags(of: path, exiftool: ["-ee"]).filter { tag, _ in
        ["GPS", "Location", "Latitude", "Longitude"].contains { tag.contains($0) }
      }
      #expect(found.isEmpty, "\(found)")
      let tags = try tags(of: path)
      #expect(tags["XMP-xmp:CreatorTool"] == "A Tool")
      #expect(tags["XMP-xmp:Rating"] == "4")
      #expect(tags["Keys:Make"] == "A Maker")
    }
  }

  @Test(.judged(by: .exiftool), arguments: [nil, "qt  ", "mp42"] as [FourCC?])
  func all(_ brand: FourCC?) throws {
    var synthetic = Self.synthetic(brand: brand)
    synthetic.tracks.append(SyntheticBox.marker(id: 8, samples: [SyntheticBox.value]))
    let source = try Movie(parsing: MemorySource(try synthetic.build()))
    let stripped = try source.stripping(.all)
    let bytes = try written(stripped.movie, at: .zero)
    let words = ["A Maker", "A Title", "A Tool", "2031", "live-photo.auto", "xpacket", "quicktime.make", "trailer"]
    #expect(traces(in: bytes, Self.traces + words.map { Array($0.utf8) }).isEmpty)
    let result = try Movie(parsing: MemorySource(bytes))
    // Video, its orientation, words that are shown, and the moment of the still.
    #expect(result.tracks.map(\.id) == [1, 4, 6, 8])
    #expect(result.metadata.items.map(\.key) == ["com.apple.quicktime.content.identifier"])
    #expect(result.userData.items.isEmpty)
    #expect(result.stillImageTime == .zero)
    let folder = try TemporaryFolder()
    let tags = try tags(of: try folder.write(bytes, as: "movie.mov"), exiftool: ["-ee"])
    #expect(!tags.keys.contains { $0.hasPrefix("XMP") || $0.hasPrefix("UserData") || $0.hasPrefix("ItemList") })
    #expect(tags.keys.filter { $0.hasPrefix("Keys:") } == ["Keys:ContentIdentifier"])
  }

  /// A movie that was trimmed before stays trimmed, and one that is edited too.
  @Test func trimmed() throws {
    let source = try Self.movie()
    let whole = RationalTime(1, 10)..<RationalTime(2, 10)
    let trimmed = try source.trimmed(to: whole).movie
    for movie in [
      trimmed, try trimmed.stripping(.location).movie, try source.stripping(.location).movie.trimmed(to: whole).movie,
    ] {
      let result = try Movie(parsing: MemorySource(try written(movie, at: .zero)))
      #expect(result.tracks[0].samples.count == trimmed.tracks[0].samples.count)
      #expect(result.tracks[0].editedDuration == trimmed.tracks[0].editedDuration)
    }
    var edit = MovieMetadataEdit()
    edit.set(.utf8("x"), forKey: "com.example.x")
    let edited = try trimmed.applying(edit)
    #expect(edited.tracks[0].samples.count == trimmed.tracks[0].samples.count)
    #expect(edited.duration == trimmed.duration)
  }

  /// Damaged movies are refused or stripped, and never end in a trap.
  @Test func damagedMovies() throws {
    let bytes = try Self.synthetic(brand: "mp42", isHeaderFirst: true).build()
    for damaged in damagedCopies(of: bytes, count: 1500, seed: 11) {
      guard let movie = try? Movie(parsing: MemorySource(damaged)) else { continue }
      for what in MetadataStripping.allCases { _ = try? movie.stripping(what).movie.asQuickTime() }
      var edit = MovieMetadataEdit()
      edit.set(.utf8("x"), forKey: "com.apple.quicktime.make")
      edit.remove("com.apple.quicktime.location.name")
      _ = try? movie.applying(edit)
    }
  }

  /// Dates of headers go with all.
  @Test(.judged(by: .exiftool)) func dates() throws {
    var track = NewVideoTrack(codec: "jpeg", width: 16, height: 16, timescale: 600)
    track.samples = [NewSample(bytes: [1, 2, 3], duration: 600, isSync: true)]
    var new = NewMovie(track: track)
    new.creationTime = 3_900_000_000
    new.metadata = [("com.apple.quicktime.software", "A Tool")]
    let movie = try Movie(parsing: MemorySource(try new.plan().materialized()))
    for what in MetadataStripping.allCases {
      let result = try Movie(parsing: MemorySource(try written(try movie.stripping(what).movie, at: .zero)))
      let isKept = what == .location
      #expect(result.header.creationTime == (isKept ? 3_900_000_000 : 0))
      #expect(result.tracks.allSatisfy { $0.header.creationTime == (isKept ? 3_900_000_000 : 0) })
      #expect((result.metadata["com.apple.quicktime.software"] == nil) == !isKept)
    }
  }

  /// Where nothing says a place, `location` changes not a byte of the header, and `all` twice is `all` once.
  @Test func nothingToDo() throws {
    let keys: [(key: String, type: UInt32, locale: UInt32, bytes: [UInt8])] = [("com.example.a", 1, 0, [65])]
    let source = try Movie(
      parsing: MemorySource(try SyntheticMovie(movieExtra: SyntheticBox.keys(keys)).build()))
    let moment = try source.stillMoment(at: .zero)
    let writer = LivePhotoMovieWriter(identifier: ContentIdentifier(asRead: "A"), moment: moment)
    let stripped = try source.stripping(.location)
    #expect(stripped.removed.isEmpty)
    #expect(
      try writer.plan(for: source).output.materialized() == writer.plan(for: stripped.movie).output.materialized())
    let once = try Self.movie().stripping(.all).movie
    #expect(try written(once).count == written(try once.stripping(.all).movie).count)
  }

  private static func movie() throws -> Movie { try Movie(parsing: MemorySource(try synthetic().build())) }

  @Test func names() {
    for name in [
      "com.apple.quicktime.location.ISO6709", "GPSLatitude", "GpsLongitude", "City", "com.example.lat", "LocationShown",
    ] { #expect(PlaceNames.matches(name), "\(name)") }
    for name in ["com.apple.quicktime.make", "Rating", "creationdate", "translate", "Capacity", "elongated"] {
      #expect(!PlaceNames.matches(name), "\(name)")
    }
    for text in ["+12.3-098.7/", "-01+001", "+12.34-098.76+100CRSWGS_84/"] { #expect(PlaceNames.isPosition(text)) }
    for text in [
      "x +12.3-098.7/", "at-01+001/.", "a +1234.5-09876.5", "+12-098+8848CRSWGS_84/", "2.5 +2.345+48.856",
      "GEO:12.3,-98.7", "see geo:1,2;u=35",
    ] { #expect(PlaceNames.holdsPosition(text.utf8), "\(text)") }
    for text in [
      "+49-1234567", "2031-02-03T04:05:06+0100", "6B3C9F0E-6A0F-4D55-9C44-0F1E2D3C4B5A", "+1.5-2.5 EV", "12.3, -98.7",
      "geo: 1", "geo:a,b", "page 12-345", "",
    ] { #expect(!PlaceNames.holdsPosition(text.utf8), "\(text)") }
    for text in ["+1-2", "12.3-098.7", "2031-02-03T04:05:06+0100", "", "+12", "-5 dB"] {
      #expect(!PlaceNames.isPosition(text))
    }
  }
}
