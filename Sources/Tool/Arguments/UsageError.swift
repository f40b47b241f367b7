/// Why a command line was not understood: exit code 2.
package enum UsageError: Error, Equatable, Sendable {
  /// There is no command at all.
  case noCommand
  /// There is no command of this name.
  case unknownCommand(String, suggestion: String?)
  /// The command has no such option.
  case unknownOption(String, suggestion: String?)
  /// An option stands before the command.
  case optionBeforeCommand(String)
  /// An option is the last word, or another option follows it.
  case missingValue(option: String, found: String?, expected: String)
  /// A value is given to an option that takes none.
  case unexpectedValue(option: String, found: String)
  /// A value or operand is not what it may be.
  case invalidValue(option: String, found: String, expected: String)
  /// An option is there twice.
  case repeatedOption(String)
  /// An option that the command needs is not there.
  case missingOption(String)
  /// An operand is missing.
  case missingOperand(String, meaning: String)
  /// There are too many operands.
  case extraOperand(String, usage: String)
  /// Two options exclude each other.
  case conflict(String, String)
  /// An option means something only beside another.
  case without(String, String)
  /// This version does not have it yet.
  case notInThisVersion(String)
}

extension UsageError: CustomStringConvertible {
  /// What is wrong, what was found and what is expected, in one line.
  package var description: String {
    switch self {
    case .noCommand: "no command is given"
    case .unknownCommand(let name, let suggestion):
      "there is no command '\(name)'" + Self.hint(suggestion)
    case .unknownOption(let name, let suggestion): "there is no option \(name)" + Self.hint(suggestion)
    case .optionBeforeCommand(let name): "\(name) stands before the command; options go behind it"
    case .missingValue(let option, nil, let expected): "\(option) needs a value: \(expected)"
    case .missingValue(let option, let found?, let expected):
      "\(option) needs a value, found the option \(found), expected \(expected)"
    case .unexpectedValue(let option, let found): "\(option) takes no value, found '\(found)'"
    case .invalidValue(let option, let found, let expected): "\(option): found '\(found)', expected \(expected)"
    case .repeatedOption(let option): "\(option) is given twice"
    case .missingOption(let usage): "\(usage) is missing"
    case .missingOperand(let name, let meaning): "\(name) is missing: \(meaning)"
    case .extraOperand(let found, let usage): "'\(found)' is one operand too many, expected \(usage)"
    case .conflict(let first, let second): "\(first) and \(second) exclude each other"
    case .without(let option, let other): "\(option) means nothing without \(other)"
    case .notInThisVersion(let feature): "\(feature) is not in this version"
    }
  }

  private static func hint(_ suggestion: String?) -> String { suggestion.map { "; did you mean \($0)?" } ?? "" }
}

/// Finds the known word that was probably meant.
enum Suggestion {
  /// The word nearest to `word`; nil when none is near enough to be a slip of the fingers.
  static func nearest(to word: String, among words: [String]) -> String? {
    let allowed = max(1, word.count / 3)
    let near = words.map { (word: $0, distance: distance(word, $0)) }.filter { $0.distance <= allowed }
    if let best = near.min(by: { $0.distance < $1.distance }) { return best.word }
    let longer = words.filter { word.count >= 3 && $0.hasPrefix(word) }
    return longer.count == 1 ? longer.first : nil
  }

  /// How many letters have to be put in, left out, replaced, or exchanged with their neighbour.
  static func distance(_ a: String, _ b: String) -> Int {
    let a = Array(a.prefix(64)), b = Array(b.prefix(64))
    var beforeLast: [Int] = []
    var last = Array(0...b.count)
    for i in a.indices {
      var row = [i + 1]
      for j in b.indices {
        var best = min(last[j] + (a[i] == b[j] ? 0 : 1), last[j + 1] + 1, row[j] + 1)
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { best = min(best, beforeLast[j - 1] + 1) }
        row.append(best)
      }
      beforeLast = last
      last = row
    }
    return last[b.count]
  }
}
