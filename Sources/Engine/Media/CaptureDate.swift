import LivePhotoCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A moment with the clock of the place where it was: what Exif's date tags and their offsets hold.
struct CaptureDate: Equatable {
  /// The instant.
  var date: Date
  /// Seconds east of Greenwich; nil where the source does not say, and then `date` is read as local time.
  var offset: Int?

  /// The first moment of a QuickTime header's clock, 1904-01-01 UTC, in seconds of Unix time.
  private static let quickTimeEpoch = -2_082_844_800.0

  /// Half a microsecond: by how much a binary fraction may fall short of the decimal one that is meant.
  private static let tolerance = 0.000_000_5

  /// Reads `2026-01-02T03:04:05+0100`, with `Z`, `+01:00`, a fraction or no offset as well.
  init?(quickTime text: String) {
    let pattern =
      /([0-9]{4})-([0-9]{2})-([0-9]{2})[T ]([0-9]{2}):([0-9]{2}):([0-9]{2})(\.[0-9]+)?(?:(Z)|([+-])([01][0-9]):?([0-5][0-9]))?/
    guard let match = text.wholeMatch(of: pattern) else { return nil }
    var components = DateComponents()
    components.year = Int(match.1)
    components.month = Int(match.2)
    components.day = Int(match.3)
    components.hour = Int(match.4)
    components.minute = Int(match.5)
    components.second = Int(match.6)
    if match.8 != nil {
      offset = 0
    } else if let sign = match.9, let hours = match.10.flatMap({ Int($0) }), let minutes = match.11.flatMap({ Int($0) })
    {
      offset = (hours * 60 + minutes) * (sign == "-" ? -60 : 60)
    }
    let calendar = Self.calendar(offset: offset ?? 0)
    guard components.isValidDate(in: calendar), let whole = calendar.date(from: components) else { return nil }
    date = whole.addingTimeInterval(match.7.flatMap { Double($0) } ?? 0)
  }

  /// A time of a movie header: seconds since 1904, in UTC.
  ///
  /// Zero means that it was not set.
  init?(movieHeader seconds: UInt64) {
    // Before 1970 no camera wrote movies; such values are clocks that were never set.
    guard seconds > 2_082_844_800, seconds < 1 << 33 else { return nil }
    date = Date(timeIntervalSince1970: Self.quickTimeEpoch + Double(seconds))
    offset = 0
  }

  /// The same clock, some seconds later.
  func advanced(by seconds: Double) -> CaptureDate {
    var later = self
    later.date += seconds
    return later
  }

  /// `2026:01:02 03:04:05`, as Exif writes it.
  var exifText: String {
    let parts = Self.calendar(offset: offset ?? 0)
      .dateComponents([.year, .month, .day, .hour, .minute, .second], from: wholeSecond)
    let pad = { (value: Int?, width: Int) in
      let text = String(value ?? 0)
      return String(repeating: "0", count: max(0, width - text.count)) + text
    }
    return
      "\(pad(parts.year, 4)):\(pad(parts.month, 2)):\(pad(parts.day, 2)) \(pad(parts.hour, 2)):\(pad(parts.minute, 2)):\(pad(parts.second, 2))"
  }

  /// Milliseconds behind the second, as Exif's SubSecTime tags hold them.
  var exifSubseconds: String {
    let fraction = date.timeIntervalSince1970 + Self.tolerance - wholeSecond.timeIntervalSince1970
    let milliseconds = Int((fraction * 1000).rounded(.down))
    let text = String(min(max(milliseconds, 0), 999))
    return String(repeating: "0", count: 3 - text.count) + text
  }

  /// `+01:00`, as Exif's OffsetTime tags hold it; nil where the source does not say.
  var exifOffset: String? {
    offset.map { offset in
      let minutes = abs(offset) / 60
      let pad = { (value: Int) in value < 10 ? "0\(value)" : "\(value)" }
      return "\(offset < 0 ? "-" : "+")\(pad(minutes / 60)):\(pad(minutes % 60))"
    }
  }

  /// The instant without its fraction.
  ///
  /// A fraction within half a microsecond of the next second belongs to that one: binary fractions of decimal seconds
  /// fall short of them.
  private var wholeSecond: Date {
    Date(timeIntervalSince1970: (date.timeIntervalSince1970 + Self.tolerance).rounded(.down))
  }

  private static func calendar(offset: Int) -> Calendar {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = TimeZone(secondsFromGMT: offset) ?? .gmt
    return calendar
  }
}
