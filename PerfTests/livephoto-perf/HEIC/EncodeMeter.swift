#if HEVC
  import Foundation
  import LivePhotoHEIC

  /// One way to encode a picture.
  struct EncodeSetting: Hashable {
    enum Encoder: String, Encodable {
      case heifEnc = "heif-enc"
      case ours = "livephoto"
    }

    var encoder: Encoder
    /// One of x265's presets; nil for the encoder's default.
    var preset: String?
    /// 1 to 100; the two encoders mean different things by it.
    var quality: Int
    /// nil for the encoder's default, all cores.
    var threads: Int?
  }

  /// What came of one way to encode a picture.
  struct Encoding: Encodable {
    let picture: String
    let encoder: EncodeSetting.Encoder
    let preset: String
    let quality: Int
    let threads: Int
    /// The shortest times, and the largest peak.
    var cost: ProcessCost
    let bytes: Int
    let likeness: Likeness

    var line: String {
      let times = cost.time
      return [
        encoder.rawValue.padded(10), preset.padded(10), "\(quality)".leftPadded(4), "\(threads)".leftPadded(4),
        times.wall.formatted(2).leftPadded(8), times.processor.formatted(2).leftPadded(8),
        cost.peak.formatted(0).leftPadded(8), "\(bytes)".leftPadded(10), likeness.ssim.formatted(5).leftPadded(9),
        likeness.lumaPSNR.formatted(3).leftPadded(8), likeness.psnr.formatted(3).leftPadded(8),
      ].joined(separator: " ")
    }

    static let heading = [
      "encoder".padded(10), "preset".padded(10), "q".leftPadded(4), "thr".leftPadded(4), "wall s".leftPadded(8),
      "cpu s".leftPadded(8), "peak MiB".leftPadded(8), "bytes".leftPadded(10), "SSIM-Y".leftPadded(9),
      "PSNR-Y".leftPadded(8), "PSNR-RGB".leftPadded(8),
    ].joined(separator: " ")
  }

  /// Encodes one picture in whole processes, and remembers what came of it.
  final class EncodeMeter {
    let subject: HEICSubject
    private let tools: HEICTools
    private(set) var encodings: [EncodeSetting: Encoding] = [:]

    init(_ subject: HEICSubject, _ tools: HEICTools) {
      self.subject = subject
      self.tools = tools
    }

    /// Encodes once more, and judges the file the first time.
    @discardableResult
    func encode(_ setting: EncodeSetting) throws -> Encoding {
      let output = "\(subject.name)-\(setting.encoder.rawValue).heic"
      let cost = try tools.runner.run(tools.program(setting.encoder), arguments(setting, output))
      if var known = encodings[setting] {
        known.cost.combine(cost)
        encodings[setting] = known
        return known
      }
      let encoding = Encoding(
        picture: subject.name, encoder: setting.encoder, preset: setting.preset ?? tools.preset(setting.encoder),
        quality: setting.quality, threads: setting.threads ?? ProcessInfo.processInfo.activeProcessorCount, cost: cost,
        bytes: try tools.runner.size(output), likeness: try subject.likeness(tools.runner.path(output)))
      encodings[setting] = encoding
      return encoding
    }

    /// What is known of a setting, which is tried now if it was not before.
    func encoding(_ setting: EncodeSetting) throws -> Encoding { try encodings[setting] ?? encode(setting) }

    private func arguments(_ setting: EncodeSetting, _ output: String) -> [String] {
      switch setting.encoder {
      case .heifEnc:
        [subject.file, "-o", output] + (setting.quality == HEICTools.peerQuality ? [] : ["-q", "\(setting.quality)"])
      case .ours:
        ["encode", subject.file, "-o", output, "--quality", "\(setting.quality)"]
          + ["--threads", "\(setting.threads ?? ProcessInfo.processInfo.activeProcessorCount)"]
          + (setting.preset.map { ["--preset", $0] } ?? []) + ["--force", "--quiet"]
      }
    }
  }

  // MARK: Equal quality

  /// Two neighbouring qualities of ours, between which the structural similarity is that of another file.
  struct QualityBracket: Encodable {
    /// Less like the picture than the other file.
    let below: Encoding
    /// At least as like it.
    let above: Encoding
    /// Where in between, 0 to 1: structural similarity is taken as a straight line from the one to the other.
    let position: Double

    init(_ below: Encoding, _ above: Encoding, similarity: Double) {
      (self.below, self.above) = (below, above)
      position = (similarity - below.likeness.ssim) / (above.likeness.ssim - below.likeness.ssim)
    }

    var quality: Double { Double(below.quality) + position * Double(above.quality - below.quality) }

    /// What a file of exactly that similarity would take: its logarithm as a straight line over the similarity.
    var bytes: Double { exp(log(Double(below.bytes)) * (1 - position) + log(Double(above.bytes)) * position) }
  }

  extension EncodeMeter {
    /// Finds the two neighbouring qualities of a setting between which the similarity to the picture is `similarity`.
    ///
    /// - Returns: nil where no quality reaches it, or all do.
    func bracket(_ setting: EncodeSetting, similarity: Double) throws -> QualityBracket? {
      _ = try encoding(setting)
      while true {
        let known = known(setting)
        let low = known.last { $0.likeness.ssim < similarity }, high = known.first { $0.likeness.ssim >= similarity }
        let next: Int
        switch (low, high) {
        case (let low?, let high?):
          let bracket = QualityBracket(low, high, similarity: similarity)
          if high.quality - low.quality <= 1 { return bracket }
          next = min(max(Int(bracket.quality.rounded()), low.quality + 1), high.quality - 1)
        case (let low?, nil):
          if low.quality == 100 { return nil }
          next = min(low.quality + Self.step(known.suffix(2), similarity), 100)
        case (nil, let high?):
          if high.quality == 1 { return nil }
          next = max(high.quality - Self.step(known.prefix(2), similarity), 1)
        case (nil, nil): return nil
        }
        var setting = setting
        setting.quality = next
        try encode(setting)
      }
    }

    /// A setting at the lowest quality that reaches a similarity; as it is where that cannot be found.
    func nearest(_ setting: EncodeSetting, similarity: Double) throws -> EncodeSetting {
      var nearest = setting
      if let found = try bracket(setting, similarity: similarity) { nearest.quality = found.above.quality }
      return nearest
    }

    /// What is known of a setting at whatever quality, by quality.
    private func known(_ setting: EncodeSetting) -> [Encoding] {
      let known = encodings.filter { key, _ in
        (key.encoder, key.preset, key.threads) == (setting.encoder, setting.preset, setting.threads)
      }
      return known.values.sorted { $0.quality < $1.quality }
    }

    /// How far to go on to a similarity beyond the two outermost qualities: along their straight line.
    private static func step(_ known: ArraySlice<Encoding>, _ similarity: Double) -> Int {
      guard let first = known.first, let last = known.last, last.likeness.ssim > first.likeness.ssim else { return 4 }
      let slope = (last.likeness.ssim - first.likeness.ssim) / Double(last.quality - first.quality)
      let beyond = max(similarity - last.likeness.ssim, first.likeness.ssim - similarity)
      return min(max(Int((beyond / slope).rounded(.up)), 1), 12)
    }
  }
#endif
