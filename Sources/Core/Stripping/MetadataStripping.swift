/// Which metadata is left out of files on purpose, so that no trace of it is in their bytes.
public enum MetadataStripping: String, Sendable, CaseIterable {
  /// Where something was: positions, names of places, and whatever may hold one and cannot be looked into.
  case location
  /// All that describes, but for what makes a Live Photo of two files and what decoding and display need.
  case all
}

/// How names and texts are told that say where something was.
public enum PlaceNames {
  private static let parts = [
    "location", "gps", "latitude", "longitude", "altitude", "iso6709", "geotag", "coordinate", "placename",
  ]
  private static let words: Set<String> = [
    "lat", "lon", "lng", "geo", "place", "city", "state", "country", "countrycode", "countryname", "province",
    "address",
    "neighborhood", "county", "direction",
  ]

  /// Whether a key or property of this name says where something was: `com.apple.quicktime.location.ISO6709`,
  /// `GPSLatitude`, `City`.
  public static func matches(_ name: String) -> Bool {
    let name = name.lowercased()
    if parts.contains(where: { name.contains($0) }) { return true }
    return name.split { !$0.isLetter && !$0.isNumber }.contains { words.contains(String($0)) }
  }

  /// Whether a text begins with a position as of ISO 6709: `+12.3456-098.7654/`.
  public static func isPosition(_ text: String) -> Bool {
    var rest = Array(text.utf8)[...]
    while rest.first == 0x20 { rest.removeFirst() }
    return takeNumber(&rest, digits: 2) && takeNumber(&rest, digits: 3)
  }

  /// Steps over a sign, at least some digits and a fraction.
  private static func takeNumber(_ text: inout ArraySlice<UInt8>, digits: Int) -> Bool {
    guard let number = SignedNumber(taking: &text) else { return false }
    return number.whole >= digits
  }
}

// MARK: Positions inside texts

extension PlaceNames {
  /// Whether a text in ASCII, UTF-8 or UTF-16 holds a position anywhere: one of ISO 6709 (annex H) such as
  /// `+12.3456-098.7654/`, or a `geo:` URI (RFC 5870).
  ///
  /// Latitude and longitude have as many digits as the standard says, and a fraction or the `/` at the end; or each a
  /// fraction of three digits at least.
  public static func holdsPosition(_ text: some Sequence<UInt8>) -> Bool {
    // The zeros between the letters of UTF-16 are passed over, and so both byte orders are read.
    let letters = text.filter { $0 != 0 }
    return letters.indices.contains { index in
      switch letters[index] {
      case 0x2B, 0x2D: beginsWithPosition(letters[index...])
      case 0x67, 0x47: beginsWithURI(letters[index...])
      default: false
      }
    }
  }

  private static func beginsWithPosition(_ letters: ArraySlice<UInt8>) -> Bool {
    var rest = letters
    guard let latitude = SignedNumber(taking: &rest), let longitude = SignedNumber(taking: &rest) else { return false }
    if latitude.fraction >= 3, longitude.fraction >= 3 { return true }
    guard [2, 4, 6].contains(latitude.whole), [3, 5, 7].contains(longitude.whole) else { return false }
    if latitude.fraction > 0 || longitude.fraction > 0 { return true }
    _ = SignedNumber(taking: &rest)
    return rest.first == 0x2F || rest.starts(with: "CRS".utf8)
  }

  private static func beginsWithURI(_ letters: ArraySlice<UInt8>) -> Bool {
    guard letters.prefix(4).map({ $0 | 0x20 }) == Array("geo:".utf8) else { return false }
    var rest = letters.dropFirst(4)
    let isNumber = SignedNumber(taking: &rest, needsSign: false) != nil
    guard isNumber, rest.first == 0x2C else { return false }
    rest = rest.dropFirst()
    return SignedNumber(taking: &rest, needsSign: false) != nil
  }
}

/// The numbers of digits of a decimal number.
private struct SignedNumber {
  /// Those before the point; at least one.
  let whole: Int
  /// Those behind it.
  let fraction: Int

  /// Steps over a number with its sign; nil where none is.
  init?(taking text: inout ArraySlice<UInt8>, needsSign: Bool = true) {
    var rest = text
    if rest.first == 0x2B || rest.first == 0x2D { rest = rest.dropFirst() } else if needsSign { return nil }
    whole = Self.takeDigits(&rest)
    guard whole > 0 else { return nil }
    if rest.first == 0x2E {
      rest = rest.dropFirst()
      fraction = Self.takeDigits(&rest)
    } else {
      fraction = 0
    }
    text = rest
  }

  private static func takeDigits(_ text: inout ArraySlice<UInt8>) -> Int {
    let rest = text.drop { (0x30...0x39).contains($0) }
    defer { text = rest }
    return text.count - rest.count
  }
}
