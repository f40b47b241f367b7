import Foundation

/// Where and with what a run was made.
struct Machine: Encodable {
  let commit: String
  let cpu: String
  let cores: Int
  let compiler: String
  let system: String
  /// Programs that ran or waited for a processor, on average over the last minute, when the run began.
  let load: Double

  /// For the head of a table.
  var lines: [String] {
    [
      "commit    \(commit)", "cpu       \(cpu), \(cores) cores", "system    \(system)", "compiler  \(compiler)",
      "load      \(load.formatted(2)) in the minute before",
    ]
  }

  /// This machine; what cannot be found out is "unknown".
  static func current() -> Machine {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().path
    let commit = firstLine(of: ["git", "-C", root, "rev-parse", "--short", "HEAD"])
    let changed = firstLine(of: ["git", "-C", root, "status", "--porcelain"])
    return Machine(
      commit: (commit ?? "unknown") + (changed == nil ? "" : " with changes"),
      cpu: field("model name", of: "/proc/cpuinfo", separator: ":") ?? "unknown",
      cores: ProcessInfo.processInfo.activeProcessorCount,
      compiler: firstLine(of: ["swift", "--version"]) ?? "unknown",
      system: field("PRETTY_NAME", of: "/etc/os-release", separator: "=") ?? "unknown", load: currentLoad())
  }

  private static func currentLoad() -> Double {
    var load = 0.0
    // SAFETY: the function writes one number.
    return unsafe getloadavg(&load, 1) == 1 ? load : 0
  }

  private static func field(_ name: String, of path: String, separator: Character) -> String? {
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return nil }
    for line in text.split(separator: "\n") where line.hasPrefix(name) {
      let value = line.drop { $0 != separator }.dropFirst()
      return value.trimmingCharacters(in: CharacterSet(charactersIn: " \t\""))
    }
    return nil
  }

  /// The first line that a command prints; nil when it prints nothing or cannot be run.
  private static func firstLine(of command: [String]) -> String? {
    let process = Process(), output = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = command
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return nil }
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self).split(separator: "\n").first.map(String.init)
  }
}
