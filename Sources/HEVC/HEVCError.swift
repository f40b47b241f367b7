#if HEVC
  package import CLivePhotoHEVC
  public import LivePhotoCore

  /// Why a picture could not be encoded or decoded.
  public enum HEVCError: Error, Equatable, Sendable {
    /// The picture or a setting is outside what the encoder takes.
    case unsupported(String)
    /// A library reports an error.
    ///
    /// `code` is the library's own; for libheif, its code × 65 536 plus its subcode.
    case library(name: String, code: Int, text: String)
    /// The coded data is damaged or incomplete: the decoder went on, but the picture is not what was coded.
    case damaged(String)
    /// The coded data ended before there was a picture.
    case noPicture
    /// NAL units or parameter sets are malformed, or beyond the limits.
    case parse(ParseError)
  }

  extension HEVCError: CustomStringConvertible {
    /// The cause in one line.
    public var description: String {
      switch self {
      case .unsupported(let reason): "HEVC: \(reason)"
      case .library(let name, let code, let text): "\(name): \(text)" + (code == 0 ? "" : " (code \(code))")
      case .damaged(let reason): "the HEVC data is damaged: \(reason)"
      case .noPicture: "the HEVC data holds no whole picture"
      case .parse(let error): "HEVC: \(error.description)"
      }
    }
  }

  extension HEVCError {
    /// What a function of the bridge said.
    package init(_ error: lp_error) {
      var error = unsafe error
      // SAFETY: both texts are C strings; the first lives in `error`, which outlasts the call, the other for ever.
      let text = unsafe withUnsafePointer(to: &error) { unsafe String(cString: lp_error_text($0)) }
      switch unsafe error.status {
      case LP_INVALID, LP_UNSUPPORTED: self = .unsupported(text)
      default:
        self = unsafe .library(name: String(cString: error.library), code: Int(error.code), text: text)
      }
    }
  }

  /// Calls a function of the bridge and throws what it reports.
  package func bridged(_ body: (UnsafeMutablePointer<lp_error>) -> lp_status) throws(HEVCError) {
    var error = unsafe lp_error()
    // SAFETY: the error is only written to during the call.
    let status = unsafe withUnsafeMutablePointer(to: &error) { unsafe body($0) }
    if status != LP_OK { throw unsafe HEVCError(error) }
  }
#endif
