public import LivePhotoCore

/// The structure of a JPEG file: its segments in order, nothing decoded, nothing lost.
///
/// Only headers and, piece by piece, entropy-coded data are read, so memory does not grow with the file.
///
/// ```swift
/// let file = try JPEGFile(parsing: source)
/// print(file.frame.width, file.frame.height, try file.exif()?.block.contentIdentifier as Any)
/// ```
public struct JPEGFile: Sendable {
  /// Where the file's bytes are.
  public let source: any ByteSource
  /// The stretches of the first picture, from SOI to EOI; see ``isComplete``.
  public let segments: [JPEGSegment]
  /// The first frame header.
  public let frame: JPEGFrame
  /// What follows EOI: further pictures, a video, padding; empty when there is no EOI.
  public let trailer: Range<Int>
  /// Whether the picture ends with EOI; without it, the file was cut off, or damaged, in or behind a scan.
  public let isComplete: Bool

  let limits: Limits

  /// Reads the structure of the JPEG picture that `source` begins with.
  ///
  /// - Throws: ``ParseError`` when it does not begin with SOI, a segment is cut off or has an impossible length, there
  ///   is no frame or no scan, or `limits` are exceeded.
  public init(parsing source: any ByteSource, limits: Limits = .standard) throws(ParseError) {
    self.source = source
    self.limits = limits
    var reader = SegmentReader(source, limits)
    try reader.readPicture()
    segments = reader.segments
    isComplete = reader.segments.last?.kind == .end
    trailer = (reader.segments.last?.range.upperBound ?? 0)..<source.count
    guard let header = segments.first(where: { $0.kind == .frameHeader }) else {
      throw .missing("frame header (SOF)", at: Place(offset: trailer.lowerBound))
    }
    frame = try JPEGFrame(parsing: source, header, limits)
    guard segments.contains(where: { $0.kind == .scanHeader }) else {
      throw .missing("scan (SOS)", at: Place(offset: trailer.lowerBound))
    }
  }

  /// The first stretch of a kind.
  public func first(_ kind: JPEGSegment.Kind) -> JPEGSegment? { segments.first { $0.kind == kind } }
}

extension JPEGFrame {
  fileprivate init(parsing source: any ByteSource, _ segment: JPEGSegment, _ limits: Limits) throws(ParseError) {
    let bytes = try source.parseBytes(segment.payload)
    var cursor = ByteCursor(bytes.span, base: segment.payload.lowerBound)
    do throws(ParseError) {
      process = Int(segment.marker & 15)
      precision = Int(try cursor.readUInt8())
      height = Int(try cursor.readUInt16())
      width = Int(try cursor.readUInt16())
      let count = Int(try cursor.readUInt8())
      guard width > 0, count > 0 else {
        throw ParseError.invalid(
          "size", found: "\(width)x\(height), \(count) components", expected: "a width and a component",
          at: Place(offset: segment.payload.lowerBound))
      }
      let (pixels, overflow) = width.multipliedReportingOverflow(by: height)
      guard !overflow, pixels <= limits.pixels else {
        throw ParseError.beyondLimit(
          "number of pixels", found: pixels, limit: limits.pixels, at: Place(offset: segment.payload.lowerBound))
      }
      var components: [Component] = []
      for _ in 0..<count {
        let (identifier, sampling) = (try cursor.readUInt8(), Int(try cursor.readUInt8()))
        components.append(
          Component(
            identifier: identifier, horizontal: sampling >> 4, vertical: sampling & 15,
            table: Int(try cursor.readUInt8())))
      }
      self.components = components
    } catch {
      throw error.inside("SOF\(segment.marker & 15)")
    }
  }
}
