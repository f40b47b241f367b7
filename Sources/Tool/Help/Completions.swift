/// Completions for shells, made from the table.
package enum Completions {
  /// The script for a shell.
  package static func script(for shell: Shell) -> String {
    let lines =
      switch shell {
      case .bash: bash
      case .zsh: zsh
      case .fish: fish
      }
    return lines.joined(separator: "\n") + "\n"
  }

  // MARK: bash

  private static var bash: [String] {
    var lines = [
      "# livephoto completions for bash",
      "_livephoto() {",
      "  local current=\"${COMP_WORDS[COMP_CWORD]}\" previous=\"${COMP_WORDS[COMP_CWORD-1]}\"",
      "  COMPREPLY=()",
      "  if [ \"$COMP_CWORD\" -eq 1 ]; then",
      "    COMPREPLY=($(compgen -W \"\(toolWords.joined(separator: " "))\" -- \"$current\"))",
      "    return",
      "  fi",
      "  local options='' words=''",
      "  case \"${COMP_WORDS[1]}\" in",
    ]
    for command in available {
      lines.append("    \(command.name.rawValue))")
      let options = command.availableOptions
      lines.append("      options=\"\(options.map(\.long).joined(separator: " "))\"")
      lines.append("      case \"$previous\" in")
      for option in options {
        guard let value = option.value else { continue }
        let names = ([option.long] + (option.short.map { ["-\($0)"] } ?? [])).joined(separator: "|")
        lines.append("        \(names)) \(bashAction(value)) ;;")
      }
      lines.append("      esac")
      let words = command.operands.flatMap(\.kind.words)
      if !words.isEmpty { lines.append("      words=\"\(words.joined(separator: " "))\"") }
      lines.append("      ;;")
    }
    return lines + [
      "  esac",
      "  case \"$current\" in",
      "    -*) COMPREPLY=($(compgen -W \"$options\" -- \"$current\")) ;;",
      "    *)",
      "      if [ -n \"$words\" ]; then",
      "        COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))",
      "      else",
      "        compopt -o filenames 2>/dev/null",
      "        mapfile -t COMPREPLY < <(compgen -f -- \"$current\")",
      "      fi ;;",
      "  esac",
      "}",
      "complete -F _livephoto livephoto",
    ]
  }

  private static func bashAction(_ value: ValueSpec) -> String {
    let list =
      switch value.kind {
      case .folder: "compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -d -- \"$current\")"
      case .file, .output: "compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -f -- \"$current\")"
      default: "COMPREPLY=($(compgen -W \"\(value.offered.joined(separator: " "))\" -- \"$current\"))"
      }
    return list + "; return"
  }

  // MARK: zsh

  private static var zsh: [String] {
    var lines = [
      "#compdef livephoto",
      "_livephoto() {",
      "  local state line",
      "  typeset -A opt_args",
      "  if (( CURRENT == 2 )); then",
      "    local -a commands",
      "    commands=(",
    ]
    for command in available {
      lines.append("      \(quote(command.name.rawValue + ":" + command.summary))")
    }
    lines += [
      "    )",
      "    _describe command commands",
      "    return",
      "  fi",
      "  local command=$words[2]",
      "  shift words",
      "  (( CURRENT -= 1 ))",
      "  case $command in",
    ]
    for command in available {
      let options = command.availableOptions.flatMap(zshOption)
      let operands = command.operands.map(zshOperand)
      lines.append("    \(command.name.rawValue))")
      lines.append("      _arguments \(([ "-s"] + options + operands).joined(separator: " \\\n        ")) ;;")
    }
    return lines + [
      "  esac", "}",
      "if [ \"$funcstack[1]\" = _livephoto ]; then _livephoto \"$@\"; else compdef _livephoto livephoto; fi",
    ]
  }

  private static func zshOption(_ option: OptionSpec) -> [String] {
    let names = [option.long] + (option.short.map { ["-\($0)"] } ?? [])
    let action = option.value.map { ":\(zshText($0.placeholder)):\(zshAction($0.kind, $0.offered))" } ?? ""
    return names.map { name in
      let others = names.count > 1 ? "(\(names.joined(separator: " ")))" : ""
      let sign = option.value != nil && name.hasPrefix("--") ? "=" : ""
      return quote("\(others)\(name)\(sign)[\(zshText(option.summary))]\(action)")
    }
  }

  private static func zshOperand(_ operand: OperandSpec) -> String {
    let start =
      switch operand.count {
      case .one: ":"
      case .optional: "::"
      case .oneOrMore: "*:"
      }
    return quote("\(start)\(zshText(operand.placeholder)):\(zshAction(operand.kind, operand.kind.words))")
  }

  private static func zshAction(_ kind: ValueKind, _ words: [String]) -> String {
    switch kind {
    case .folder: "_files -/"
    case .file, .output: "_files"
    default: words.isEmpty ? " " : "(\(words.joined(separator: " ")))"
    }
  }

  /// Colons and brackets mean something to `_arguments`.
  private static func zshText(_ text: String) -> String {
    text.map { ":[]\\".contains($0) ? "\\\($0)" : String($0) }.joined()
  }

  // MARK: fish

  private static var fish: [String] {
    var lines = ["# livephoto completions for fish", "complete -c livephoto -f"]
    for option in CommandTable.toolOptions {
      lines.append(
        "complete -c livephoto -n __fish_use_subcommand -l \(option.name.rawValue) -d \(quote(option.summary))")
    }
    for command in available {
      let name = command.name.rawValue
      lines.append("complete -c livephoto -n __fish_use_subcommand -a \(name) -d \(quote(command.summary))")
      let condition = "complete -c livephoto -n '__fish_seen_subcommand_from \(name)'"
      for operand in command.operands {
        let words = operand.kind.words
        lines.append(condition + (words.isEmpty ? " -F" : " -a \(quote(words.joined(separator: " ")))"))
      }
      for option in command.availableOptions {
        let short = option.short.map { " -s \($0)" } ?? ""
        let value = option.value.map(fishValue) ?? ""
        lines.append("\(condition) -l \(option.name.rawValue)\(short)\(value) -d \(quote(option.summary))")
      }
    }
    return lines
  }

  private static func fishValue(_ value: ValueSpec) -> String {
    switch value.kind {
    case .folder: " -x -a '(__fish_complete_directories)'"
    case .file, .output: " -r -F"
    default: " -x" + (value.offered.isEmpty ? "" : " -a \(quote(value.offered.joined(separator: " ")))")
    }
  }

  // MARK: Shared

  private static var available: [CommandSpec] { CommandTable.commands.filter { !$0.isLater } }

  private static var toolWords: [String] {
    available.map(\.name.rawValue) + CommandTable.toolOptions.map(\.long)
  }

  /// A word in single quotes, as all three shells read them.
  private static func quote(_ text: String) -> String {
    "'" + text.map { $0 == "'" ? "'\\''" : String($0) }.joined() + "'"
  }
}

extension CommandSpec {
  /// The options that this version has.
  fileprivate var availableOptions: [OptionSpec] { options.filter { !$0.isLater } }
}

extension ValueSpec {
  /// The words to be offered: those that this version takes.
  fileprivate var offered: [String] { kind.words }
}
