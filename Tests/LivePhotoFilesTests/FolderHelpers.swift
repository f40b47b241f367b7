import Foundation
import TestSupport

extension TemporaryFolder {
  /// The path of `name` in the folder.
  func callAsFunction(_ name: String) -> String { path(name) }

  /// Every name in the folder, hidden ones too, sorted; empty when it cannot be listed.
  var allNames: [String] { (try? names()) ?? [] }

  func put(_ bytes: [UInt8], at name: String) throws { try writeFile(path(name), bytes) }

  /// Cuts a file off.
  func shorten(_ name: String, to count: UInt64) throws {
    let handle = try FileHandle(forUpdating: URL(fileURLWithPath: self(name)))
    try handle.truncate(atOffset: count)
    try handle.close()
  }

  /// Makes a symbolic link.
  func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(atPath: self(name), withDestinationPath: target)
  }

  /// Makes a named pipe.
  func makePipe(_ name: String) throws {
    // SAFETY: the path is a terminated string for the length of the call.
    guard unsafe mkfifo(self(name), 0o600) == 0 else { throw CocoaError(.fileWriteUnknown) }
  }

  /// The permission bits of a file.
  func permissions(_ name: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: self(name))[.posixPermissions] as? Int
  }

  func bytes(_ name: String) -> [UInt8]? { FileManager.default.contents(atPath: self(name)).map(Array.init) }
}

/// Bytes that no two offsets near each other share.
func pattern(_ count: Int, seed: Int = 1) -> [UInt8] {
  (0..<count).map { UInt8(truncatingIfNeeded: ($0 &* 31) ^ ($0 >> 8 &* 7) &+ seed) }
}
