import LivePhotoCore
import LivePhotoJPEG

/// What describes a picture beside its samples, and goes along when it is encoded anew.
struct PictureMetadata {
  var exif: ExifBlock?
  /// An XMP packet as UTF-8.
  var xmp: [UInt8]?
  var icc: [UInt8]?

  /// The metadata as they are true of the picture that is written.
  ///
  /// - Parameters:
  ///   - width: pixels across as stored; so `height`.
  ///   - orientation: how the stored picture is turned to be shown.
  ///   - isRedrawn: whether it is turned or cropped against its source, so that a thumbnail would show something else.
  func describing(width: Int, height: Int, orientation: Orientation, isRedrawn: Bool) -> PictureMetadata {
    var metadata = self
    if var block = exif {
      // A block without room keeps what it says; a turn that it does not say is informative in HEIC and 1 in JPEG.
      if block.orientation ?? .up != orientation {
        try? block.set(.short(.orientation, orientation.rawValue), in: .image)
      }
      for (tag, size) in [(TIFFTag.pixelXDimension, width), (.pixelYDimension, height)] {
        guard let old = block.field(tag, in: .exif)?.unsignedIntegers?.first, old != size else { continue }
        try? block.set(.long(tag, UInt32(clamping: size)), in: .exif)
      }
      if isRedrawn { block.remove(.thumbnail) }
      metadata.exif = block
    }
    metadata.xmp = xmp.map { Self.settingOrientation(orientation, in: $0) }
    return metadata
  }

  /// Sets the digit of `tiff:Orientation`, as an attribute or as an element.
  private static func settingOrientation(_ orientation: Orientation, in packet: [UInt8]) -> [UInt8] {
    var packet = packet
    for opening in ["tiff:Orientation=\"", "tiff:Orientation='", "<tiff:Orientation>"] {
      guard let range = packet.firstRange(of: Array(opening.utf8)), range.upperBound < packet.count,
        (0x31...0x38).contains(packet[range.upperBound])
      else { continue }
      packet[range.upperBound] = 0x30 + UInt8(orientation.rawValue)
    }
    return packet
  }

  /// Leaves out what a format has no room for, or what would describe what the file does not hold.
  ///
  /// - Returns: what was left out, in words.
  mutating func fit(_ format: StillFormat) -> [String] {
    var losses: [String] = []
    if let xmp, Self.tellsOfOtherPictures(xmp) {
      self.xmp = nil
      losses.append("its XMP was left out: it tells of a video or of further pictures in the file")
    }
    guard case .jpeg = format else { return losses }
    if let exif, exif.bytes.count > JPEGMetadata.largestExif {
      self.exif = nil
      losses.append("its Exif of \(exif.bytes.count) bytes was left out: JPEG has room for \(JPEGMetadata.largestExif)")
    }
    if let xmp, xmp.count > JPEGMetadata.largestXMP {
      self.xmp = nil
      losses.append("its XMP of \(xmp.count) bytes was left out: JPEG has room for \(JPEGMetadata.largestXMP)")
    }
    return losses
  }

  /// Whether a packet describes what follows the picture in its file: a motion photo's video, gain maps, depth maps.
  private static func tellsOfOtherPictures(_ packet: [UInt8]) -> Bool {
    ["http://ns.google.com/photos/1.0/container/", "MicroVideoOffset", "HasExtendedXMP"].contains {
      packet.firstRange(of: Array($0.utf8)) != nil
    }
  }
}
