import Foundation
public import Testing

/// The folder of real camera files, which is beside the project and never part of it.
///
/// It is found through the environment variable `LIVEPHOTO_CORPUS`, else at `../shared/corpus` beside the package.
public enum Corpus {
  /// The corpus folder, whether it exists or not.
  public static let root: String =
    ProcessInfo.processInfo.environment["LIVEPHOTO_CORPUS"]
    ?? URL(filePath: packageRoot).appending(path: "../shared/corpus").standardizedFileURL.path

  /// Whether the corpus is there.
  public static let isPresent = FileManager.default.fileExists(atPath: root + "/INDEX.tsv")

  /// The path of a file of the corpus: `Corpus.file("05-jpeg/name.jpg")`.
  public static func file(_ path: String) -> String { "\(root)/\(path)" }

  /// The path, relative to ``root``, of the first file in a folder whose name begins and ends so; where there is none,
  /// what is known of it.
  public static func path(_ beginning: String, _ ending: String) -> String {
    let folder = beginning.split(separator: "/").dropLast().joined(separator: "/")
    return files(in: folder).first { $0.hasPrefix(beginning) && $0.hasSuffix(ending) } ?? beginning + ending
  }

  /// The whole file.
  public static func bytes(_ path: String) throws -> [UInt8] { try readFile(file(path)) }

  /// The paths, relative to ``root``, of all files in `folder` whose extension is one of `extensions` (any case),
  /// sorted; none where the corpus is absent.
  public static func files(in folder: String, extensions: Set<String>? = nil) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: file(folder))) ?? []
    return names.sorted().map { "\(folder)/\($0)" }.filter { path in
      var isFolder: ObjCBool = false
      guard unsafe FileManager.default.fileExists(atPath: file(path), isDirectory: &isFolder), !isFolder.boolValue
      else { return false }
      return extensions?.contains(URL(filePath: path).pathExtension.lowercased()) ?? true
    }
  }
}

/// The folder that holds Package.swift.
public let packageRoot: String =
  URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

extension Trait where Self == ConditionTrait {
  /// Runs the test only where the corpus is; elsewhere it is reported as skipped.
  public static var needsCorpus: Self {
    .enabled(if: Corpus.isPresent, "the corpus of real files is not at \(Corpus.root)")
  }
}
