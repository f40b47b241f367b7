internal import LivePhotoCore
internal import LivePhotoEngine

/// `make` and `pair`: two files in, or one, and a pair out.
extension Tool {
  func make(_ arguments: MakeArguments) throws -> ExitCode {
    var maker = LivePhotoMaker(
      threads: Threads(arguments.threads), tiles: TileChoice(arguments.tile))
    maker.preset = StillPreset(arguments.preset)
    if let tolerance = arguments.copyTolerance { maker.frameCoding = .copy(tolerance: tolerance) }
    maker.strips = arguments.strips
    maker.progress = progress(arguments.report)
    var pair = try maker.make(
      from: arguments.video, photo: arguments.photo, still: StillChoice(arguments.moment),
      cut: ClipCut(arguments.cut), format: StillFormat(arguments.format, quality: arguments.quality),
      identifier: arguments.identifier,
      into: PairDestination(arguments.output))
    pair.warnings += arguments.unusedOptions(of: pair)
    try report(pair, arguments.report)
    return .done
  }

  func pair(_ arguments: PairArguments) throws -> ExitCode {
    var maker = PairMaker(keepsMakerNote: arguments.keepsMakerNote)
    maker.threads = .allCores
    maker.strips = arguments.strips
    maker.progress = progress(arguments.report)
    let identifier = PairMaker.Identifier(arguments.identifier), still = StillChoice(arguments.moment)
    let pair =
      arguments.isInPlace
      ? try maker.pairInPlace(
        photo: arguments.photo, movie: arguments.video, identifier: identifier, still: still,
        durable: arguments.output.durable)
      : try maker.pair(
        photo: arguments.photo, movie: arguments.video, identifier: identifier, still: still,
        into: PairDestination(arguments.output))
    try report(pair, arguments.report)
    return .done
  }

  /// Shows progress unless that is not wanted.
  func progress(_ wish: ReportArguments) -> (@Sendable (Double) -> Void)? {
    guard console.hasTerminal, !wish.quiet else { return nil }
    return { [console] in console.progress($0) }
  }

  /// Says what was made.
  func report(_ pair: LivePhotoPair, _ wish: ReportArguments) throws {
    if !wish.quiet { for warning in pair.warnings { console.warning(warning) } }
    if wish.json { return try console.json(PairResult(pair)) }
    console.line("photo       \(pair.photo)")
    console.line("movie       \(pair.movie)")
    console.line("identifier  \(pair.identifier)")
    console.line("still time  \(pair.stillTime.inSeconds) (\(pair.stillTime)), \(pair.reasonPhrase)")
    if let offset = pair.copiedFrom { console.line("copied      \(offset.copyPhrase)") }
    if let cut = pair.cut { console.line("kept        \(cut.phrase)") }
  }
}

extension MakeArguments {
  /// Which options asked for something that a photo kept as it is does not have.
  fileprivate func unusedOptions(of pair: LivePhotoPair) -> [String] {
    guard pair.keepsPixels, let photo else { return [] }
    let isOfFormat = pair.photo.uppercased().hasSuffix(format == .jpeg ? ".JPG" : ".HEIC")
    let unused = codingOptions.filter { $0 != "--format" || !isOfFormat }
    guard !unused.isEmpty else { return [] }
    let options = unused.joined(separator: ", ")
    return ["\(photo): a JPEG or HEIC photo is kept as it is, so nothing came of \(options)"]
  }
}

/// The JSON of `make` and `pair`.
struct PairResult: Encodable {
  let version = 1
  let photo: String
  let movie: String
  let identifier: String
  let stillTime: TimeReport
  let stillReason: StillReason
  let stillScore: Double?
  let copiedFrom: TimeReport?
  let cut: CutReport?
  let warnings: [String]

  init(_ pair: LivePhotoPair) {
    photo = pair.photo
    movie = pair.movie
    identifier = pair.identifier.text
    stillTime = TimeReport(pair.stillTime)
    stillReason = pair.stillReason
    stillScore = pair.stillScore
    copiedFrom = pair.copiedFrom.map { TimeReport($0) }
    cut = pair.cut
    warnings = pair.warnings
  }
}

extension RationalTime {
  /// Seconds to a thousandth, such as `1.300 s`.
  var inSeconds: String { secondsText(seconds) }

  /// How far a copied key frame is from the moment, in words.
  fileprivate var copyPhrase: String {
    if self == .zero { return "the key frame at that moment, as it is coded" }
    let distance = secondsText(abs(seconds))
    return "a key frame as it is coded, \(distance) \(self < .zero ? "before" : "after") the moment asked for"
  }
}

/// Seconds to a thousandth, such as `1.300 s`.
func secondsText(_ seconds: Double) -> String {
  guard let thousandths = Int(exactly: (seconds * 1000).rounded()) else { return "\(seconds) s" }
  let rest = String(1000 + thousandths.magnitude % 1000).dropFirst()
  return "\(thousandths < 0 ? "-" : "")\(thousandths.magnitude / 1000).\(rest) s"
}

extension LivePhotoPair {
  /// Why the moment was chosen, with the figure it was chosen by.
  fileprivate var reasonPhrase: String {
    let score = stillScore.map { " (\(Self.hundredths($0)))" } ?? ""
    return switch stillReason {
    case .asked: "as asked"
    case .ownStillTime: "as the movie marks it"
    case .best: "the best frame around the middle\(score)"
    case .match: "the frame most like the photo\(score)"
    case .middle: stillScore == nil ? "the middle" : "the middle, for no frame is like the photo\(score)"
    }
  }

  private static func hundredths(_ value: Double) -> String {
    let hundredths = Int((min(max(value, -1), 1) * 100).rounded())
    let digits = String(1000 + hundredths.magnitude).dropFirst()
    return "\(hundredths < 0 ? "-" : "")\(digits.first ?? "0").\(digits.suffix(2))"
  }
}

// MARK: From arguments to the engine

extension Threads {
  /// As many as asked for, else one for each core.
  init(_ number: Int?) { self = number.map { .count($0) } ?? .allCores }
}

extension StillChoice {
  init(_ moment: MomentArgument?) {
    switch moment {
    case .time(let time): self = .at(.time(time))
    case .fraction(let part): self = .at(.fraction(part.seconds))
    case .best: self = .best
    case .match: self = .match
    case nil: self = .automatic
    }
  }
}

extension StillFormat {
  init(_ coding: StillCoding, quality: Int?) {
    switch coding {
    case .heic: self = quality.map { .heic(quality: $0) } ?? .heic()
    case .jpeg: self = quality.map { .jpeg(quality: $0) } ?? .jpeg()
    }
  }
}

extension TileChoice {
  init(_ tile: TileArgument?) {
    switch tile {
    case TileArgument.none?: self = .none
    case .side(let side): self = .side(side)
    case nil: self = .standard
    }
  }
}

extension StillPreset {
  init(_ effort: StillEffort?) {
    self =
      switch effort {
      case .ultrafast: .ultrafast
      case .veryfast, nil: .veryfast
      case .medium: .medium
      case .slow: .slow
      }
  }
}

extension PairDestination {
  init(_ output: OutputArguments) {
    self.init(folder: output.path, stem: output.stem, overwrite: output.force, durable: output.durable)
  }
}

extension PairMaker.Identifier {
  init(_ wish: PairArguments.Identifier) {
    switch wish {
    case .new: self = .new
    case .keep: self = .keep
    case .given(let identifier): self = .given(identifier)
    }
  }
}
