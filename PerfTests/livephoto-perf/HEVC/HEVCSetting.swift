#if HEVC
  import Foundation
  import LivePhotoBitstream
  import LivePhotoCore
  import LivePhotoEngine
  import LivePhotoFiles
  import LivePhotoHEVC

  /// How a clip is encoded: by the bridge, and by others told to do the same.
  struct HEVCSetting: Codable {
    var preset: String
    /// Bits a sample.
    var depth: Int
    var threads: Int
    var rateFactor = 24.0

    /// More than one thread means wavefront, which shapes the bytes.
    private var isWavefront: Bool { threads > 1 }

    /// x265's two fastest presets have no adaptive quantisation, and the bridge adds none.
    private var quantisation: Int { ["ultrafast", "superfast"].contains(preset) ? 0 : 1 }

    /// x265's name of what the bridge writes.
    var profile: String { depth > 8 ? "main10" : "main" }

    /// What the bridge tells x265 beyond preset and profile, as options of x265's.
    var options: [(name: String, value: String)] {
      [
        ("crf", "\(rateFactor)"), ("qcomp", "1"), ("aq-mode", "\(quantisation)"), ("keyint", "250"), ("open-gop", "0"),
        ("frame-threads", "1"), ("wpp", isWavefront ? "1" : "0"), ("pools", isWavefront ? "\(threads)" : "none"),
        ("info", "0"), ("log-level", "error"),
      ]
    }

    /// The command line of `x265`.
    func x265(_ input: String, _ output: String) -> [String] {
      let switches = ["0": "no-", "1": ""]
      let arguments = options.flatMap { name, value in
        ["open-gop", "wpp", "info"].contains(name)
          ? ["--" + (switches[value] ?? "") + name] : ["--" + name, value]
      }
      return [
        "--input", input, "--output", output, "--output-depth", "\(depth)", "--preset", preset, "--profile", profile,
      ]
        + arguments + ["--no-progress"]
    }

    /// The command line of ffmpeg's libx265.
    func ffmpeg(_ input: String, _ output: String) -> [String] {
      [
        "-v", "error", "-nostdin", "-y", "-i", input, "-c:v", "libx265", "-preset", preset, "-profile:v", profile,
        "-x265-params", options.map { "\($0)=\($1)" }.joined(separator: ":"), "-f", "hevc", output,
      ]
    }

    /// The bridge's encoder.
    func session(width: Int, height: Int, color: ColorDescription) throws -> HEVCEncodingSession {
      guard let preset = HEVCPreset(rawValue: preset) else { throw UsageError("\(preset) is no preset") }
      let encoder = HEVCEncoder(
        rateFactor: rateFactor, preset: preset, isWavefront: isWavefront, threads: .count(threads))
      return try encoder.session(
        width: width, height: height, format: PixelFormat(.yuv420, bitDepth: depth), color: color,
        rate: (UInt32(HEVCClip.rate.frames), UInt32(HEVCClip.rate.seconds)))
    }

    /// Encodes frames that are in memory with the bridge and gives the number of bytes, parameter sets included.
    func encode(_ frames: [PlanarImage]) throws -> Int {
      guard let first = frames.first else { return 0 }
      var session = try session(width: first.width, height: first.height, color: first.color)
      var units: [HEVCAccessUnit] = []
      for (index, frame) in frames.enumerated() { units += try session.encode(frame, at: Int64(index)) }
      units += try session.finish()
      return session.parameterSets.reduce(0) { $0 + 4 + $1.count } + units.reduce(0) { $0 + $1.bytes.count }
    }
  }

  /// A hidden command that encodes a clip with the bridge, as the `x265` command does.
  ///
  /// `hevc-encode-once INPUT.y4m OUTPUT.hevc PRESET THREADS RATE-FACTOR`
  enum EncodeOnceCommand {
    static let name = "hevc-encode-once"

    static func run(_ arguments: [String]) throws {
      guard arguments.count == 5, let threads = Int(arguments[3]), let factor = Double(arguments[4]) else {
        throw UsageError("\(name) INPUT.y4m OUTPUT.hevc PRESET THREADS RATE-FACTOR")
      }
      var reader = try Y4MReader(parsing: FileSource(path: arguments[0]))
      let setting = HEVCSetting(
        preset: arguments[2], depth: reader.header.format.bitDepth, threads: threads, rateFactor: factor)
      var session = try setting.session(
        width: reader.header.width, height: reader.header.height, color: reader.header.color)
      var units: [HEVCAccessUnit] = []
      var time: Int64 = 0
      while let image = try reader.next() {
        units += try session.encode(image, at: time)
        time += 1
      }
      units += try session.finish()
      var stream = session.parameterSets
      for unit in units {
        stream += try NALFraming.lengthPrefixed(.four).units(in: unit.bytes.span).map { Array(unit.bytes[$0]) }
      }
      try Data(try NALFraming.annexB.joined(stream)).write(to: URL(filePath: arguments[1]))
    }
  }
#endif
