import Foundation

/// How like two pictures of 8-bit RGB are.
struct Likeness: Encodable {
  /// The mean structural similarity of luma.
  let ssim: Double
  /// The peak signal-to-noise ratio of luma, in decibels.
  let lumaPSNR: Double
  /// The same of red, green and blue together.
  let psnr: Double

  /// Compares two pictures of one size; luma is that of BT.601 for both, unrounded.
  init(_ picture: [UInt8], _ original: [UInt8], width: Int) {
    precondition(picture.count == original.count && picture.count % (3 * width) == 0, "pictures of one size")
    var luma = LumaComparison(width: width)
    var error = 0
    for start in stride(from: 0, to: picture.count, by: 3 * width) {
      let row = start..<start + 3 * width
      luma.add(picture, original, row)
      for index in row {
        let difference = Int(picture[index]) - Int(original[index])
        error += difference * difference
      }
    }
    ssim = luma.similarity
    lumaPSNR = Self.decibels(luma.error / Double(picture.count / 3))
    psnr = Self.decibels(Double(error) / Double(picture.count))
  }

  private static func decibels(_ error: Double) -> Double { error == 0 ? 99 : 10 * log10(255 * 255 / error) }
}

/// The structural similarity (Wang, Bovik, Sheikh, Simoncelli 2004) of two planes of luma, by a square window of 8 × 8
/// equal weights at every position inside the picture.
///
/// Luma is in thousandths of a level, so that all sums are of whole numbers, which are exact however they slide.
private struct LumaComparison {
  private static let side = 8
  private static let samples = Double(side * side)
  private static let unit = 1000.0
  /// (0.01 × 255)² and (0.03 × 255)², in squares of the unit.
  private static let stability = (luminance: 6.5025 * unit * unit, contrast: 58.5225 * unit * unit)

  private let width: Int
  /// The last `side` rows of luma, and the sums down their columns.
  private var rows: (a: [Double], b: [Double])
  private var sums: (a: [Double], b: [Double], aa: [Double], bb: [Double], ab: [Double])
  private var count = 0
  private var windows = 0
  private var total = 0.0
  private var squares = 0.0

  init(width: Int) {
    self.width = width
    let (ring, row) = ([Double](repeating: 0, count: width * Self.side), [Double](repeating: 0, count: width))
    rows = (ring, ring)
    sums = (row, row, row, row, row)
  }

  /// The mean over all windows; 1 for pictures smaller than one.
  var similarity: Double { windows == 0 ? 1 : total / Double(windows) }

  /// The sum of squared differences, in levels.
  var error: Double { squares / (Self.unit * Self.unit) }

  /// Takes in the next row of both pictures.
  mutating func add(_ a: [UInt8], _ b: [UInt8], _ row: Range<Int>) {
    let slot = count % Self.side * width
    for x in 0..<width {
      let index = row.lowerBound + 3 * x
      let new = (a: Self.luma(a, index), b: Self.luma(b, index))
      let old = (a: rows.a[slot + x], b: rows.b[slot + x])
      sums.a[x] += new.a - old.a
      sums.b[x] += new.b - old.b
      sums.aa[x] += new.a * new.a - old.a * old.a
      sums.bb[x] += new.b * new.b - old.b * old.b
      sums.ab[x] += new.a * new.b - old.a * old.b
      rows.a[slot + x] = new.a
      rows.b[slot + x] = new.b
      squares += (new.a - new.b) * (new.a - new.b)
    }
    count += 1
    if count >= Self.side, width >= Self.side { slide() }
  }

  /// Moves the window along the last rows.
  private mutating func slide() {
    var window = (a: 0.0, b: 0.0, aa: 0.0, bb: 0.0, ab: 0.0)
    for x in 0..<width {
      window.a += sums.a[x]
      window.b += sums.b[x]
      window.aa += sums.aa[x]
      window.bb += sums.bb[x]
      window.ab += sums.ab[x]
      guard x >= Self.side - 1 else { continue }
      let (a, b) = (window.a / Self.samples, window.b / Self.samples)
      let variances = window.aa / Self.samples - a * a + window.bb / Self.samples - b * b
      let covariance = window.ab / Self.samples - a * b
      total +=
        (2 * a * b + Self.stability.luminance) * (2 * covariance + Self.stability.contrast)
        / ((a * a + b * b + Self.stability.luminance) * (variances + Self.stability.contrast))
      windows += 1
      let out = x - Self.side + 1
      window.a -= sums.a[out]
      window.b -= sums.b[out]
      window.aa -= sums.aa[out]
      window.bb -= sums.bb[out]
      window.ab -= sums.ab[out]
    }
  }

  private static func luma(_ rgb: [UInt8], _ index: Int) -> Double {
    Double(299 * Int(rgb[index]) + 587 * Int(rgb[index + 1]) + 114 * Int(rgb[index + 2]))
  }
}
