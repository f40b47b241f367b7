#if HEVC
  import Foundation
  import LivePhotoEngine
  import LivePhotoHEIC

  /// The two programs that are compared.
  struct HEICTools {
    let runner: ProcessRunner
    /// The default presets.
    private let presets: (ours: String, peer: String)
    /// heif-enc's version; nil where it is not installed.
    let peer: String?
    private let livephoto: String

    /// The quality of heif-enc that counts: its default.
    static let peerQuality = 50

    init(_ runner: ProcessRunner, sample: String) throws {
      self.runner = runner
      livephoto = ProcessRunner.ourselves.deletingLastPathComponent().appending(path: "livephoto").path
      guard FileManager.default.isExecutableFile(atPath: livephoto) else {
        throw UsageError("\(livephoto) is missing: build everything first (swift build -c release)")
      }
      guard ProcessRunner.isInstalled("heif-enc") else {
        (peer, presets) = (nil, (PictureEncoder().preset.rawValue, ""))
        return
      }
      let parameters = try runner.output("heif-enc", ["-P", sample, "-o", "parameters.heic"])
      presets = (PictureEncoder().preset.rawValue, Self.preset(in: parameters) ?? "default")
      let help = try runner.output("heif-enc", ["--help"])
      let version = help.split(separator: "\n").first { $0.contains("version") }?.split(separator: " ").last
      peer = "heif-enc \(version ?? "of unknown version"), default settings (preset \(presets.peer))"
    }

    func program(_ encoder: EncodeSetting.Encoder) -> String {
      switch encoder {
      case .heifEnc: "heif-enc"
      case .ours: livephoto
      }
    }

    func preset(_ encoder: EncodeSetting.Encoder) -> String {
      switch encoder {
      case .heifEnc: presets.peer
      case .ours: presets.ours
      }
    }

    /// The default in a line such as `preset, default=slow, { … }`.
    private static func preset(in parameters: String) -> String? {
      let line = parameters.split(separator: "\n").first { $0.drop { $0 == " " }.hasPrefix("preset,") }
      let field = line?.split(separator: ",").first { $0.contains("default=") }
      return field?.split(separator: "=").last.map(String.init)
    }

    /// A warning where the program that is measured may not be what the sources say.
    var note: String? {
      let sources = URL(filePath: #filePath).appending(path: "../../../../Sources").standardizedFileURL
      let key = URLResourceKey.contentModificationDateKey
      guard let built = try? URL(filePath: livephoto).resourceValues(forKeys: [key]).contentModificationDate,
        let files = FileManager.default.enumerator(at: sources, includingPropertiesForKeys: [key])
      else { return nil }
      let isStale = files.contains { file in
        let date = (file as? URL).flatMap { try? $0.resourceValues(forKeys: [key]).contentModificationDate }
        return date.map { $0 > built } ?? false
      }
      return isStale ? "livephoto is older than its sources: build it again (swift build -c release)" : nil
    }
  }

  extension HEICEncoder {
    /// The quality whose constant rate factor is nearest to one.
    static func quality(rateFactor: Double) -> Int {
      (1...100).min { abs(Self.rateFactor(quality: $0) - rateFactor) < abs(Self.rateFactor(quality: $1) - rateFactor) }
        ?? 80
    }
  }

  /// libheif's constant rate factor of a quality.
  func libheifRateFactor(quality: Int) -> Double { Double(100 - quality) / 2 }
#endif
