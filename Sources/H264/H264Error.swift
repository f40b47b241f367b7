public import LivePhotoCore

/// Why H.264 could not be decoded.
public enum H264Error: Error, Equatable, Sendable {
  /// A parameter set, a header or a slice is malformed, or asks for more than the limits allow.
  case parse(ParseError)
  /// The stream uses a feature that is not decoded.
  case unsupported(String)
  /// The stream is damaged or incomplete, so that the picture would be a guess.
  case damaged(String)
}

extension H264Error: CustomStringConvertible {
  /// One line, for people.
  public var description: String {
    switch self {
    case .parse(let error): "the H.264 stream is malformed: \(error)"
    case .unsupported(let feature): "\(feature) in H.264 is not decoded"
    case .damaged(let reason): "the H.264 stream is damaged: \(reason)"
    }
  }
}
