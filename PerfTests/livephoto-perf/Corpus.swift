import Foundation

/// The folder of real camera files, which is no part of the project (see CONTRIBUTING.md).
enum Corpus {
  /// Three pictures of 12 megapixels: busy, smooth, and a camera's JPEG.
  static let pictures = [
    "02-heif/iphone13pro_portrait_pug.heic", "02-heif/iphone7_IMG_2682.heic", "01-livephotos/iphone7plus_waves.JPG",
  ]
  /// A grid of 12 megapixels, and one of 24.
  static let grid = "02-heif/iphone13pro_portrait_pug.heic"
  static let largeGrid = "01-livephotos/iphone17pro_IMG_1635.HEIC"

  /// Where the files are; nil where one of them is not.
  static func paths(_ names: [String]) -> [String]? {
    let root =
      ProcessInfo.processInfo.environment["LIVEPHOTO_CORPUS"]
      ?? URL(filePath: #filePath).appending(path: "../../../../shared/corpus").standardizedFileURL.path
    let paths = names.map { "\(root)/\($0)" }
    return paths.allSatisfy { FileManager.default.fileExists(atPath: $0) } ? paths : nil
  }
}
