import LivePhotoCore

/// How like a photo frames are: the largest correlation of their luma, for all places and sizes of a frame in the photo.
///
/// A frame shows a part of what the photo does (stabilised video is cropped), and is exposed otherwise. So a frame's luma, 64
/// samples along its longer side, is laid over the photo's at sizes from all of it to 70 %, within 6 % of its middle; where their
/// shapes differ, so is the frame's middle part that has the photo's shape. The likeness is the largest of the coefficients
/// of correlation (Pearson's), -1 to 1, less up to 0.02 with the square of the distance from the middle, so that of frames of a
/// camera that moves the one counts that lies in the middle.
struct PhotoLikeness {
  /// The photo in sizes of which a frame is a smaller and smaller part, for one shape of frames.
  private var scales: [LumaPicture] = []
  private let photo: LumaPicture
  private let shape: (width: Int, height: Int)
  /// The middle part of a frame that is compared; nil for all of it.
  private let part: (width: Int, height: Int)?

  private static let side = 64
  /// How far a frame may lie from the middle of the photo, in hundredths of its side.
  private static let mostShift = 6
  /// What the farthest place from the middle takes off.
  private static let mostPenalty: Float = 0.02
  /// The part of the photo's length that a frame takes.
  private static let parts: [Double] = [1, 0.95, 0.9, 0.85, 0.8, 0.75, 0.7]

  /// The likenesses to ask for frames of an upright size: one for whole frames, one for parts of the photo's shape.
  static func all(of photo: PlanarImage, width: Int, height: Int) -> [PhotoLikeness] {
    let luma = LumaPicture(photo, side: 4 * side)
    let scale = Double(side) / Double(max(width, height))
    let shape = (width: max(4, Int(Double(width) * scale)), height: max(4, Int(Double(height) * scale)))
    let whole = PhotoLikeness(luma, shape, part: nil)
    let ratio = Double(photo.width) / Double(photo.height), own = Double(shape.width) / Double(shape.height)
    guard max(ratio / own, own / ratio) > 1.05 else { return [whole] }
    let part =
      ratio < own
      ? (width: max(4, Int(Double(shape.height) * ratio)), height: shape.height)
      : (width: shape.width, height: max(4, Int(Double(shape.width) / ratio)))
    return [whole, PhotoLikeness(luma, shape, part: part)]
  }

  private init(_ photo: LumaPicture, _ shape: (width: Int, height: Int), part: (width: Int, height: Int)?) {
    self.photo = photo
    self.shape = shape
    self.part = part
    let (width, height) = part ?? shape
    // The smallest size of the photo in which the frame fits.
    let fit = max(Double(width) / Double(photo.width), Double(height) / Double(photo.height))
    scales = Self.parts.map {
      photo.resized(
        width: max(width, Int(Double(photo.width) * fit / $0)),
        height: max(height, Int(Double(photo.height) * fit / $0)))
    }
  }

  /// The likeness of an upright frame.
  func callAsFunction(_ frame: LumaPicture) -> Float {
    var frame = frame.resized(width: shape.width, height: shape.height)
    if let part { frame = frame.center(width: part.width, height: part.height) }
    let mean = frame.mean
    for index in frame.samples.indices { frame.samples[index] -= mean }
    let energy = frame.samples.reduce(0) { $0 + $1 * $1 }
    guard energy > 1e-6 * Float(frame.samples.count) else { return 0 }
    return scales.map { Self.best(frame, energy: energy, in: $0) }.max() ?? 0
  }

  /// The largest correlation near the middle: at every second place, and at those around the best of them.
  private static func best(_ frame: LumaPicture, energy: Float, in photo: LumaPicture) -> Float {
    let columns = places(photo.width - frame.width, of: photo.width)
    let rows = places(photo.height - frame.height, of: photo.height)
    var best = (value: -Float.infinity, x: 0, y: 0)
    func look(_ x: Int, _ y: Int) {
      let (across, down) = (off(x, columns), off(y, rows))
      let value =
        correlation(frame, energy: energy, in: photo, x, y) - mostPenalty * (across * across + down * down) / 2
      if value > best.value { best = (value, x, y) }
    }
    for y in rows where (y - rows.lowerBound) % 2 == 0 {
      for x in columns where (x - columns.lowerBound) % 2 == 0 { look(x, y) }
    }
    let (x, y) = (best.x, best.y)
    for y in (y - 1...y + 1).clamped(to: rows) { for x in (x - 1...x + 1).clamped(to: columns) { look(x, y) } }
    return best.value
  }

  /// How far a place is from the middle of its range, 1 at the ends.
  private static func off(_ place: Int, _ range: ClosedRange<Int>) -> Float {
    let half = Float(range.upperBound - range.lowerBound) / 2
    return half > 0 ? abs(Float(place - range.lowerBound) - half) / half : 0
  }

  /// Where a frame may begin that leaves so much of the photo's side free.
  private static func places(_ free: Int, of side: Int) -> ClosedRange<Int> {
    let reach = max(1, side * mostShift / 100)
    return (free / 2 - reach...(free + 1) / 2 + reach).clamped(to: 0...max(free, 0))
  }

  /// - Parameter frame: with the mean 0, and `energy` the sum of its squares.
  private static func correlation(_ frame: LumaPicture, energy: Float, in photo: LumaPicture, _ x: Int, _ y: Int)
    -> Float
  {
    let small = frame.samples.span, large = photo.samples.span
    var products: Float = 0, sum: Float = 0, squares: Float = 0
    for row in 0..<frame.height {
      let start = (y + row) * photo.width + x, own = row * frame.width
      for column in 0..<frame.width {
        let value = large[start + column]
        products += value * small[own + column]
        sum += value
        squares += value * value
      }
    }
    let variance = squares - sum * sum / Float(frame.samples.count)
    return variance > 1e-6 * Float(frame.samples.count) ? products / (variance * energy).squareRoot() : 0
  }
}
