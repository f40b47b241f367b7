#if HEVC
  import Foundation
  import LivePhotoBitstream
  import LivePhotoCore
  import LivePhotoHEVC

  /// One decoder on one stream.
  struct HEVCDecoding: Encodable {
    let decoder: String
    let depth: Int
    let threads: Int
    let frames: Int
    let time: Time

    var line: String {
      [
        "\(depth)".leftPadded(4), "\(threads)".leftPadded(4), decoder.padded(10),
        (Double(frames) / time.wall).formatted(1).leftPadded(7), time.wall.formatted(3).leftPadded(8),
        time.processor.formatted(3).leftPadded(8),
      ].joined(separator: " ")
    }

    static let heading = [
      "bits".leftPadded(4), "thr".leftPadded(4), "decoder".padded(10), "fps".leftPadded(7), "wall s".leftPadded(8),
      "cpu s".leftPadded(8),
    ].joined(separator: " ")
  }

  /// The bridge and bare libde265 in one process, and ffmpeg's own decoder as a process, on a stream that the bridge
  /// encoded, taking turns.
  struct HEVCDecodeComparison: Encodable {
    let stream: String
    var decodings: [HEVCDecoding] = []

    init(_ setting: HEVCSetting, _ clip: HEVCClip, _ runner: ProcessRunner, rounds: Int) throws {
      stream = HEVCEncodeComparison.stream(setting)
      let bytes = try [UInt8](Data(contentsOf: URL(filePath: runner.path(stream))))
      let units = try NALFraming.annexB.units(in: bytes.span).map { Array(bytes[$0]) }
      let hasFFmpeg = ProcessRunner.isInstalled("ffmpeg")
      var times = (ours: Time.longest, library: Time.longest, ffmpeg: Time.longest)
      for round in 0..<rounds {
        try inTurn(round) {
          times.ours.shorten(
            to: try Time.of { try Self.expect(clip.frames, try Self.decode(units, threads: setting.threads)) })
        } _: {
          times.library.shorten(
            to: try Time.of { try Self.expect(clip.frames, try LibDe265.decode(units, threads: setting.threads)) })
        }
        if hasFFmpeg {
          let arguments = [
            "-v", "error", "-nostdin", "-threads", "\(setting.threads)", "-i", stream, "-f", "null", "-",
          ]
          times.ffmpeg.shorten(to: try runner.run("ffmpeg", arguments).time)
        }
      }
      let all = [("bridge", times.ours), ("libde265", times.library)] + (hasFFmpeg ? [("ffmpeg", times.ffmpeg)] : [])
      decodings = all.map { name, time in
        HEVCDecoding(
          decoder: name, depth: setting.depth, threads: setting.threads, frames: clip.frames, time: time)
      }
    }

    /// The bridge's time over bare libde265's.
    func overhead(_ time: KeyPath<Time, Double>) -> Double {
      decodings[0].time[keyPath: time] / decodings[1].time[keyPath: time]
    }

    private static func decode(_ units: [[UInt8]], threads: Int) throws -> Int {
      var decoder = try HEVCDecoder(threads: .count(threads)), count = 0
      for unit in units {
        try decoder.decode(unit: unit.span)
        while try decoder.nextPicture() != nil { count += 1 }
      }
      try decoder.finish()
      while try decoder.nextPicture() != nil { count += 1 }
      return count
    }

    private static func expect(_ frames: Int, _ count: Int) throws {
      guard frames == count else { throw UsageError("\(count) pictures came out of \(frames)") }
    }
  }
#endif
