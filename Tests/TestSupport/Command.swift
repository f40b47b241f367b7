import Foundation
import Synchronization

/// What a finished program left.
public struct CommandResult: Sendable {
  /// The exit status; the signal's number plus 128 where a signal ended it.
  public let status: Int32
  /// What it wrote to standard output.
  public let output: [UInt8]
  /// What it wrote to standard error.
  public let errorOutput: [UInt8]

  /// Standard output as text.
  public var text: String { String(decoding: output, as: UTF8.self) }
  /// Standard error as text.
  public var errorText: String { String(decoding: errorOutput, as: UTF8.self) }
  /// The lines of standard output.
  public var lines: [String] { text.split(whereSeparator: \.isNewline).map(String.init) }
}

/// Why a program gave no result.
public enum CommandError: Error, CustomStringConvertible {
  /// It ran longer than allowed and was ended.
  case timedOut(command: String, seconds: Double)
  /// It ended with a status other than 0.
  case failed(command: String, CommandResult)
  /// It is not on this machine.
  case missing(tool: String, remedy: String)

  /// The cause in one line.
  public var description: String {
    switch self {
    case .timedOut(let command, let seconds): "`\(command)` did not end within \(seconds) s"
    case .failed(let command, let result):
      "`\(command)` ended with \(result.status): \(result.errorText.suffix(2000)) \(result.text.suffix(500))"
    case .missing(let tool, let remedy): "\(tool) is missing: \(remedy)"
    }
  }
}

/// Held while a program is started: Foundation can crash where several threads do so at once.
private let starting = Mutex(())

/// Runs a program and waits for its end; blocks the calling thread.
///
/// - Parameters:
///   - path: the program, found through `PATH` when it holds no slash.
///   - input: bytes for its standard input, which is empty otherwise.
///   - environment: variables added to, or changed from, this process's own.
///   - folder: its working folder; this process's own when nil.
/// - Throws: ``CommandError/missing(tool:remedy:)`` or ``CommandError/timedOut(command:seconds:)``; a status other
///   than 0 is a result.
public func run(
  _ path: String, _ arguments: [String], input: [UInt8] = [], environment: [String: String] = [:],
  folder: String? = nil, timeout seconds: Double = 120
) throws -> CommandResult {
  guard let program = findProgram(path) else {
    throw CommandError.missing(tool: path, remedy: "it is not in PATH")
  }
  let scratch = try TemporaryFolder()
  let files = try ["in", "out", "err"].map { name in
    try writeFile(scratch.path(name), name == "in" ? input : [])
    return URL(filePath: scratch.path(name))
  }
  let process = Process()
  process.executableURL = URL(filePath: program)
  process.arguments = arguments
  process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
  if let folder { process.currentDirectoryURL = URL(filePath: folder) }
  // Files, not pipes: a program can neither block on a full pipe nor keep one open after its end.
  process.standardInput = try FileHandle(forReadingFrom: files[0])
  process.standardOutput = try FileHandle(forWritingTo: files[1])
  process.standardError = try FileHandle(forWritingTo: files[2])
  let done = DispatchSemaphore(value: 0)
  process.terminationHandler = { _ in done.signal() }
  try starting.withLock { _ in try process.run() }
  if done.wait(timeout: .now() + seconds) == .timedOut {
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    throw CommandError.timedOut(command: ([path] + arguments).joined(separator: " "), seconds: seconds)
  }
  let bySignal = process.terminationReason == .uncaughtSignal
  return CommandResult(
    status: process.terminationStatus + (bySignal ? 128 : 0),
    output: try readFile(files[1].path), errorOutput: try readFile(files[2].path))
}

/// The same, where any status but 0 is an error.
///
/// - Throws: ``CommandError``.
@discardableResult
public func runChecked(
  _ path: String, _ arguments: [String], input: [UInt8] = [], environment: [String: String] = [:],
  folder: String? = nil, timeout seconds: Double = 120
) throws -> CommandResult {
  let result = try run(
    path, arguments, input: input, environment: environment, folder: folder, timeout: seconds)
  guard result.status == 0 else {
    throw CommandError.failed(command: ([path] + arguments).joined(separator: " "), result)
  }
  return result
}

/// The full path of a program, looked up in `PATH` when it holds no slash; nil when there is none to run.
public func findProgram(_ name: String) -> String? {
  if name.contains("/") { return FileManager.default.isExecutableFile(atPath: name) ? name : nil }
  let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
  return folders.map { "\($0)/\(name)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
}
