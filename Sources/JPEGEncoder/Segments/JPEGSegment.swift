/// One stretch of a JPEG file.
///
/// The stretches of a file follow each other without a gap.
public struct JPEGSegment: Sendable, Hashable {
  /// What a stretch holds.
  public enum Kind: Sendable, Hashable {
    /// SOI, which begins a picture.
    case start
    /// EOI, which ends it.
    case end
    /// JFIF's APP0 (ITU-T T.871, 10.1).
    case jfif
    /// Exif's APP1 (CIPA DC-008, 4.7.2).
    case exif
    /// The APP1 of an XMP packet (XMP part 3, 1.1.3).
    case xmp
    /// The APP1 of a piece of an extended XMP packet (XMP part 3, 1.1.3.1).
    case extendedXMP
    /// The APP2 of a piece of an ICC profile (ICC.1, B.4).
    case icc
    /// The APP2 that lists further pictures of the file (CIPA DC-007, 5).
    case multiPicture
    /// Adobe's APP14, which says how colours are coded.
    case adobe
    /// APPn of another kind.
    case application(Int)
    /// COM.
    case comment
    /// SOFn, the frame header: size and components.
    case frameHeader
    /// SOS, the header of a scan.
    case scanHeader
    /// The entropy-coded data of a scan, restart markers included.
    case scanData
    /// A marker of another kind, with its parameters: tables, restart interval.
    case tables
    /// Bytes between segments that belong to none.
    case extraneous
  }

  /// What it holds.
  public let kind: Kind
  /// The marker's second byte (0xE1 for APP1); 0 where there is no marker.
  public let marker: UInt8
  /// The bytes in the file, with the marker and any fill bytes before it.
  public let range: Range<Int>
  /// What follows the length field, up to the end of ``range``; empty for a marker that stands alone.
  public let payload: Range<Int>
}

/// What a frame header says (ITU-T T.81, B.2.2).
public struct JPEGFrame: Sendable, Hashable {
  /// One colour component.
  public struct Component: Sendable, Hashable {
    /// The identifier that scans use.
    public let identifier: UInt8
    /// Horizontal sampling factor, 1 to 4 in a valid file.
    public let horizontal: Int
    /// Vertical sampling factor, 1 to 4 in a valid file.
    public let vertical: Int
    /// The number of its quantisation table.
    public let table: Int
  }

  /// The n of SOFn: 0 baseline, 1 extended, 2 progressive, 3 lossless, more for hierarchical and arithmetic ones.
  public let process: Int
  /// Bits a sample.
  public let precision: Int
  /// Width in pixels.
  public let width: Int
  /// Height in pixels; 0 when only a DNL segment states it.
  public let height: Int
  /// The components, in the order of the header.
  public let components: [Component]
}
