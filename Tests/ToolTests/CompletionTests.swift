import Foundation
import TestSupport
import Testing
import livephoto

@Suite struct CompletionTests {
  @Test(arguments: Shell.allCases)
  func scriptsNameWhatThisVersionHas(shell: Shell) throws {
    let script = Completions.script(for: shell)
    for command in CommandTable.commands where !command.isLater {
      #expect(script.contains(command.name.rawValue))
      for option in command.options where !option.isLater { #expect(script.contains(option.name.rawValue)) }
    }
    #expect(!script.contains("svg"))
  }

  @Test(arguments: Shell.allCases.filter { findProgram($0.rawValue) != nil })
  func theShellReadsItsScript(shell: Shell) throws {
    let script = Completions.script(for: shell)
    let result = try run(shell.rawValue, ["-n"], input: Array(script.utf8))
    #expect(result.errorText == "")
    #expect(result.status == 0)
  }

  /// What bash offers for the last word of a line.
  func offered(_ line: String, in folder: String? = nil) throws -> [String] {
    let words = line.split(separator: " ", omittingEmptySubsequences: false).map { "'\($0)'" }
    let script =
      Completions.script(for: .bash)
        + """
        COMP_WORDS=(livephoto \(words.joined(separator: " "))); COMP_CWORD=\(words.count)
        _livephoto; printf '%s\\n' "${COMPREPLY[@]}"
        """
    let result = try run("bash", [], input: Array(script.utf8), folder: folder)
    #expect(result.errorText == "")
    return result.text.split(separator: "\n").map(String.init)
  }

  @Test func bashOffersWhatFits() throws {
    #expect(try offered("ma") == ["make", "man"])
    #expect(try offered("make --qu") == ["--quality", "--quiet"])
    #expect(try offered("make x --format ") == ["heic", "jpeg"])
    #expect(try offered("make x --still ") == ["encode", "copy"])
    #expect(try offered("pair x y --id k") == ["keep"])
    #expect(try offered("make x --duration f") == ["full"])
    #expect(try offered("remux x --trim ") == ["frame", "keyframe"])
    #expect(try offered("remux x --header f") == ["first"])
    #expect(try offered("decode x --item g") == ["gainmap"])
    #expect(try offered("completions ") == ["bash", "zsh", "fish"])
    #expect(try offered("make x --at ") == ["best"])
  }

  @Test func bashOffersFilesAndFolders() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: folder.path("a folder"), withIntermediateDirectories: false)
    _ = try folder.write([], as: "a clip.mov")
    #expect(try offered("make a", in: folder.root).sorted() == ["a clip.mov", "a folder"])
    #expect(try offered("make x -o a", in: folder.root) == ["a folder"])
  }
}
