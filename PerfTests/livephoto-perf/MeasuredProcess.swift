import Foundation

/// What a whole process took, as the system counted it.
struct ProcessCost: Codable {
  var time: Time
  /// The most memory that it held at once, in MiB.
  var peak: Double

  /// Keeps the shorter times and the larger peak.
  mutating func combine(_ other: ProcessCost) {
    time.shorten(to: other.time)
    peak = max(peak, other.peak)
  }
}

/// Runs programs in a folder of its own, measures them, and keeps their command lines.
final class ProcessRunner {
  /// The folder, in which programs run; it goes with the runner.
  let folder: URL
  /// Every command line that was run, once, in the order of first use.
  private(set) var commands: [String] = []

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "livephoto-perf-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// The place of a file in the folder.
  func path(_ name: String) -> String { folder.appending(path: name).path }

  func size(_ name: String) throws -> Int {
    try FileManager.default.attributesOfItem(atPath: path(name))[.size] as? Int ?? 0
  }

  /// Whether a program is in one of the folders where the shell looks.
  static func isInstalled(_ program: String) -> Bool {
    (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
      .contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(program)") }
  }

  /// This very program.
  static var ourselves: URL {
    (Bundle.main.executableURL ?? URL(filePath: CommandLine.arguments[0])).resolvingSymlinksInPath()
  }

  /// Runs a program to its end.
  ///
  /// It is started by a small process that measures it: a process begins with the peak memory of the one that starts it,
  /// which here has pictures in memory.
  ///
  /// - Throws: ``UsageError`` with what the program printed, when it fails.
  @discardableResult
  func run(_ program: String, _ arguments: [String]) throws -> ProcessCost {
    let line = ([URL(filePath: program).lastPathComponent] + arguments).joined(separator: " ")
    if !commands.contains(line) { commands.append(line) }
    let log = folder.appending(path: "log"), result = folder.appending(path: "result")
    try? FileManager.default.removeItem(at: result)
    try Data().write(to: log)
    let output = try FileHandle(forWritingTo: log)
    let process = Process()
    process.executableURL = Self.ourselves
    process.arguments = [MeasuredCommand.name, result.path, program] + arguments
    process.currentDirectoryURL = folder
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = output
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0, let data = try? Data(contentsOf: result) else {
      let text = (try? String(contentsOf: log, encoding: .utf8)) ?? ""
      throw UsageError("\(line) failed:\n\(text.suffix(2000))")
    }
    return try JSONDecoder().decode(ProcessCost.self, from: data)
  }

  /// Runs a program and gives what it prints.
  func output(_ program: String, _ arguments: [String]) throws -> String {
    try run(program, arguments)
    return try String(contentsOf: folder.appending(path: "log"), encoding: .utf8)
  }
}

/// A hidden command that runs another program and writes down what that took.
///
/// `measured RESULT PROGRAM ARGUMENT...`
enum MeasuredCommand {
  static let name = "measured"

  static func run(_ arguments: [String]) throws {
    guard arguments.count >= 2 else { throw UsageError("\(name) RESULT PROGRAM ARGUMENT...") }
    var usage = rusage()
    var status: CInt = 0
    let before = monotonic()
    let child = try spawn(Array(arguments.dropFirst()))
    // SAFETY: the child is ours and waited for once.
    guard unsafe wait4(child, &status, 0, &usage) == child else { throw UsageError("the program cannot be waited for") }
    let wall = monotonic() - before
    guard status == 0 else { throw UsageError("status \(status)") }
    let processor = seconds(usage.ru_utime) + seconds(usage.ru_stime)
    #if os(Linux)
      let unit = 1024.0
    #else
      let unit = 1.0
    #endif
    let cost = ProcessCost(
      time: Time(wall: wall, processor: processor), peak: Double(usage.ru_maxrss) * unit / 1_048_576)
    try JSONEncoder().encode(cost).write(to: URL(filePath: arguments[0]))
  }

  private static func spawn(_ command: [String]) throws -> pid_t {
    // SAFETY: the strings live until the call is over, which copies them.
    var strings = unsafe command.map { unsafe strdup($0) } + [nil]
    defer { unsafe strings.forEach { unsafe free($0) } }
    var child: pid_t = 0
    let code = unsafe posix_spawnp(&child, command[0], nil, nil, &strings, environ)
    guard code == 0 else { throw UsageError("\(command[0]) cannot be started (error \(code))") }
    return child
  }

  private static func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) * 1e-6 }

  private static func monotonic() -> Double { Double(DispatchTime.now().uptimeNanoseconds) * 1e-9 }
}
