public import LivePhotoCore

/// Why a picture could not be encoded, or a JPEG file not be read or edited.
public enum JPEGError: Error, Equatable, Sendable {
  /// A side is 0 or larger than ``JPEGEncoder/maximumSide``.
  case sizeOutOfRange(width: Int, height: Int)
  /// A quality outside 1 to 100.
  case qualityOutOfRange(Int)
  /// A quantisation table that is not 64 values of 1 to 255.
  case quantizationTableMalformed(String)
  /// A restart interval that is not 1 to 65,535 MCUs.
  case restartIntervalOutOfRange(JPEGRestartInterval)
  /// The planes given do not make a picture: a size, sampling or depth does not fit the others.
  case planesDoNotMatch(String)
  /// Rows pushed to a ``JPEGRowEncoder`` do not make its picture: too few, too many, or of another width or layout.
  case rowsDoNotMatch(String)
  /// Huffman tables made for the picture, which needs all of it, were asked of a ``JPEGRowEncoder``.
  case needsWholePicture
  /// The picture has an HDR transfer curve (16 PQ, 18 HLG), which an 8-bit JPEG would show wrongly.
  case highDynamicRange(transfer: UInt16)
  /// The colour matrix (H.273 table 4) cannot be converted to what JPEG uses.
  case unsupportedMatrix(UInt16)
  /// Metadata that does not fit in the segments JPEG has for it.
  case metadataTooLarge(JPEGMetadataKind, size: Int, limit: Int)
  /// The file cannot be read as JPEG.
  case malformed(ParseError)
}

/// The kinds of metadata a JPEG file carries in segments of its own.
public enum JPEGMetadataKind: String, Sendable, CaseIterable {
  /// A TIFF structure in APP1.
  case exif = "Exif"
  /// An XMP packet in APP1.
  case xmp = "XMP"
  /// An ICC profile in one or more APP2 segments.
  case icc = "ICC profile"
  /// A comment (COM).
  case comment
  /// A segment that the caller added.
  case application = "application segment"
}

extension JPEGError: CustomStringConvertible {
  /// The cause and the remedy in one line.
  public var description: String {
    switch self {
    case .sizeOutOfRange(let width, let height):
      "a JPEG picture has 1 to \(JPEGEncoder.maximumSide) pixels on a side, not \(width)x\(height); scale it down first"
    case .qualityOutOfRange(let quality):
      "JPEG quality is 1 to 100, not \(quality)"
    case .quantizationTableMalformed(let reason):
      "a JPEG quantisation table has 64 values of 1 to 255; \(reason)"
    case .restartIntervalOutOfRange(.mcus(let count)):
      "a JPEG restart interval is 1 to 65535 MCUs, not \(count)"
    case .restartIntervalOutOfRange(.rows(let count)):
      "a JPEG restart interval is 1 to 65535 MCUs, which \(count) rows of this picture do not make; give fewer rows"
    case .planesDoNotMatch(let reason):
      "the planes do not make a picture: \(reason)"
    case .rowsDoNotMatch(let reason):
      "the rows do not make the picture: \(reason)"
    case .needsWholePicture:
      "Huffman tables can be made for whole pictures only; turn `optimizesHuffmanTables` off to encode row by row"
    case .highDynamicRange(let transfer):
      "the picture is HDR (\(transfer == 16 ? "PQ" : "HLG"), transfer \(transfer)), which JPEG cannot show; "
        + "convert it to SDR first, write HEIC, or ask for its samples as they are"
    case .unsupportedMatrix(let matrix):
      "colour matrix \(matrix) cannot be converted to JPEG's YCbCr; convert the picture to RGB first"
    case .metadataTooLarge(let kind, let size, let limit):
      "\(kind.rawValue) of \(size) bytes does not fit in a JPEG file, which has room for \(limit); shorten it"
    case .malformed(let error):
      error.description
    }
  }
}
