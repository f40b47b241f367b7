import LivePhotoCore
import LivePhotoFiles

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A single file that a job writes: checked before any work is done, put in place whole.
enum OutputFile {
  /// Checks that `goal` replaces no input and, unless that is wanted, nothing else.
  ///
  /// - Throws: ``LivePhotoError/outputIsInput(file:)``, ``LivePhotoError/outputExists(file:)``.
  static func check(_ goal: String, inputs: [String], overwrite: Bool) throws(LivePhotoError) {
    if inputs.contains(where: { isSame($0, goal) }) { throw .outputIsInput(file: goal) }
    if !overwrite, FileManager.default.fileExists(atPath: goal) { throw .outputExists(file: goal) }
  }

  /// Writes the file.
  ///
  /// - Throws: ``LivePhotoError/file(_:)``.
  static func write(_ plan: OutputPlan, to goal: String, overwrite: Bool) throws(LivePhotoError) {
    do { try FileWriter(overwrite: overwrite).write(plan, to: goal) } catch { throw .file(error) }
  }

  /// Writes a file whose bytes are made while it is written.
  ///
  /// - Throws: ``LivePhotoError/file(_:)``, and what `body` throws.
  static func write(
    to goal: String, overwrite: Bool, _ body: (borrowing FileSink) throws(LivePhotoError) -> Void
  ) throws(LivePhotoError) {
    do { try FileWriter(overwrite: overwrite).write(to: goal, body) } catch {
      switch error {
      case .file(let error): throw .file(error)
      case .body(let error): throw error
      }
    }
  }

  /// Whether two paths lead to one existing file, links included.
  private static func isSame(_ first: String, _ second: String) -> Bool {
    guard let file = FileIdentity(path: first) else { return false }
    return file == FileIdentity(path: second)
  }
}
