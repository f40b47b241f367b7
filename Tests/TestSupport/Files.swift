import Foundation

/// A new folder that goes away with its last owner.
public final class TemporaryFolder: Sendable {
  /// The folder's path.
  public let root: String

  /// Makes the folder below the system's own for temporary files.
  public init() throws {
    root = FileManager.default.temporaryDirectory.appending(path: "livephoto-test-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: root) }

  /// The path of a name inside the folder.
  public func path(_ name: String) -> String { "\(root)/\(name)" }

  /// Writes a file into the folder and gives its path.
  public func write(_ bytes: [UInt8], as name: String) throws -> String {
    try writeFile(path(name), bytes)
    return path(name)
  }

  /// The names in the folder, sorted.
  public func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: root).sorted() }
}

/// The whole file.
public func readFile(_ path: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(filePath: path))) }

/// Writes the whole file, over what was there.
public func writeFile(_ path: String, _ bytes: [UInt8]) throws { try Data(bytes).write(to: URL(filePath: path)) }

/// Removes files.
public func removeFiles(_ paths: [String]) throws {
  for path in paths { try FileManager.default.removeItem(atPath: path) }
}
