/// The words of a command line, sorted by the table: each option with its value, and the operands.
struct ParsedArguments {
  let command: CommandSpec
  private(set) var options: [OptionName: ArgumentValue?] = [:]
  private(set) var operands: [ArgumentValue] = []

  /// Whether an option is there.
  func has(_ name: OptionName) -> Bool { options[name] != nil }

  /// The value of an option; nil when it is not there or takes none.
  func value(_ name: OptionName) -> ArgumentValue? { options[name] ?? nil }
}

extension ParsedArguments {
  /// Sorts the words behind the command's name.
  init(_ words: ArraySlice<String>, of command: CommandSpec) throws(UsageError) {
    self.command = command
    var rest = words
    var texts: [String] = []
    while let word = rest.popFirst() {
      if word == "--" {
        texts += rest
        break
      }
      if word.count > 1, word.hasPrefix("-") {
        try takeOption(word, &rest)
      } else {
        texts.append(word)
      }
    }
    try takeOperands(texts)
    if let missing = command.options.first(where: { $0.isRequired && !has($0.name) }) {
      throw .missingOption(missing.shortUsage)
    }
  }

  /// Takes an option, and its value from the same word or the next.
  private mutating func takeOption(_ word: String, _ rest: inout ArraySlice<String>) throws(UsageError) {
    let (written, attached) = Self.split(word)
    guard let option = command.option(written) else {
      let known = command.options.map(\.long)
      throw .unknownOption(written, suggestion: Suggestion.nearest(to: written, among: known))
    }
    if option.isLater { throw .notInThisVersion(option.long) }
    guard !has(option.name) else { throw .repeatedOption(option.long) }
    guard let spec = option.value else {
      if let attached { throw .unexpectedValue(option: option.long, found: attached) }
      options[option.name] = .some(nil)
      return
    }
    let text: String
    if let attached { text = attached } else { text = try takeValue(of: option, spec, &rest) }
    guard let value = spec.kind.value(of: text) else {
      throw .invalidValue(option: option.long, found: text, expected: spec.kind.expected)
    }
    options[option.name] = value
  }

  private func takeValue(
    of option: OptionSpec, _ spec: ValueSpec, _ rest: inout ArraySlice<String>
  ) throws(UsageError) -> String {
    guard let next = rest.first, next != "--", command.option(Self.split(next).written) == nil else {
      throw .missingValue(option: option.long, found: rest.first, expected: spec.kind.expected)
    }
    rest.removeFirst()
    return next
  }

  /// `--name=value` and `-nvalue` in their two parts.
  private static func split(_ word: String) -> (written: String, attached: String?) {
    if word.hasPrefix("--") {
      guard let sign = word.firstIndex(of: "=") else { return (word, nil) }
      return (String(word[..<sign]), String(word[word.index(after: sign)...]))
    }
    let attached = word.dropFirst(2)
    return (String(word.prefix(2)), attached.isEmpty ? nil : String(attached))
  }

  /// Gives each operand its meaning.
  private mutating func takeOperands(_ texts: [String]) throws(UsageError) {
    var rest = texts[...]
    for spec in command.operands {
      if rest.isEmpty {
        if spec.count == .optional { break }
        throw .missingOperand(spec.placeholder, meaning: spec.summary)
      }
      let count = spec.count == .oneOrMore ? rest.count : 1
      for text in rest.prefix(count) {
        guard let value = spec.kind.value(of: text) else {
          throw .invalidValue(option: spec.placeholder, found: text, expected: spec.kind.expected)
        }
        operands.append(value)
      }
      rest = rest.dropFirst(count)
    }
    if let extra = rest.first { throw .extraOperand(extra, usage: command.usage) }
  }
}

extension CommandSpec {
  /// The option written as `--output` or `-o`.
  func option(_ written: String) -> OptionSpec? {
    options.first { $0.long == written || $0.short.map { "-\($0)" == written } ?? false }
  }
}
