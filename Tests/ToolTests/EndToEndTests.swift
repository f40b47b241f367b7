import Foundation
import TestSupport
import Testing

/// The built tool, run as people run it.
@Suite struct EndToEndTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The tool stands beside the tests.
  static let tool = URL(filePath: ProcessInfo.processInfo.arguments[0]).deletingLastPathComponent()
    .appending(path: "livephoto").path

  func livephoto(_ line: String) throws -> CommandResult {
    try run(Self.tool, line.split(separator: " ").map(String.init), folder: folder.root, timeout: 60)
  }

  @Test func helpAndVersionGoToStandardOutput() throws {
    for line in ["--help", "make --help", "help pair", "--version", "man", "completions bash"] {
      let result = try livephoto(line)
      #expect(result.status == 0, "\(line)")
      #expect(result.errorText == "")
      #expect(result.text.hasSuffix("\n"))
    }
    #expect(try livephoto("--version").text.hasPrefix("livephoto "))
  }

  @Test(arguments: [
    "", "mkae x", "make", "make a b", "make x --id 123", "pair a b --id nonsense", "make x --quality 0", "bench",
    "make x --at match", "make x --strip some", "make x --start 50%", "remux x", "remux x -o b.heic",
    "encode a -o b.webp", "decode a -o b.tiff", "--nonsense",
  ])
  func wrongUsageIsExitCode2(line: String) throws {
    let result = try livephoto(line)
    #expect(result.status == 2)
    #expect(result.text == "")
    #expect(result.errorText.hasPrefix("livephoto: error: "))
    #expect(try folder.names() == [])
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "there is no /dev/full"))
  func outputThatCannotBeWrittenIsAFailure() throws {
    let result = try run("/bin/sh", ["-c", "'\(Self.tool)' --help > /dev/full"])
    #expect(result.status == 1)
    #expect(result.errorText == "livephoto: error: standard output cannot be written to; check where it goes\n")
  }

  @Test(arguments: [
    "make text", "make empty", "make missing", "make .", "make picture", "pair text picture", "pair picture missing",
    "pair picture picture", "verify empty text", "verify picture picture", "inspect text", "inspect missing",
    "remux text -o out.mov", "remux missing -o out.mp4", "remux empty -o out.mp4", "encode text -o out.heic",
    "encode missing -o out.jpg", "decode text -o out.ppm", "decode empty -o out.y4m",
  ])
  func badInputIsExitCode1InOneLineAndLeavesNoFile(line: String) throws {
    _ = try folder.write(Array("this is a text\n".utf8), as: "text")
    _ = try folder.write([], as: "empty")
    _ = try folder.write(Array("P6 1 1 255\nabc".utf8), as: "picture")
    let result = try livephoto(line)
    #expect(result.status == 1, "\(result.errorText)")
    #expect(result.text == "")
    #expect(result.errorText.split(separator: "\n").count == 1, "\(result.errorText)")
    #expect(result.errorText.hasPrefix("livephoto: error: "))
    #expect(try folder.names() == ["empty", "picture", "text"])
  }
}
