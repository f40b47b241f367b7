#if HEVC
  public import LivePhotoCore
  public import LivePhotoHEVC

  /// Why a HEIC picture could not be written or decoded.
  public enum HEICError: Error, Equatable, Sendable {
    /// The file's structure is damaged, beyond the limits, or lacks what was asked for.
    case structure(ParseError)
    /// The coded data of an item could not be encoded or decoded.
    case coding(HEVCError)
    /// The item, or the picture, is of a kind that is not handled here.
    case unsupported(String)
  }

  extension HEICError: CustomStringConvertible {
    /// The cause in one line.
    public var description: String {
      switch self {
      case .structure(let error): error.description
      case .coding(let error): error.description
      case .unsupported(let what): "\(what) is not supported"
      }
    }
  }
#endif
