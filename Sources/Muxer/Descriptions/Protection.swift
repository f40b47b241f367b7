public import LivePhotoCore

/// How the samples of a description are encrypted, `sinf` (ISO/IEC 14496-12, 8.12; ISO/IEC 23001-7).
///
/// Protected samples are counted and placed like others; nothing here decrypts them.
public struct Protection: Equatable, Sendable {
  /// The coding of the samples once they are decrypted, from `frma`.
  public let originalFormat: FourCC
  /// The scheme from `schm`: `cenc`, `cbc1`, `cens`, `cbcs`; nil where none is named.
  public let scheme: FourCC?

  /// Reads the payload of a `sinf` box; nil when it names no original format.
  init?(payload: [UInt8]) {
    var originalFormat: FourCC?
    var scheme: FourCC?
    var cursor = ByteCursor(payload.span)
    for box in DescriptionExtension.list(parsing: &cursor) {
      var content = ByteCursor(box.payload.span)
      switch box.type {
      case "frma": originalFormat = try? content.readFourCC()
      case "schm": scheme = content.peekFourCC(ahead: 4)
      default: break
      }
    }
    guard let originalFormat else { return nil }
    self.originalFormat = originalFormat
    self.scheme = scheme
  }
}

extension SampleDescription {
  /// How the samples are encrypted; nil where they are not, or where the entry does not say.
  public var protection: Protection? {
    let extensions = video?.extensions ?? audio?.extensions ?? []
    return extensions.lazy.compactMap { $0.type == "sinf" ? Protection(payload: $0.payload) : nil }.first
  }

  /// Whether the samples are encrypted, however the entry describes that.
  public var isProtected: Bool {
    protection != nil || ["encv", "enca", "enct", "encs", "encm", "encf", "drmi", "drms"].contains(format)
  }

  /// The coding of the samples, which ``format`` hides where they are encrypted.
  public var coding: FourCC { protection?.originalFormat ?? format }
}
