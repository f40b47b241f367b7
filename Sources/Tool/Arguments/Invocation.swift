package import LivePhotoCore

/// What the tool is asked to do.
package enum Invocation: Equatable, Sendable {
  case make(MakeArguments)
  case pair(PairArguments)
  case remux(RemuxArguments)
  case verify(VerifyArguments)
  case inspect(InspectArguments)
  case encode(EncodeArguments)
  case decode(DecodeArguments)
  case demo(DemoArguments)
  case completions(Shell)
  case man
  /// The help of a command, or of the tool.
  case help(CommandName?)
  case version
}

/// Where files go and what may be replaced.
package struct OutputArguments: Equatable, Sendable {
  /// The folder, or for `encode` and `decode` the file.
  package var path = "."
  package var stem: String?
  package var force = false
  package var durable = false
}

/// How results are told.
package struct ReportArguments: Equatable, Sendable {
  package var json = false
  package var quiet = false
}

/// The format of a still.
package enum StillCoding: String, Equatable, Sendable {
  case heic, jpeg
}

/// How much work goes into a HEIC.
package enum StillEffort: String, CaseIterable, Equatable, Sendable {
  case ultrafast, veryfast, medium, slow
}

/// What stands behind `livephoto make`.
package struct MakeArguments: Equatable, Sendable {
  package var video: String
  package var photo: String?
  package var moment: MomentArgument?
  package var cut = CutArguments()
  package var format = StillCoding.heic
  package var quality: Int?
  package var preset: StillEffort?
  package var tile: TileArgument?
  /// How far a key frame may be whose bytes are copied; nil where the frame is encoded.
  package var copyTolerance: RationalTime?
  /// The options that are given and say how a still is coded: `--quality` and so on.
  package var codingOptions: [String] = []
  package var identifier: ContentIdentifier?
  package var strips: MetadataStripping?
  package var threads: Int?
  package var output = OutputArguments()
  package var report = ReportArguments()
}

/// Which part of a movie is kept.
package struct CutArguments: Equatable, Sendable {
  package var start: RationalTime?
  package var duration: Duration?
  package var isAtKeyFrames = false

  package init(start: RationalTime? = nil, duration: Duration? = nil, isAtKeyFrames: Bool = false) {
    self.start = start
    self.duration = duration
    self.isAtKeyFrames = isAtKeyFrames
  }

  /// How much is kept.
  package enum Duration: Equatable, Sendable {
    case full
    case time(RationalTime)
  }
}

/// What stands behind `livephoto remux`.
package struct RemuxArguments: Equatable, Sendable {
  package var movie: String
  package var format: OutputFormat
  package var cut = CutArguments()
  /// Whether the header comes before the media; nil leaves it where it is.
  package var isHeaderFirst: Bool?
  package var interleaving: RationalTime?
  package var output = OutputArguments()
  package var report = ReportArguments()
}

/// What stands behind `livephoto pair`.
package struct PairArguments: Equatable, Sendable {
  package var photo: String
  package var video: String
  package var moment: MomentArgument?
  package var identifier = Identifier.new
  package var keepsMakerNote = false
  package var isInPlace = false
  package var strips: MetadataStripping?
  package var output = OutputArguments()
  package var report = ReportArguments()

  /// Which identifier a pair gets.
  package enum Identifier: Equatable, Sendable {
    case new
    case keep
    case given(ContentIdentifier)
  }
}

/// What stands behind `livephoto verify`.
package struct VerifyArguments: Equatable, Sendable {
  package var photo: String
  package var video: String
  package var isStrict = false
  package var report = ReportArguments()
}

/// What stands behind `livephoto inspect`.
package struct InspectArguments: Equatable, Sendable {
  package var files: [String]
  package var showsBoxes = false
  package var report = ReportArguments()
}

/// What stands behind `livephoto encode`.
package struct EncodeArguments: Equatable, Sendable {
  package var input: String
  package var format: OutputFormat
  package var quality: Int?
  package var isLossless = false
  package var preset: StillEffort?
  package var tile: TileArgument?
  /// The chroma of a JPEG, by its word.
  package var subsampling: String?
  package var optimizes = false
  package var strips: MetadataStripping?
  package var threads: Int?
  package var output = OutputArguments()
  package var report = ReportArguments()
}

/// What stands behind `livephoto decode`.
package struct DecodeArguments: Equatable, Sendable {
  package var input: String
  package var format: OutputFormat
  package var item = ItemArgument.primary
  /// Whether it is turned and cropped as it is to be shown; nil by what is written: pixels are, planes are not.
  package var isUpright: Bool?
  package var threads: Int?
  package var output = OutputArguments()
  package var report = ReportArguments()
}

/// What stands behind `livephoto demo`.
package struct DemoArguments: Equatable, Sendable {
  package var output = OutputArguments(path: "livephoto-demo")
  package var report = ReportArguments()
}

// MARK: From words

extension Invocation {
  /// What the words behind the tool's name ask for.
  ///
  /// - Throws: ``UsageError`` when they cannot be understood.
  package init(_ words: [String]) throws(UsageError) {
    guard let first = words.first else { throw .noCommand }
    switch first {
    case "--help", "-h": self = .help(nil)
    case "--version": self = .version
    case _ where first.hasPrefix("-"):
      let known = CommandTable.toolOptions.map(\.long)
      if let suggestion = Suggestion.nearest(to: first, among: known) {
        throw .unknownOption(first, suggestion: suggestion)
      }
      throw .optionBeforeCommand(first)
    default:
      guard let name = CommandName(rawValue: first), let command = CommandTable.command(name) else {
        let known = CommandName.allCases.map(\.rawValue)
        throw .unknownCommand(first, suggestion: Suggestion.nearest(to: first, among: known))
      }
      let rest = words.dropFirst()
      // Who asks for help gets it, whatever else is on the line.
      if rest.prefix(while: { $0 != "--" }).contains(where: { $0 == "--help" || $0 == "-h" }) {
        self = .help(name)
      } else if command.isLater {
        throw .notInThisVersion("the command \(name.rawValue)")
      } else {
        try self.init(ParsedArguments(rest, of: command))
      }
    }
  }

  private init(_ parsed: ParsedArguments) throws(UsageError) {
    switch parsed.command.name {
    case .make: self = .make(try MakeArguments(parsed))
    case .pair: self = .pair(try PairArguments(parsed))
    case .remux: self = .remux(try RemuxArguments(parsed))
    case .verify:
      self = .verify(
        VerifyArguments(
          photo: parsed.operand(0), video: parsed.operand(1), isStrict: parsed.has(.strict), report: parsed.report))
    case .inspect:
      self = .inspect(
        InspectArguments(files: parsed.files, showsBoxes: parsed.has(.boxes), report: parsed.report))
    case .encode: self = .encode(try EncodeArguments(parsed))
    case .decode: self = .decode(try DecodeArguments(parsed))
    case .demo:
      var demo = DemoArguments(report: parsed.report)
      demo.output = parsed.output(default: demo.output.path)
      self = .demo(demo)
    case .completions: self = .completions(Shell(rawValue: parsed.operand(0)) ?? .bash)
    case .man: self = .man
    case .help: self = .help(CommandName(rawValue: parsed.operand(0)))
    case .bench: throw .notInThisVersion("the command bench")
    }
  }
}

extension MakeArguments {
  init(_ parsed: ParsedArguments) throws(UsageError) {
    self.init(video: parsed.operand(0), photo: parsed.text(.photo), moment: parsed.moment, cut: try parsed.cut)
    if let format = parsed.text(.format).flatMap(StillCoding.init(rawValue:)) { self.format = format }
    for option in [OptionName.preset, .tile] where format == .jpeg && parsed.has(option) {
      throw .conflict("--\(option.rawValue)", "--format jpeg")
    }
    if parsed.text(.still) == "copy" {
      for option in [OptionName.quality, .preset, .tile] where parsed.has(option) {
        throw .conflict("--\(option.rawValue)", "--still copy")
      }
      if format == .jpeg { throw .conflict("--format jpeg", "--still copy") }
      copyTolerance = parsed.time(.tolerance) ?? .zero
    } else if parsed.has(.tolerance) {
      throw .without("--tolerance", "--still copy")
    }
    quality = parsed.number(.quality)
    preset = parsed.effort
    tile = parsed.tile
    codingOptions = [OptionName.format, .quality, .preset, .tile, .still, .tolerance].filter(parsed.has).map {
      "--\($0.rawValue)"
    }
    if case .identifier(let given) = parsed.value(.id) { identifier = given }
    strips = parsed.stripping
    threads = parsed.number(.threads)
    output = parsed.output(default: ".")
    report = parsed.report
  }
}

extension RemuxArguments {
  init(_ parsed: ParsedArguments) throws(UsageError) {
    let output = parsed.output(default: "")
    self.init(movie: parsed.operand(0), format: try parsed.outputFormat(of: output.path), cut: try parsed.cut)
    isHeaderFirst = parsed.text(.header).map { $0 == "first" }
    interleaving = try parsed.positiveTime(.interleave)
    self.output = output
    report = parsed.report
  }
}

extension PairArguments {
  init(_ parsed: ParsedArguments) throws(UsageError) {
    for option in [OptionName.output, .name, .force, .strip] where parsed.has(.inPlace) && parsed.has(option) {
      throw .conflict("--\(option.rawValue)", "--in-place")
    }
    self.init(photo: parsed.operand(0), video: parsed.operand(1), moment: parsed.moment)
    switch parsed.value(.id) {
    case .identifier(let given): identifier = .given(given)
    case .text: identifier = .keep
    default: identifier = .new
    }
    keepsMakerNote = parsed.has(.keepMakerNote)
    isInPlace = parsed.has(.inPlace)
    strips = parsed.stripping
    if keepsMakerNote, strips != nil { throw .conflict("--keep-makernote", "--strip") }
    output = parsed.output(default: ".")
    report = parsed.report
  }
}

extension EncodeArguments {
  init(_ parsed: ParsedArguments) throws(UsageError) {
    let output = parsed.output(default: "")
    self.init(input: parsed.operand(0), format: try parsed.outputFormat(of: output.path))
    for option in [OptionName.tile, .preset, .lossless] where format != .heic && parsed.has(option) {
      throw .conflict("--\(option.rawValue)", "a JPEG file")
    }
    for option in [OptionName.subsampling, .optimize] where format != .jpeg && parsed.has(option) {
      throw .conflict("--\(option.rawValue)", "a HEIC file")
    }
    if parsed.has(.lossless), parsed.has(.quality) { throw .conflict("--lossless", "--quality") }
    quality = parsed.number(.quality)
    isLossless = parsed.has(.lossless)
    preset = parsed.effort
    tile = parsed.tile
    subsampling = parsed.text(.subsampling)
    optimizes = parsed.has(.optimize)
    strips = parsed.stripping
    threads = parsed.number(.threads)
    self.output = output
    report = parsed.report
  }
}

extension DecodeArguments {
  init(_ parsed: ParsedArguments) throws(UsageError) {
    if parsed.has(.asCoded), parsed.has(.upright) { throw .conflict("--as-coded", "--upright") }
    let output = parsed.output(default: "")
    self.init(input: parsed.operand(0), format: try parsed.outputFormat(of: output.path))
    if case .item(let item) = parsed.value(.item) { self.item = item }
    isUpright = parsed.has(.asCoded) ? false : parsed.has(.upright) ? true : nil
    threads = parsed.number(.threads)
    self.output = output
    report = parsed.report
  }
}

extension ParsedArguments {
  /// The operands as texts.
  fileprivate var files: [String] {
    operands.compactMap { if case .text(let text) = $0 { text } else { nil } }
  }

  /// The text of an operand that is there.
  fileprivate func operand(_ index: Int) -> String { index < files.count ? files[index] : "" }

  fileprivate func text(_ name: OptionName) -> String? {
    if case .text(let text) = value(name) { text } else { nil }
  }

  fileprivate func number(_ name: OptionName) -> Int? {
    if case .number(let number) = value(name) { number } else { nil }
  }

  fileprivate var moment: MomentArgument? {
    switch value(.at) {
    case .moment(let moment): moment
    case .text("best"): .best
    case .text: .match
    default: nil
    }
  }

  /// What is kept of a movie.
  fileprivate var cut: CutArguments {
    get throws(UsageError) {
      var cut = CutArguments(start: time(.start), isAtKeyFrames: text(.trim) == "keyframe")
      if has(.duration) {
        cut.duration = text(.duration) == nil ? try positiveTime(.duration).map { .time($0) } : .full
      }
      return cut
    }
  }

  fileprivate func time(_ name: OptionName) -> RationalTime? {
    if case .moment(.time(let time)) = value(name) { time } else { nil }
  }

  /// The time of an option, more than nothing.
  fileprivate func positiveTime(_ name: OptionName) throws(UsageError) -> RationalTime? {
    guard let time = time(name) else { return nil }
    guard time > .zero else {
      throw .invalidValue(option: "--\(name.rawValue)", found: "\(time.seconds)", expected: "more than 0 seconds")
    }
    return time
  }

  fileprivate var tile: TileArgument? { if case .tile(let tile) = value(.tile) { tile } else { nil } }

  fileprivate var effort: StillEffort? { text(.preset).flatMap(StillEffort.init(rawValue:)) }

  fileprivate var stripping: MetadataStripping? { text(.strip).flatMap(MetadataStripping.init(rawValue:)) }

  fileprivate var report: ReportArguments { ReportArguments(json: has(.json), quiet: has(.quiet)) }

  fileprivate func output(default path: String) -> OutputArguments {
    OutputArguments(
      path: text(.output) ?? path, stem: text(.name), force: has(.force), durable: has(.durable))
  }

  /// The format of a file to be written.
  fileprivate func outputFormat(of path: String) throws(UsageError) -> OutputFormat {
    guard let format = OutputFormat(path: path) else { throw .missingOption(OptionName.output.rawValue) }
    return format
  }
}
