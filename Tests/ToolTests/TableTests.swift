import Foundation
import TestSupport
import Testing
import livephoto

@Suite struct TableTests {
  @Test func everyCommandAndOptionIsInTheTableOnce() {
    #expect(Set(CommandTable.commands.map(\.name)) == Set(CommandName.allCases))
    #expect(CommandTable.commands.count == CommandName.allCases.count)
    let used = Set((CommandTable.commands.flatMap(\.options) + CommandTable.toolOptions).map(\.name))
    #expect(used == Set(OptionName.allCases))
  }

  @Test(arguments: CommandTable.commands.map(\.name))
  func optionsOfACommandAreDistinct(name: CommandName) throws {
    let options = try #require(CommandTable.command(name)).options
    #expect(Set(options.map(\.name)).count == options.count)
    let letters = options.compactMap(\.short)
    #expect(Set(letters).count == letters.count)
    for option in options { #expect(!option.summary.hasSuffix(".") && option.summary.first?.isLowercase == true) }
  }

  @Test(arguments: CommandTable.commands.map(\.name))
  func helpNamesEverythingInEightyColumns(name: CommandName) throws {
    let command = try #require(CommandTable.command(name))
    let help = HelpPage.text(for: name)
    #expect(help.hasPrefix("Usage: livephoto \(name.rawValue)"))
    for option in command.options { #expect(help.contains(option.usage)) }
    for operand in command.operands { #expect(help.contains(operand.placeholder)) }
    for line in help.split(separator: "\n") where !line.hasPrefix("Usage:") {
      #expect(line.count <= 80, "\(line)")
      #expect(!line.hasSuffix(" "))
    }
    #expect(HelpPage.text(for: nil).contains("  \(name.rawValue) "))
  }

  @Test(arguments: CommandTable.commands.flatMap(\.examples).map(\.line).filter { $0.hasPrefix("livephoto") })
  func examplesAreUnderstood(line: String) {
    let words = line.prefix { $0 != ">" }.split(separator: " ").dropFirst().map(String.init)
    #expect(throws: Never.self) { try Invocation(words) }
  }

  @Test func theManualNamesEverything() {
    let manual = ManualPage.text.replacing("\\-", with: "-")
    for command in CommandTable.commands {
      #expect(manual.contains("LIVEPHOTO \(command.name.rawValue.uppercased())"))
      for option in command.options { #expect(manual.contains("\\fB\(option.long)\\fR")) }
    }
    for line in ManualPage.text.split(separator: "\n") where line.hasPrefix(".") {
      #expect(line.contains(#/^\.(TH|SH|TP|PP|B|br|nf|fi)\b/#), "\(line)")
    }
    #expect(!ManualPage.text.contains("\n'"))
  }

  @Test(.enabled(if: findProgram("groff") != nil, "groff is not installed"))
  func groffReadsTheManualWithoutAWarning() throws {
    let result = try run("groff", ["-man", "-Tutf8", "-ww", "-z"], input: Array(ManualPage.text.utf8))
    #expect(result.status == 0)
    #expect(result.errorText == "")
  }
}
