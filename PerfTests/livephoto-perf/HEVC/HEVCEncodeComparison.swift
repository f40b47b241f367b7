#if HEVC
  import Foundation
  import LivePhotoBitstream

  /// One encoder at one setting.
  struct HEVCEncoding: Encodable {
    let encoder: String
    /// Whether it is a whole process that reads a file and writes one, rather than calls with frames in memory.
    let isProcess: Bool
    let setting: HEVCSetting
    let frames: Int
    let time: Time
    let bytes: Int
    /// The number of slices, and how many of them are the bridge's, byte for byte; none for calls.
    var slices: Int?
    var equalSlices: Int?

    var line: String {
      [
        setting.preset.padded(10), "\(setting.depth)".leftPadded(4), "\(setting.threads)".leftPadded(4),
        encoder.padded(10), (isProcess ? "process" : "calls").padded(8),
        (Double(frames) / time.wall).formatted(1).leftPadded(7), time.wall.formatted(3).leftPadded(8),
        time.processor.formatted(3).leftPadded(8), "\(bytes)".leftPadded(9),
        (slices.map { "\(equalSlices ?? 0) of \($0)" } ?? "-").leftPadded(10),
      ].joined(separator: " ")
    }

    static let heading = [
      "preset".padded(10), "bits".leftPadded(4), "thr".leftPadded(4), "encoder".padded(10), "as".padded(8),
      "fps".leftPadded(7), "wall s".leftPadded(8), "cpu s".leftPadded(8), "bytes".leftPadded(9),
      "as bridge".leftPadded(10),
    ].joined(separator: " ")
  }

  /// The bridge and x265 at one setting, each called with frames in memory and as a whole process that reads a file,
  /// and ffmpeg's libx265, taking turns.
  struct HEVCEncodeComparison: Encodable {
    let setting: HEVCSetting
    var encodings: [HEVCEncoding] = []

    init(_ setting: HEVCSetting, _ clip: HEVCClip, _ runner: ProcessRunner, rounds: Int) throws {
      self.setting = setting
      guard let input = clip.files[setting.depth] else { return }
      let images = try clip.images(depth: setting.depth, in: runner)
      let programs = Self.programs(setting, input)
      var calls = (ours: Time.longest, library: Time.longest)
      var bytes = (ours: 0, library: 0)
      var processes = programs.map { _ in Time.longest }
      for round in 0..<rounds {
        try inTurn(round) {
          calls.ours.shorten(to: try Time.of { bytes.ours = try setting.encode(images) })
        } _: {
          calls.library.shorten(to: try Time.of { bytes.library = try LibX265.encode(images, setting) })
        }
        for (index, program) in programs.enumerated() {
          processes[index].shorten(to: try runner.run(program.path, program.arguments).time)
        }
      }
      encodings = [("bridge", calls.ours, bytes.ours), ("libx265", calls.library, bytes.library)].map {
        HEVCEncoding(encoder: $0, isProcess: false, setting: setting, frames: images.count, time: $1, bytes: $2)
      }
      let reference = try Self.slices(runner.path(Self.stream(setting)))
      encodings += try zip(programs, processes).map { program, time in
        let slices = try Self.slices(runner.path(program.output))
        return HEVCEncoding(
          encoder: program.name, isProcess: true, setting: setting, frames: images.count, time: time,
          bytes: try runner.size(program.output), slices: slices.count,
          equalSlices: zip(slices, reference).filter { $0 == $1 }.count)
      }
    }

    /// What runs as a process: those of the programs that are installed.
    private static func programs(_ setting: HEVCSetting, _ input: String)
      -> [(name: String, path: String, output: String, arguments: [String])]
    {
      let ours = stream(setting)
      let bridge = [EncodeOnceCommand.name, input, ours, setting.preset, "\(setting.threads)", "\(setting.rateFactor)"]
      let peers = [("x265", setting.x265(input, "x265.hevc")), ("ffmpeg", setting.ffmpeg(input, "ffmpeg.hevc"))]
      return [("bridge", ProcessRunner.ourselves.path, ours, bridge)]
        + peers.filter { ProcessRunner.isInstalled($0.0) }.map { ($0, $0, "\($0).hevc", $1) }
    }

    /// The name of the file that the bridge makes.
    static func stream(_ setting: HEVCSetting) -> String {
      "bridge-\(setting.preset)-\(setting.depth)-\(setting.threads).hevc"
    }

    /// The bridge's time over x265's: of calls, or of processes; nil where there is none.
    func overhead(asProcess isProcess: Bool, _ time: KeyPath<Time, Double>) -> Double? {
      let encodings = encodings.filter { $0.isProcess == isProcess }
      guard encodings.count >= 2, encodings[1].encoder.hasSuffix("x265") else { return nil }
      return encodings[0].time[keyPath: time] / encodings[1].time[keyPath: time]
    }

    /// The slices of a byte stream.
    private static func slices(_ path: String) throws -> [[UInt8]] {
      let bytes = try [UInt8](Data(contentsOf: URL(filePath: path)))
      return try NALFraming.annexB.units(in: bytes.span).compactMap { unit in
        try HEVCNALUnitHeader(parsing: bytes.span.extracting(unit)).type.isVCL ? Array(bytes[unit]) : nil
      }
    }
  }
#endif
