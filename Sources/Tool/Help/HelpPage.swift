/// The texts of `--help`, made from the table.
package enum HelpPage {
  private static let width = 80
  private static let column = 26

  /// The help of one command, or of the tool.
  package static func text(for name: CommandName?) -> String {
    name.flatMap(CommandTable.command).map(commandPage) ?? overview
  }

  /// What the tool is and which commands it has.
  private static var overview: String {
    var lines = ["livephoto - make, pair and check Live Photos", "", "Usage: livephoto COMMAND ...", "", "Commands:"]
    for command in CommandTable.commands {
      lines += entry(command.name.rawValue, command.summary + later(command.isLater), column: 15)
    }
    lines += ["", "Options:"]
    for option in CommandTable.toolOptions { lines += entry(option.usage, option.summary, column: 15) }
    lines += ["", "'livephoto COMMAND --help' tells more about a command."]
    return lines.joined(separator: "\n") + "\n"
  }

  private static func commandPage(_ command: CommandSpec) -> String {
    let summary = command.summary.prefix(1).uppercased() + command.summary.dropFirst() + later(command.isLater) + "."
    var lines = ["Usage: \(command.usage)", "", summary]
    for paragraph in command.details { lines += [""] + wrap(paragraph, to: width) }
    if !command.operands.isEmpty {
      lines += ["", "Operands:"]
      for operand in command.operands { lines += entry(operand.placeholder, operand.summary) }
    }
    lines += ["", "Options:"]
    for option in command.options { lines += entry(option.usage, option.summary + remark(on: option)) }
    if !command.examples.isEmpty {
      lines += ["", "Examples:"]
      for example in command.examples { lines += ["  \(example.line)", "      \(example.purpose)"] }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// What is not there yet of an option.
  static func remark(on option: OptionSpec) -> String { later(option.isLater) }

  static func later(_ isLater: Bool) -> String { isLater ? " (not in this version)" : "" }

  /// A name and, in a column beside it, what it means.
  private static func entry(_ name: String, _ meaning: String, column: Int = column) -> [String] {
    let lines = wrap(meaning, to: width - column)
    let margin = String(repeating: " ", count: column)
    let indented = lines.map { margin + $0 }
    guard name.count + 4 <= column, let first = lines.first else { return ["  " + name] + indented }
    let head = "  " + name + String(repeating: " ", count: column - name.count - 2) + first
    return [head] + indented.dropFirst()
  }

  /// Breaks a text between words.
  static func wrap(_ text: String, to width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      if !line.isEmpty, line.count + 1 + word.count > width {
        lines.append(line)
        line = ""
      }
      line += line.isEmpty ? String(word) : " " + word
    }
    return lines + [line]
  }
}
