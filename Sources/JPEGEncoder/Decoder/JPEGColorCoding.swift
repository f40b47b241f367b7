import LivePhotoCore

/// What the components of a JPEG picture stand for.
public enum JPEGColorCoding: Sendable, Hashable {
  /// One grey component.
  case gray
  /// Full-range BT.601 luma and chroma (ITU-T T.871).
  case yCbCr
  /// Red, green and blue.
  case rgb
  /// Cyan, magenta, yellow and black, inverted as Adobe's programs write them: 255 is no ink.
  case cmyk
  /// The same with cyan, magenta and yellow turned into luma and chroma.
  case ycck
}

extension JPEGColorCoding {
  /// What JFIF's and Adobe's segments and the identifiers of the components say, weighed as libjpeg does.
  init(of file: JPEGFile, components identifiers: [UInt8]) throws(ParseError) {
    let head = file.segments.prefix { $0.kind != .scanHeader }
    let isJFIF = head.contains { $0.kind == .jfif && $0.payload.count >= 14 }
    // DCTEncode's flags come first, the transform is the twelfth byte (Adobe TN 5116, 18).
    var transform: UInt8?
    for segment in head where segment.kind == .adobe && segment.payload.count >= 12 {
      transform = try file.source.parseBytes(segment.payload)[11]
    }
    switch identifiers.count {
    case 1: self = .gray
    case 3:
      if isJFIF {
        self = .yCbCr
      } else if let transform {
        self = transform == 0 ? .rgb : .yCbCr
      } else {
        self = identifiers == Array("RGB".utf8) ? .rgb : .yCbCr
      }
    default: self = transform ?? 0 == 0 ? .cmyk : .ycck
    }
  }
}
