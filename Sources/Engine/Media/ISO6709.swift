import LivePhotoCore

extension GPSPosition {
  /// Reads `+12.3456-098.7654+012.3/` (ISO 6709, annex H): degrees, or degrees and minutes, or those and seconds, told
  /// by the number of digits.
  init?(iso6709 text: String) {
    let pattern = /([+-]\d+(?:\.\d+)?)([+-]\d+(?:\.\d+)?)([+-]\d+(?:\.\d+)?)?(?:CRS[^\/]*)?\/?/
    guard let match = text.wholeMatch(of: pattern),
      let latitude = Self.degrees(match.1, degreeDigits: 2),
      let longitude = Self.degrees(match.2, degreeDigits: 3)
    else { return nil }
    self.init(latitude: latitude, longitude: longitude, altitude: match.3.flatMap { Double($0) })
  }

  private static func degrees(_ text: Substring, degreeDigits: Int) -> Double? {
    guard let value = Double(text) else { return nil }
    let digits = text.dropFirst().prefix { $0 != "." }.count
    let magnitude = abs(value)
    let sign = value < 0 ? -1.0 : 1.0
    switch digits - degreeDigits {
    case ...0: return value
    case 1...2:
      let degrees = (magnitude / 100).rounded(.down)
      return sign * (degrees + (magnitude - degrees * 100) / 60)
    case 3...4:
      let degrees = (magnitude / 10000).rounded(.down)
      let minutes = ((magnitude - degrees * 10000) / 100).rounded(.down)
      return sign * (degrees + minutes / 60 + (magnitude - degrees * 10000 - minutes * 100) / 3600)
    default: return nil
    }
  }
}
