/// The manual page in roff, made from the table.
package enum ManualPage {
  /// The page; `livephoto man > livephoto.1` makes a file of it.
  package static var text: String {
    var lines = [
      ".TH LIVEPHOTO 1 \"\" \"livephoto \(toolVersion)\" \"User Commands\"",
      ".SH NAME", "livephoto \\- make, pair and check Live Photos",
      ".SH SYNOPSIS", ".nf",
    ]
    lines += CommandTable.commands.map { "\\fB" + escape($0.usage) + "\\fR" }
    lines += [
      ".fi", ".SH DESCRIPTION",
      "A Live Photo is a still picture and a short movie that carry one identifier.",
      "\\fBlivephoto\\fR makes such pairs from clips, ties photos to movies, and says what is wrong with pairs.",
    ]
    for command in CommandTable.commands { lines += section(command) }
    lines += [
      ".SH EXIT STATUS",
      ".TP", ".B 0", "The work is done.",
      ".TP", ".B 1", "The work failed, or \\fBverify\\fR found errors (with \\fB\\-\\-strict\\fR, warnings too).",
      ".TP", ".B 2", "The command line was not understood, or asks for what this version does not have yet.",
    ]
    return lines.joined(separator: "\n") + "\n"
  }

  private static func section(_ command: CommandSpec) -> [String] {
    let title = "livephoto " + command.name.rawValue
    let summary = command.summary.prefix(1).uppercased() + command.summary.dropFirst()
    var lines = [".SH \"\(title.uppercased())\"", escape(summary + HelpPage.later(command.isLater) + ".")]
    for paragraph in command.details { lines += [".PP", escape(paragraph)] }
    for operand in command.operands {
      lines += [".TP", "\\fI\(escape(operand.placeholder))\\fR", escape(operand.summary) + "."]
    }
    for option in command.options {
      let names = ([option.short.map { "-\($0)" }, option.long].compactMap(\.self)).map { "\\fB\(escape($0))\\fR" }
      let value = option.value.map { " \\fI\(escape($0.placeholder))\\fR" } ?? ""
      lines += [
        ".TP", names.joined(separator: ", ") + value, escape(option.summary + HelpPage.remark(on: option)) + ".",
      ]
    }
    for example in command.examples {
      lines += [".PP", "Example:", ".br", "\\fB\(escape(example.line))\\fR", ".br", escape(example.purpose)]
    }
    return lines
  }

  /// Keeps roff from reading anything into the text.
  static func escape(_ text: String) -> String {
    var result = ""
    for character in text {
      switch character {
      case "\\": result += "\\e"
      case "-": result += "\\-"
      case "~": result += "\\(ti"
      case "^": result += "\\(ha"
      case "`": result += "\\(ga"
      case "'": result += "\\(aq"
      default: result.append(character)
      }
    }
    return result.hasPrefix(".") ? "\\&" + result : result
  }
}
