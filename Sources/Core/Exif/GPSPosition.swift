/// A place on the earth, in WGS 84.
public struct GPSPosition: Sendable, Equatable {
  /// Degrees north, -90 to 90.
  public let latitude: Double
  /// Degrees east, -180 to 180.
  public let longitude: Double
  /// Metres above sea level, where known; within ±4 million.
  public let altitude: Double?

  /// A position; nil when a coordinate is outside its range or no number.
  public init?(latitude: Double, longitude: Double, altitude: Double? = nil) {
    guard (-90...90).contains(latitude), (-180...180).contains(longitude) else { return nil }
    if let altitude, !(-4e6...4e6).contains(altitude) { return nil }
    self.latitude = latitude
    self.longitude = longitude
    self.altitude = altitude
  }
}

// MARK: As Exif fields (CIPA DC-008, 4.6.6)

extension GPSPosition {
  /// The fields of a GPS directory, version 2.3: coordinates to 1/10000 of a second (3 mm), altitude to a millimetre.
  var fields: [TIFFField] {
    var fields: [TIFFField] = [
      .bytes(.gpsVersionID, [2, 3, 0, 0]),
      .ascii(.gpsLatitudeRef, latitude < 0 ? "S" : "N"),
      .rationals(.gpsLatitude, Self.sexagesimal(latitude)),
      .ascii(.gpsLongitudeRef, longitude < 0 ? "W" : "E"),
      .rationals(.gpsLongitude, Self.sexagesimal(longitude)),
    ]
    if let altitude {
      let millimetres = UInt32((altitude.magnitude * 1000).rounded())
      fields.append(.bytes(.gpsAltitudeRef, [altitude < 0 ? 1 : 0]))
      fields.append(.rationals(.gpsAltitude, [(millimetres, UInt32(1000))]))
    }
    return fields
  }

  private static func sexagesimal(_ degrees: Double) -> [(numerator: UInt32, denominator: UInt32)] {
    // Rounded once, so that no 60 seconds arise.
    let units = UInt64((degrees.magnitude * 36_000_000).rounded())
    let parts = [(units / 36_000_000, 1), (units / 600_000 % 60, 1), (units % 600_000, 10_000)] as [(UInt64, UInt32)]
    return parts.map { (UInt32(truncatingIfNeeded: $0), $1) }
  }
}

extension ExifBlock {
  /// The position in the GPS directory; nil when there is none or it cannot be read.
  public var position: GPSPosition? {
    guard let latitude = degrees(.gpsLatitude, .gpsLatitudeRef, negative: "S"),
      let longitude = degrees(.gpsLongitude, .gpsLongitudeRef, negative: "W")
    else { return nil }
    let height = field(.gpsAltitude, in: .gps)?.rationals?.first?.value
    let isBelow = field(.gpsAltitudeRef, in: .gps)?.unsignedIntegers?.first == 1
    let altitude = height.map { isBelow ? -$0 : $0 }
    return GPSPosition(latitude: latitude, longitude: longitude, altitude: altitude)
      ?? GPSPosition(latitude: latitude, longitude: longitude)
  }

  private func degrees(_ tag: TIFFTag, _ reference: TIFFTag, negative: String) -> Double? {
    guard let parts = field(tag, in: .gps)?.rationals, parts.count == 3, let degrees = parts[0].value else {
      return nil
    }
    let sum = degrees + (parts[1].value ?? 0) / 60 + (parts[2].value ?? 0) / 3600
    return field(reference, in: .gps)?.text == negative ? -sum : sum
  }
}
