import LivePhotoCore
import TestSupport
import Testing

/// What independent tools make of the eight orientations: four quarters of a picture, red, green, blue and white.
@Suite struct OrientationJudgeTests {
  static let all = Orientation.allCases
  private static let quarters = LabelledPicture(rows: ["RG", "BW"].map(Array.init))

  private static func label(_ rgb: ArraySlice<UInt8>) -> Character {
    let (r, g, b) = (rgb[rgb.startIndex], rgb[rgb.startIndex + 1], rgb[rgb.startIndex + 2])
    if min(r, g, b) > 128 { return "W" }
    return r > max(g, b) ? "R" : g > b ? "G" : "B"
  }

  /// The labels of the quarters of a picture of packed RGB.
  private static func labels(_ rgb: [UInt8], width: Int, height: Int) -> LabelledPicture {
    LabelledPicture(
      rows: [height / 4, 3 * height / 4].map { y in
        [width / 4, 3 * width / 4].map { x in label(rgb[(y * width + x) * 3..<(y * width + x + 1) * 3]) }
      })
  }

  private static func picture(width: Int, height: Int) -> [UInt8] {
    let colours: [[UInt8]] = [[255, 0, 0], [0, 255, 0], [0, 0, 255], [255, 255, 255]]
    var picture: [UInt8] = []
    for y in 0..<height {
      for x in 0..<width { picture += colours[(y < height / 2 ? 0 : 2) + (x < width / 2 ? 0 : 1)] }
    }
    return picture
  }

  @Test(.judged(by: .exiftool, .cjpeg)) func exiftoolNamesThemAlike() throws {
    let names: [Orientation: String] = [
      .up: "Horizontal (normal)", .upMirrored: "Mirror horizontal", .down: "Rotate 180",
      .downMirrored: "Mirror vertical", .leftMirrored: "Mirror horizontal and rotate 270 CW",
      .right: "Rotate 90 CW", .rightMirrored: "Mirror horizontal and rotate 90 CW", .left: "Rotate 270 CW",
    ]
    let folder = try TemporaryFolder()
    for orientation in Self.all {
      var draft = ExifDraft(width: 64, height: 48)
      draft.orientation = orientation
      _ = try folder.write(try ExifDraftTests.jpeg(draft.makeBlock()), as: "\(orientation.rawValue).jpg")
    }
    let said = try Judge.exiftool.ask(["-q", "-p", "$FileName $Orientation", folder.root]).lines.sorted()
    #expect(said == Self.all.map { "\($0.rawValue).jpg \(names[$0] ?? "")" })
  }

  @Test(.judged(by: .ffmpeg, .ffprobe, .currentFFmpeg)) func ffmpegShowsMovieMatricesAlike() throws {
    let folder = try TemporaryFolder()
    let (width, height) = (64, 32)
    let plain = folder.path("plain.mov")
    try Judge.ffmpeg.ask(
      [
        "-v", "error", "-f", "rawvideo", "-pix_fmt", "rgb24", "-s", "\(width)x\(height)", "-i", "-", "-c:v", "png",
        plain,
      ],
      input: Self.picture(width: width, height: height))
    let movie = try readFile(plain)
    let header = try #require(movie.indices.first { movie[$0...].starts(with: "tkhd".utf8) })
    for orientation in Self.all {
      var writer = ByteWriter()
      MovieMatrix(orientation, width: Int32(width), height: Int32(height)).write(to: &writer)
      var turned = movie
      turned.replaceSubrange(header + 44..<header + 80, with: writer.bytes)
      let path = try folder.write(turned, as: "turned.mov")
      let shown = try Judge.currentFFmpeg.ask(
        ["-v", "error", "-i", path, "-frames:v", "1", "-f", "rawvideo", "-pix_fmt", "rgb24", "-"]
      ).output
      let size = orientation.swapsAxes ? (height, width) : (width, height)
      #expect(
        Self.labels(shown, width: size.0, height: size.1) == Self.quarters.shown(orientation), "\(orientation)")
      // Its angle is counter-clockwise.
      let angles: [Orientation: String] = [.right: "-90", .down: "-180", .left: "90"]
      if let angle = angles[orientation] {
        let said = try Judge.ffprobe.ask(
          ["-v", "error", "-show_entries", "stream_side_data=rotation", "-of", "csv=p=0", path]
        ).lines
        #expect(said == [angle])
      }
    }
  }

  @Test(.judged(by: .python, .heifConvert)) func libheifShowsItemPropertiesAlike() throws {
    // Files of libheif's own writer, whose irot and imir are set to ours; decoded by the newest and by the packaged libheif.
    let program = """
      import subprocess, sys, numpy, pillow_heif
      from PIL import Image
      pillow_heif.register_heif_opener()
      width, height, folder = 96, 64, sys.argv[1]
      picture = Image.frombytes("RGB", (width, height), sys.stdin.buffer.read())
      def quarters(path):
          a = numpy.asarray(Image.open(path).convert("RGB")).astype(int)
          h, w = a.shape[:2]
          pixels = [a[y, x] for y in (h // 4, 3 * h // 4) for x in (w // 4, 3 * w // 4)]
          return "".join("W" if p.min() > 128 else "RGB"[p.argmax()] for p in pixels)
      for job in sys.argv[2:]:
          mirror, rotation = job.split(",")
          exif = Image.Exif()
          exif[0x112] = 5 if mirror != "-" else 6
          path = folder + "/a.heic"
          picture.save(path, exif=exif.tobytes(), quality=95)
          data = bytearray(open(path, "rb").read())
          irot = data.find(b"irot")
          imir = data.find(b"imir")
          assert irot > 0 and (imir > irot) == (mirror != "-")
          data[irot + 4] = int(rotation)
          if mirror != "-": data[imir + 4] = int(mirror)
          open(path, "wb").write(data)
          subprocess.run(["heif-convert", path, folder + "/a.png"], check=True, capture_output=True)
          print(quarters(path), quarters(folder + "/a.png"))
      """
    let folder = try TemporaryFolder()
    let jobs = Self.all.map { orientation in
      let transform = HEIFTransform(orientation)
      return "\(transform.mirrorAxis.map { "\($0.rawValue)" } ?? "-"),\(transform.rotation)"
    }
    let said = try python(program, [folder.root] + jobs, input: Self.picture(width: 96, height: 64)).lines
    let expected = Self.all.map { orientation in
      let labels = String(Self.quarters.shown(orientation).rows.joined())
      return "\(labels) \(labels)"
    }
    #expect(said == expected)
  }
}
