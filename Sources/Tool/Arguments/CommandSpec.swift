/// One command as the table describes it: parsing, help, manual and completions are all made from this.
package struct CommandSpec: Sendable {
  /// The word that chooses the command.
  package let name: CommandName
  /// What it does, in one line.
  package let summary: String
  /// What else there is to know, in paragraphs.
  package let details: [String]
  /// What it works on, in order.
  package let operands: [OperandSpec]
  /// Its own options; those of ``commonOptions`` come on top.
  package let options: [OptionSpec]
  /// Lines to try.
  package let examples: [Example]
  /// Whether this version only knows the command's name.
  package let isLater: Bool

  /// A command line and what it is for.
  package struct Example: Sendable {
    package let line: String
    package let purpose: String
  }

  init(
    _ name: CommandName, _ summary: String, details: [String] = [], operands: [OperandSpec] = [],
    options: [OptionSpec] = [], examples: [Example] = [], isLater: Bool = false
  ) {
    self.name = name
    self.summary = summary
    self.details = details
    self.operands = operands
    self.options = options + Self.commonOptions
    self.examples = examples
    self.isLater = isLater
  }

  /// Options of every command.
  static let commonOptions = [OptionSpec(.help, short: "h", "show this help")]

  /// The command line in short: `livephoto pair PHOTO VIDEO [options]`.
  package var usage: String {
    let operands = operands.map { " " + $0.usage }.joined()
    let needed = options.filter(\.isRequired).map { " " + $0.shortUsage }.joined()
    return "livephoto \(name.rawValue)\(operands)\(needed) [options]"
  }
}

/// Something that a command works on.
package struct OperandSpec: Sendable {
  /// The word that stands for it, such as `VIDEO`.
  package let placeholder: String
  /// What it is.
  package let summary: String
  /// What it may be.
  package let kind: ValueKind
  /// How many there may be.
  package let count: Count

  /// How many operands of a kind there are.
  package enum Count: Sendable {
    case one
    case optional
    case oneOrMore
  }

  init(_ placeholder: String, _ summary: String, _ kind: ValueKind = .file, count: Count = .one) {
    self.placeholder = placeholder
    self.summary = summary
    self.kind = kind
    self.count = count
  }

  var usage: String {
    switch count {
    case .one: placeholder
    case .optional: "[\(placeholder)]"
    case .oneOrMore: "\(placeholder)..."
    }
  }
}

/// An option of a command.
package struct OptionSpec: Sendable {
  /// The long name, without its dashes.
  package let name: OptionName
  /// The letter of the short form.
  package let short: Character?
  /// What is to follow; nil for an option that is only there or not.
  package let value: ValueSpec?
  /// What it does, in one line.
  package let summary: String
  /// Whether the command cannot do without.
  package let isRequired: Bool
  /// Whether this version only knows the option's name.
  package let isLater: Bool

  init(
    _ name: OptionName, short: Character? = nil, taking value: ValueSpec? = nil, _ summary: String,
    isRequired: Bool = false, isLater: Bool = false
  ) {
    self.name = name
    self.short = short
    self.value = value
    self.summary = summary
    self.isRequired = isRequired
    self.isLater = isLater
  }

  /// The long form, `--output`.
  package var long: String { "--" + name.rawValue }

  /// The shortest form and the value: `-o DIR`.
  package var shortUsage: String {
    let name = short.map { "-\($0)" } ?? long
    return value.map { "\(name) \($0.placeholder)" } ?? name
  }

  /// All forms and the value: `-o, --output DIR`.
  package var usage: String {
    let names = short.map { "-\($0), \(long)" } ?? long
    return value.map { "\(names) \($0.placeholder)" } ?? names
  }
}

/// The value of an option.
package struct ValueSpec: Sendable {
  /// The word that stands for it in help, such as `1-100`.
  package let placeholder: String
  /// What it may be.
  package let kind: ValueKind

  init(_ placeholder: String, _ kind: ValueKind) {
    self.placeholder = placeholder
    self.kind = kind
  }
}

/// What the text of a value or operand may be.
package enum ValueKind: Sendable {
  /// The path of a file that exists or is to be made.
  case file
  /// The path of a folder.
  case folder
  /// The path of a file to be made whose extension says its format.
  case output([OutputFormat])
  /// A file name without folder and extension.
  case stem
  /// A whole number.
  case number(ClosedRange<Int>)
  /// One of some words.
  case choice([String])
  /// A moment of a clip: a time, a percentage of its length, or one of some words.
  case moment(words: [String])
  /// A time or a duration in seconds, or one of some words.
  case time(words: [String])
  /// A UUID, or one of some words.
  case identifier(words: [String])
  /// The side of a tile in pixels, or `none`.
  case tile
  /// A part of a HEIF file: its role or its number.
  case item
}

/// The words that choose a command.
package enum CommandName: String, CaseIterable, Sendable {
  case make, pair, remux, verify, inspect, encode, decode, bench, demo, completions, man, help
}

/// The long names of all options.
package enum OptionName: String, CaseIterable, Sendable {
  case asCoded = "as-coded"
  case at
  case boxes
  case durable
  case duration
  case force
  case format
  case header
  case help
  case id
  case inPlace = "in-place"
  case interleave
  case item
  case json
  case keepMakerNote = "keep-makernote"
  case lossless
  case name
  case optimize
  case output
  case photo
  case preset
  case quality
  case quiet
  case start
  case still
  case strict
  case strip
  case subsampling
  case svg
  case threads
  case tile
  case tolerance
  case trim
  case upright
  case version
}

/// The formats of pictures and clips that `encode`, `decode` and `remux` write, chosen by a file's extension.
package enum OutputFormat: String, CaseIterable, Sendable {
  case heic, jpeg, ppm, pam, y4m, png, mov, mp4

  /// The extensions that choose the format, without their dots.
  package var extensions: [String] {
    switch self {
    case .heic: ["heic", "heif"]
    case .jpeg: ["jpg", "jpeg"]
    case .mov: ["mov", "qt"]
    case .mp4: ["mp4", "m4v"]
    default: [rawValue]
    }
  }

  /// The format that a path's extension chooses, in either case.
  package init?(path: String) {
    guard let dot = path.lastIndex(of: "."), path.lastIndex(of: "/").map({ $0 < dot }) ?? true else { return nil }
    let ending = path[path.index(after: dot)...].lowercased()
    guard let format = Self.allCases.first(where: { $0.extensions.contains(ending) }) else { return nil }
    self = format
  }
}
