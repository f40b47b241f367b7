#if HEVC
  import Foundation
  import LivePhotoEngine
  import LivePhotoHEIC

  /// Our encoder beside heif-enc on one picture.
  struct EncodeComparison: Encodable {
    let picture: String
    let size: String
    /// heif-enc as it comes.
    var peer: Encoding?
    /// Ours as it comes, at the quality of equal similarity.
    var ours: QualityBracket?
    /// Ours with heif-enc's preset, at the quality of equal similarity.
    var equalPreset: QualityBracket?
    /// Ours with heif-enc's preset and, as near as a whole quality gets, its rate factor.
    var equalRateFactor: Encoding?
    /// Ours on one thread and on two.
    var threads: [Encoding] = []
    /// Bytes over heif-enc's at equal SSIM-Y and equal PSNR-Y, in per cent, over four qualities; ours as it comes.
    var bdRate: BDRate?
    /// Every file that was made.
    var encodings: [Encoding] = []

    struct BDRate: Encodable {
      let ssim: Double
      let psnr: Double
    }

    /// Which part of two cores two threads use: half of the time on one thread over that on two.
    var coreUse: Double? {
      guard threads.count == 2 else { return nil }
      return threads[0].cost.time.wall / threads[1].cost.time.wall / 2
    }
  }

  extension EncodeComparison {
    /// x265's rate factors for the curves: the quantisation parameters of JVET's common test conditions.
    private static let rateFactors = [22.0, 27, 32, 37]

    /// By how much our rate factor of equal similarity is usually below libheif's, which leaves `qcomp` at 0.6: where
    /// the search begins.
    private static let head = 3.0

    /// Measures on one picture: `rounds` turns of all that counts; a quick measurement does without heif-enc's preset
    /// for ours and without curves.
    init(_ meter: EncodeMeter, _ tools: HEICTools, rounds: Int, isQuick: Bool) throws {
      (picture, size) = (meter.subject.name, meter.subject.size)
      if tools.peer == nil {
        let setting = EncodeSetting(encoder: .ours, quality: HEICEncoder().quality)
        try Self.measure(meter, [setting] + Self.threads(setting), rounds: rounds)
        threads = try Self.threads(setting).map { try meter.encoding($0) }
      } else {
        try compare(meter, tools, rounds: rounds, isQuick: isQuick)
      }
      encodings = meter.all
    }

    private mutating func compare(_ meter: EncodeMeter, _ tools: HEICTools, rounds: Int, isQuick: Bool) throws {
      let peer = EncodeSetting(encoder: .heifEnc, quality: HEICTools.peerQuality)
      let target = try meter.encode(peer).likeness.ssim
      let factor = libheifRateFactor(quality: peer.quality)
      let start = EncodeSetting(encoder: .ours, quality: HEICEncoder.quality(rateFactor: factor - Self.head))
      let ours = try meter.nearest(start, similarity: target)
      var contenders = [peer, ours] + Self.threads(ours)

      var samePreset: EncodeSetting?
      if !isQuick, StillPreset(rawValue: tools.preset(.heifEnc)) != nil {
        var setting = start
        setting.preset = tools.preset(.heifEnc)
        setting = try meter.nearest(setting, similarity: target)
        contenders.append(setting)
        samePreset = setting
      }
      try Self.measure(meter, contenders, rounds: rounds)
      if !isQuick { bdRate = try Self.bdRate(meter) }

      // All of these are known by now; asked for again for their shortest times.
      self.peer = try meter.encoding(peer)
      self.ours = try meter.bracket(ours, similarity: target)
      threads = try Self.threads(ours).map { try meter.encoding($0) }
      if var samePreset {
        equalPreset = try meter.bracket(samePreset, similarity: target)
        samePreset.quality = HEICEncoder.quality(rateFactor: factor)
        equalRateFactor = try meter.encoding(samePreset)
      }
    }

    private static func measure(_ meter: EncodeMeter, _ settings: [EncodeSetting], rounds: Int) throws {
      for _ in 0..<rounds {
        for (index, setting) in settings.enumerated() where !settings[..<index].contains(setting) {
          try meter.encode(setting)
        }
      }
    }

    /// A setting on one thread and on two; none where there is one core.
    private static func threads(_ setting: EncodeSetting) -> [EncodeSetting] {
      let cores = ProcessInfo.processInfo.activeProcessorCount
      guard cores >= 2 else { return [] }
      return [1, 2].map { count in
        var setting = setting
        setting.threads = count == cores ? nil : count
        return setting
      }
    }

    private static func bdRate(_ meter: EncodeMeter) throws -> BDRate? {
      let ours = try rateFactors.map { factor in
        try meter.encoding(EncodeSetting(encoder: .ours, quality: HEICEncoder.quality(rateFactor: factor)))
      }
      let peers = try rateFactors.map { factor in
        try meter.encoding(EncodeSetting(encoder: .heifEnc, quality: Int(100 - 2 * factor)))
      }
      func percent(_ quality: KeyPath<Likeness, Double>) -> Double? {
        BjontegaardDelta.percent(
          of: ours.map { ($0.likeness[keyPath: quality], Double($0.bytes)) },
          over: peers.map { ($0.likeness[keyPath: quality], Double($0.bytes)) })
      }
      guard let ssim = percent(\.ssim), let psnr = percent(\.lumaPSNR) else { return nil }
      return BDRate(ssim: ssim, psnr: psnr)
    }
  }

  extension EncodeMeter {
    /// Everything that was encoded: heif-enc's first, then by preset, threads and quality.
    fileprivate var all: [Encoding] {
      encodings.values.sorted {
        ($0.encoder.rawValue, $0.preset, $1.threads, $0.quality) < (
          $1.encoder.rawValue, $1.preset, $0.threads, $1.quality
        )
      }
    }
  }

  // MARK: Text

  extension EncodeComparison {
    /// The table and the ratios of the picture.
    var text: String {
      (["", "\(picture), \(size)", Encoding.heading] + encodings.map(\.line) + ratios).joined(separator: "\n")
    }

    private var ratios: [String] {
      var lines: [String] = []
      if let peer, let ours { lines += Self.ratios(ours, peer, title: "equal SSIM-Y") }
      if peer != nil, ours == nil { lines.append("no quality of ours has heif-enc's SSIM-Y: no ratios") }
      if let peer, let equalPreset { lines += Self.ratios(equalPreset, peer, title: "equal SSIM-Y, equal preset") }
      if let peer, let equalRateFactor {
        lines.append("equal preset and rate factor: \(Self.describe(equalRateFactor, peer))")
      }
      if let coreUse { lines.append("two threads use \((coreUse * 100).formatted(0)) % of two cores") }
      if let bdRate {
        lines.append(
          "BD-rate over four qualities: \(Self.signed(bdRate.ssim)) % by SSIM-Y, \(Self.signed(bdRate.psnr)) % by PSNR-Y"
        )
      }
      return lines
    }

    private static func ratios(_ bracket: QualityBracket, _ peer: Encoding, title: String) -> [String] {
      let bytes = (bracket.bytes / Double(peer.bytes) * 100).formatted(1)
      return [
        "\(title): \(describe(bracket.above, peer))",
        "  at the very same SSIM-Y, between qualities (\(bracket.quality.formatted(2))): \(bytes) % of the bytes",
      ]
    }

    private static func describe(_ ours: Encoding, _ peer: Encoding) -> String {
      let wall = (peer.cost.time.wall / ours.cost.time.wall).formatted(2)
      let processor = (peer.cost.time.processor / ours.cost.time.processor).formatted(2)
      let bytes = (Double(ours.bytes) / Double(peer.bytes) * 100).formatted(1)
      let (a, b) = (ours.likeness, peer.likeness)
      return """
        \(ours.preset) q\(ours.quality) against heif-enc's \(peer.preset) q\(peer.quality): \(wall) times as fast \
        (processor time \(processor)), \(bytes) % of the bytes, SSIM-Y \(a.ssim.formatted(5)) against \
        \(b.ssim.formatted(5)), PSNR-Y \(a.lumaPSNR.formatted(2)) against \(b.lumaPSNR.formatted(2)) dB
        """
    }

    private static func signed(_ value: Double) -> String { String(format: "%+.1f", value) }
  }
#endif
