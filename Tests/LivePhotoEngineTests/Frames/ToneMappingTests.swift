#if HEVC
  import LivePhotoCore
  import LivePhotoEngine
  import TestSupport
  import Testing

  /// JPEG stills from HDR clips, held against FFmpeg's conversion to linear light (zscale) and BT.2390's formula as published.
  @Suite("HDR as JPEG") struct ToneMappingTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let reference =
      ColorDifference.python + """
        import subprocess, sys
        from PIL import Image, ImageOps
        ffmpeg, clip, still, number, peak = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4]), float(sys.argv[5])
        shown = np.array(ImageOps.exif_transpose(Image.open(still)).convert('RGB'))
        out = subprocess.run([ffmpeg, '-v', 'error', '-i', clip, '-vf',
            f"select='eq(n,{number})',zscale=t=linear:npl=100,format=gbrpf32le", '-frames:v', '1', '-f', 'rawvideo', '-'],
            capture_output=True, check=True).stdout
        height, width = shown.shape[:2]
        g, b, r = np.frombuffer(out, '<f4').astype(float).reshape(3, height, width) * 100

        if sys.argv[6] == 'hlg':
            # zscale applies the gamma of HLG's display to each component; BT.2100 (table 5) scales all by their luminance.
            r, g, b = [(np.maximum(x, 0) / 1000) ** (1 / 1.2) for x in (r, g, b)]
            scale = 1000 * (0.2627 * r + 0.6780 * g + 0.0593 * b) ** 0.2
            r, g, b = r * scale, g * scale, b * scale

        def pq(light):
            root = (np.maximum(light, 0) / 10000) ** 0.1593017578125
            return ((0.8359375 + 18.8515625 * root) / (1 + 18.6875 * root)) ** 78.84375

        def light(value):
            root = value ** (1 / 78.84375)
            return 10000 * (np.maximum(root - 0.8359375, 0) / (18.8515625 - 18.6875 * root)) ** (1 / 0.1593017578125)

        # Report ITU-R BT.2390-10, 5.4.1, with a black level of 0.
        top = np.clip(np.maximum(np.maximum(r, g), b), 1e-6, None)
        e1 = np.minimum(pq(top) / pq(peak), 1)
        target = pq(203.0) / pq(peak)
        knee = 1.5 * target - 0.5
        t = (e1 - knee) / (1 - knee)
        p = (2 * t ** 3 - 3 * t ** 2 + 1) * knee + (t ** 3 - 2 * t ** 2 + t) * (1 - knee) + (-2 * t ** 3 + 3 * t ** 2) * target
        gain = light(np.where(e1 < knee, e1, p) * pq(peak)) / top / 203
        linear = np.stack([r, g, b], axis=-1) * gain[..., None]
        # BT.2087-0: BT.2020 to BT.709.
        m = np.array([[1.6605, -0.5876, -0.0728], [-0.1246, 1.1329, -0.0083], [-0.0182, -0.1006, 1.1187]])
        linear = np.clip(linear @ m.T, 0, 1)
        srgb = np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055)
        expected = np.round(srgb * 255)
        print(ciede2000(shown, expected).mean(), expected.std())
        """

    private func difference(_ clip: String, _ still: String, frame: Int, isHLG: Bool, peak: Double = 1000) throws
      -> Double
    {
      let ffmpeg = try #require(Judge.currentFFmpeg.path)
      let words = try python(Self.reference, [ffmpeg, clip, still, "\(frame)", "\(peak)", isHLG ? "hlg" : "pq"]).lines
        .first?.split(
          separator: " ")
      let numbers = (words ?? []).compactMap { Double($0) }
      try #require(numbers.count == 2)
      // A picture of one colour would prove nothing.
      #expect(numbers[1] > 20)
      return numbers[0]
    }

    @Test(
      "is what BT.2390's curve makes of the light", .judged(by: .currentFFmpeg, .python, .exiftool),
      arguments: [("smpte2084", 1000.0), ("arib-std-b67", 1000.0), ("smpte2084", 4000.0)])
    func made(transfer: String, peak: Double) throws {
      let clip = folder.path("clip.mov")
      let mastering = peak == 1000 ? "" : ":max-cll=4000,400"
      // All hues, from black to bright; none beyond what R, G and B can be, where clipping would come first or last.
      let scene =
        "color=black:size=320x192:rate=25:duration=0.4,format=yuv444p10le,geq=lum='64+700*X/319'"
        + ":cb='512+90*sin(Y/30)*X/319':cr='512+90*cos(Y/30)*X/319',format=yuv420p10le,"
        + "setparams=color_primaries=bt2020:color_trc=\(transfer):colorspace=bt2020nc:range=tv"
      try Judge.currentFFmpeg.ask(
        ["-v", "error", "-f", "lavfi", "-i", scene, "-c:v", "libx265", "-preset", "ultrafast", "-x265-params"]
          + ["log-level=none:lossless=1\(mastering)", "-tag:v", "hvc1", clip])
      let pair = try LivePhotoMaker().make(
        from: clip, still: .at(.time(RationalTime(5, 25))), format: .jpeg(quality: 100),
        into: PairDestination(folder: folder.root, stem: "pair"))
      #expect(pair.warnings.contains { $0.contains("HDR") && $0.contains("SDR") })
      let found = try difference(
        clip, pair.photo, frame: 5, isHLG: transfer != "smpte2084", peak: try statedPeak(of: clip) ?? 1000)
      #expect(found < 0.8, "mean CIEDE2000 \(found)")
      #expect(try Judge.exiftool.ask(["-s3", "-ColorSpace", pair.photo]).lines.first == "sRGB")
    }

    /// What the movie says of the brightest pixel.
    private func statedPeak(of clip: String) throws -> Double? {
      let video = try FileInspector().inspect(clip).movie?.tracks.first?.video
      return video?.contentLight.map { Double($0.maximum) }
    }

    @Test(
      "of a clip from a camera too, and HEIC keeps 10 bits and the colours", .needsCorpus,
      .judged(by: .currentFFmpeg, .python, .ffprobe),
      arguments: ["03-mov-mp4/ax_hlg10-color-test.mp4", "03-mov-mp4/ax_dolbyVision-hdr.MOV"])
    func cameras(path: String) throws {
      let clip = Corpus.file(path)
      var maker = LivePhotoMaker()
      maker.tiles = .none
      let jpeg = try maker.make(
        from: clip, still: .at(.time(.zero)), format: .jpeg(quality: 100),
        into: PairDestination(folder: folder.root, stem: "a"))
      let found = try difference(clip, jpeg.photo, frame: 0, isHLG: true)
      #expect(found < 1, "mean CIEDE2000 \(found)")
      let heic = try maker.make(
        from: clip, still: .at(.time(.zero)), into: PairDestination(folder: folder.root, stem: "b"))
      let picture = try #require(try FileInspector().inspect(heic.photo).photo?.pictures?.first)
      #expect(picture.color?.primaries == 9 && picture.color?.transfer == 18 && picture.color?.matrix == 9)
      let probed = try Judge.currentFFmpeg.askAnything(["-hide_banner", "-i", heic.photo]).errorText
      #expect(probed.contains("yuv420p10") && probed.contains("arib-std-b67"), "\(probed)")
    }
  }
#endif
