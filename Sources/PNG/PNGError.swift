public import LivePhotoCore

/// Why a picture could not be encoded, or a PNG file not be read.
public enum PNGError: Error, Equatable, Sendable {
  /// A side is 0 or larger than ``PNGEncoder/maximumSide``.
  case sizeOutOfRange(width: Int, height: Int)
  /// Metadata larger than a chunk.
  case metadataTooLarge(size: Int, limit: Int)
  /// The file cannot be read as PNG.
  case malformed(ParseError)
}

extension PNGError: CustomStringConvertible {
  /// The cause and the remedy in one line.
  public var description: String {
    switch self {
    case .sizeOutOfRange(let width, let height):
      "a PNG picture has 1 to \(PNGEncoder.maximumSide) pixels on a side, not \(width)x\(height)"
    case .metadataTooLarge(let size, let limit):
      "metadata of \(size) bytes do not fit in a PNG chunk, which has room for \(limit); shorten them"
    case .malformed(let error):
      error.description
    }
  }
}
