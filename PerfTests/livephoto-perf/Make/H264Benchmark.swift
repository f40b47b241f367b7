#if HEVC
  import Foundation
  import LivePhotoBitstream
  import LivePhotoCore
  import LivePhotoH264

  /// Measures the H.264 decoder in this process, on one thread.
  ///
  /// The stream is one that x264 makes of 1920 × 1080 with its defaults at 6 Mbit/s; the picture has so much noise that it
  /// takes that rate, and no more.
  struct H264Benchmark {
    /// What decoding took; the shortest of all rounds.
    struct Result: Encodable {
      /// Frames of the stream.
      var frames = 0
      /// Bits a second, in millions.
      var megabits = 0.0
      /// All frames, in seconds of the processor.
      var all = Double.infinity
      /// The first key frame, in seconds of the processor.
      var keyFrame = Double.infinity

      var line: String {
        "H.264, x264's defaults, 1080p, \(megabits.formatted(1)) Mbit/s: \((Double(frames) / all).formatted(1)) frames/s on one core, "
          + "a key frame in \((keyFrame * 1000).formatted(1)) ms"
      }
    }

    /// Makes the stream and decodes it so many times.
    func run(_ runner: ProcessRunner, rounds: Int) throws -> Result {
      try runner.run(
        "ffmpeg",
        [
          "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=1920x1080:rate=30:duration=3,noise=alls=4:allf=t",
          "-pix_fmt", "yuv420p", "-c:v", "libx264", "-b:v", "6M", "-f", "h264", "clip.264",
        ])
      let bytes = [UInt8](try Data(contentsOf: URL(filePath: runner.path("clip.264"))))
      let units = try NALFraming.annexB.units(in: bytes.span)
      guard let first = units.firstIndex(where: { bytes[$0.lowerBound] & 31 == 5 }) else {
        throw UsageError("ffmpeg's stream has no key frame")
      }
      var result = Result()
      result.megabits = Double(bytes.count) * 8 / 3 / 1_000_000
      for _ in 0..<rounds {
        let all = try Time.of { result.frames = try decode(bytes, units[...]) }
        let key = try Time.of { _ = try decode(bytes, units[...first]) }
        result.all = min(result.all, all.processor)
        result.keyFrame = min(result.keyFrame, key.processor)
      }
      return result
    }

    /// Decodes units and counts the pictures.
    private func decode(_ bytes: [UInt8], _ units: ArraySlice<Range<Int>>) throws -> Int {
      var decoder = H264Decoder()
      var count = 0
      for unit in units {
        try decoder.decode(unit: bytes.span.extracting(unit))
        while let picture = decoder.nextPicture() { count += picture.damage == nil ? 1 : 0 }
      }
      decoder.finish()
      while let picture = decoder.nextPicture() { count += picture.damage == nil ? 1 : 0 }
      return count
    }
  }
#endif
