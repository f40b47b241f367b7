internal import Synchronization

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Standard output for results and standard error for everything else.
final class Console: Sendable {
  private let state = Mutex(State())

  private struct State {
    var outputFailed = false
    var lastProgress = -1
  }

  /// Whether somebody reads standard error on a terminal that can move its cursor.
  let hasTerminal: Bool

  init() {
    let isDumb = ProcessInfo.processInfo.environment["TERM"].map { $0 == "dumb" } ?? true
    hasTerminal = StandardStream.error.isTerminal && !isDumb
  }

  /// Writes a result to standard output as it is.
  func print(_ text: String) {
    clearProgress()
    if !StandardStream.output.write(text) { state.withLock { $0.outputFailed = true } }
  }

  /// Writes a line of a result, which may hold text from files.
  func line(_ text: String) { print(Self.oneLine(text) + "\n") }

  /// Writes a result as JSON with keys in a fixed order.
  func json(_ value: some Encodable) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "infinity", negativeInfinity: "-infinity", nan: "nan")
    print(String(decoding: try encoder.encode(value), as: UTF8.self) + "\n")
  }

  /// Says on standard error why the work failed.
  func error(_ text: String) { note("livephoto: error: \(Self.oneLine(text))\n") }

  /// Says on standard error what deserves attention.
  func warning(_ text: String) { note("livephoto: warning: \(Self.oneLine(text))\n") }

  /// Writes to standard error as it is.
  func note(_ text: String) {
    clearProgress()
    _ = StandardStream.error.write(text)
  }

  /// Whether every result could be written; says so if not.
  func finish() -> Bool {
    clearProgress()
    guard state.withLock({ $0.outputFailed }) else { return true }
    error("standard output cannot be written to; check where it goes")
    return false
  }

  /// Text from files may hold line breaks and control characters, which have no business on a terminal.
  static func oneLine(_ text: String) -> String {
    let scalars = text.unicodeScalars.map { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) ? "?" : $0 }
    return String(String.UnicodeScalarView(scalars))
  }
}

// MARK: Progress

extension Console {
  /// Shows how far the work is, as a bar on the terminal; `fraction` is 0 to 1.
  func progress(_ fraction: Double) {
    let percent = Int((min(max(fraction, 0), 1) * 100).rounded(.down))
    let isNews = state.withLock { state in
      defer { state.lastProgress = percent }
      return state.lastProgress != percent
    }
    guard isNews else { return }
    let full = percent * 40 / 100
    let bar = String(repeating: "#", count: full) + String(repeating: "-", count: 40 - full)
    _ = StandardStream.error.write("\r[\(bar)] \(percent)%")
  }

  private func clearProgress() {
    let wasShown = state.withLock { state in
      defer { state.lastProgress = -1 }
      return state.lastProgress >= 0
    }
    if wasShown { _ = StandardStream.error.write("\r\u{1B}[K") }
  }
}
