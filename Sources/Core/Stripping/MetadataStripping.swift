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
    guard text.first == 0x2B || text.first == 0x2D else { return false }
    text.removeFirst()
    let whole = text.prefix { (0x30...0x39).contains($0) }
    text = text.dropFirst(whole.count)
    if text.first == 0x2E { text = text.dropFirst().drop { (0x30...0x39).contains($0) } }
    return whole.count >= digits
  }
}
