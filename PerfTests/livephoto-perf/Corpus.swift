import Foundation

/// The folder of real camera files, which is no part of the project (see CONTRIBUTING.md).
enum Corpus {
  /// Three pictures of 12 megapixels: busy, smooth, and a camera's JPEG.
  static let pictures = [
    "02-heif/iphone13pro_portrait_pug.heic", "02-heif/iphone7_*.heic", "01-livephotos/iphone7plus_waves.JPG",
  ]
  /// A grid of 12 megapixels, and one of 24.
  static let grid = "02-heif/iphone13pro_portrait_pug.heic"
  static let largeGrid = "01-livephotos/iphone17pro_*.HEIC"

  /// Where the files are, of whose names `*` stands for any part; nil where one of them is not.
  static func paths(_ names: [String]) -> [String]? {
    let root =
      ProcessInfo.processInfo.environment["LIVEPHOTO_CORPUS"]
      ?? URL(filePath: #filePath).appending(path: "../../../../shared/corpus").standardizedFileURL.path
    let paths = names.compactMap { path("\(root)/\($0)") }
    return paths.count == names.count ? paths : nil
  }

  private static func path(_ pattern: String) -> String? {
    guard let star = pattern.firstIndex(of: "*") else {
      return FileManager.default.fileExists(atPath: pattern) ? pattern : nil
    }
    let (beginning, ending) = (pattern[..<star], pattern[pattern.index(after: star)...])
    let folder = URL(filePath: String(beginning)).deletingLastPathComponent().path
    return try? FileManager.default.contentsOfDirectory(atPath: folder).sorted().map { "\(folder)/\($0)" }
      .first { $0.hasPrefix(beginning) && $0.hasSuffix(ending) }
  }
}
