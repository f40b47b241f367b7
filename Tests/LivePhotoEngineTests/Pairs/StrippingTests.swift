#if HEVC
  import LivePhotoCore
  import LivePhotoEngine
  import TestSupport
  import Testing

  /// Pairs of made files that exiftool has given an invented position, in every way that it knows.
  @Suite(.judged(by: .exiftool, .ffprobe, .heifConvert, .djpeg), .serialized) struct StrippingTests {
    private static let position = [
      "-GPSLatitude=12.34567", "-GPSLatitudeRef=N", "-GPSLongitude=98.76543", "-GPSLongitudeRef=W", "-GPSAltitude=12.5",
      "-GPSAreaInformation=Nowhere Town", "-UserComment=+12.34567-098.76543/", "-XMP:City=Nowhere Town",
      "-XMP-exif:GPSLatitude=12.34567", "-XMP-iptcExt:LocationShownCity=Nowhere Town", "-XMP:Rating=3",
      "-XMP:CreatorTool=A Tool",
    ]
    private static let traces = ["Nowhere Town", "12.3456", "12,20.7", "098.7654", "98.76543"].map { Array($0.utf8) }
    private static let words = ["A Tool", "Acme", "2031", "xpacket"].map { Array($0.utf8) }

    private func files(in folder: TemporaryFolder) throws -> (clip: String, heic: String, jpeg: String) {
      let made = try Demonstration(threads: .allCores).run(in: folder.root)
      let jpeg = try LivePhotoMaker(threads: .allCores).make(
        from: made.clip, format: .jpeg(), into: PairDestination(folder: folder.root, stem: "jpeg"))
      let set = [
        "-q", "-overwrite_original", "-Make=Acme", "-Software=A Tool", "-DateTimeOriginal=2031:02:03 04:05:06",
      ]
      try Judge.exiftool.ask(set + Self.position + [made.pair.photo, jpeg.photo])
      try Judge.exiftool.ask([
        "-q", "-overwrite_original", "-IPTC:City=Nowhere Town", "-Comment=+12.34567-098.76543/", jpeg.photo,
      ])
      try Judge.exiftool.ask([
        "-q", "-overwrite_original", "-Keys:GPSCoordinates=12.34567, -98.76543, 12", "-Keys:LocationName=Nowhere Town",
        "-Keys:Make=Acme", "-UserData:GPSCoordinates=12.34567, -98.76543, 12", "-XMP-exif:GPSLatitude=12.34567",
        "-XMP:CreatorTool=A Tool", "-ItemList:GPSCoordinates=12.34567, -98.76543, 12", made.clip,
      ])
      return (made.clip, made.pair.photo, jpeg.photo)
    }

    private func expectClean(_ files: [String], _ what: MetadataStripping, rationals: [UInt8]) throws {
      for file in files {
        let bytes = try readFile(file)
        for trace in Self.traces + [rationals] + (what == .all ? Self.words : []) {
          #expect(bytes.firstRange(of: trace) == nil, "\(String(decoding: trace, as: UTF8.self)) in \(file)")
        }
      }
      let tags = ["GPS", "Location", "Latitude", "Altitude"].map { "-*\($0)*" } + ["-City"]
      let found = try Judge.exiftool.askAnything(["-a", "-G1", "-s", "-ee"] + tags + files).lines
      #expect(!found.contains { $0.hasPrefix("[") }, "\(found)")
      let validity = try Judge.exiftool.askAnything(["-validate", "-s3", "-warning", "-q"] + files).lines
      #expect(validity == files.map { _ in "OK" }, "\(validity)")
    }

    @Test(arguments: MetadataStripping.allCases) func nothingIsLeft(_ what: MetadataStripping) throws {
      let folder = try TemporaryFolder()
      let (clip, heic, jpeg) = try files(in: folder)
      // The latitude as exiftool writes it: three fractions of 64 bits each.
      let rationals: [UInt8] = [0, 0, 0, 12, 0, 0, 0, 1, 0, 0, 0, 20, 0, 0, 0, 1]
      for source in [heic, jpeg] { #expect(try readFile(source).firstRange(of: rationals) != nil) }
      var maker = LivePhotoMaker(threads: .allCores)
      maker.strips = what
      var pairer = PairMaker()
      pairer.strips = what
      var encoder = PictureEncoder(threads: .allCores)
      encoder.strips = what
      let out = { (stem: String) in PairDestination(folder: folder.root, stem: stem) }
      let pairs = [
        try maker.make(from: clip, into: out("a")), try maker.make(from: clip, format: .jpeg(), into: out("b")),
        try maker.make(from: clip, photo: heic, into: out("c")),
        try maker.make(from: clip, photo: jpeg, into: out("d")),
        try pairer.pair(photo: heic, movie: clip, into: out("e")),
        try pairer.pair(photo: jpeg, movie: clip, into: out("f")),
      ]
      for pair in pairs {
        #expect(try PairVerifier().verify(photo: pair.photo, movie: pair.movie).findings.isEmpty)
        #expect(try packetHashes(of: pair.movie)[0] == packetHashes(of: clip)[0])
      }
      for (source, goal) in [(heic, "g.heic"), (heic, "g.jpg"), (jpeg, "h.heic"), (jpeg, "h.jpg")] {
        let format: StillFormat = goal.hasSuffix("heic") ? .heic() : .jpeg()
        _ = try encoder.encode(source, as: format, to: folder.path(goal))
      }
      let results = pairs.flatMap { [$0.photo, $0.movie] } + ["g.heic", "g.jpg", "h.heic", "h.jpg"].map(folder.path)
      try expectClean(results, what, rationals: rationals)
      // No pixel changed.
      for (source, result) in [(heic, pairs[2].photo), (heic, pairs[4].photo)] {
        #expect(try decoded(source, folder, judge: .heifConvert) == decoded(result, folder, judge: .heifConvert))
      }
      #expect(try Judge.djpeg.ask([jpeg]).output == Judge.djpeg.ask([pairs[5].photo]).output)
      guard what == .location else { return }
      let tags = try tags(of: pairs[5].photo)
      #expect(tags["IFD0:Make"] == "Acme")
      #expect(tags["XMP-xmp:Rating"] == "3")
      #expect(pairs[5].warnings.contains { $0.contains("APP13") })
    }

    /// The old bytes of a file would stay in it.
    @Test func inPlaceNothingCanBeLeftOut() throws {
      let folder = try TemporaryFolder()
      let made = try Demonstration(threads: .allCores).run(in: folder.root).pair
      let before = try [made.photo, made.movie].map(readFile)
      var maker = PairMaker()
      maker.strips = .location
      let error = #expect(throws: LivePhotoError.self) {
        try maker.pairInPlace(photo: made.photo, movie: made.movie)
      }
      guard case .unwritable(made.movie, "metadata cannot be left out in place") = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(try [made.photo, made.movie].map(readFile) == before)
    }

    private func decoded(_ file: String, _ folder: TemporaryFolder, judge: Judge) throws -> [UInt8] {
      try judge.ask(["-q", "100", file, folder.path("decoded.png")])
      return try Judge.ffmpeg.ask([
        "-v", "error", "-i", folder.path("decoded.png"), "-f", "rawvideo", "-pix_fmt", "rgb24", "-",
      ]).output
    }
  }
#endif
