import Foundation
import LivePhotoCore
import Testing

@testable import LivePhotoEngine

@Suite struct CaptureDateTests {
  @Test func keepsTheClockOfThePlace() throws {
    let date = try #require(CaptureDate(quickTime: "2031-12-31T23:59:58+0530"))
    #expect(date.exifText == "2031:12:31 23:59:58")
    #expect(date.exifOffset == "+05:30")
    let later = date.advanced(by: 2.25)
    #expect(later.exifText == "2032:01:01 00:00:00")
    #expect(later.exifSubseconds == "250")
    #expect(later.exifOffset == "+05:30")
  }

  @Test(arguments: [
    ("2031-02-03T04:05:06Z", "+00:00"), ("2031-02-03T04:05:06-03:00", "-03:00"), ("2031-02-03 04:05:06", nil),
  ]) func readsEachForm(text: String, offset: String?) throws {
    let date = try #require(CaptureDate(quickTime: text))
    #expect(date.exifText == "2031:02:03 04:05:06")
    #expect(date.exifOffset == offset)
  }

  @Test(arguments: ["", "yesterday", "2031-13-01T00:00:00Z", "2031-02-30T00:00:00Z", "2031-02-03T04:05:06+0"])
  func refusesWhatIsNoDate(text: String) {
    #expect(CaptureDate(quickTime: text) == nil)
  }

  @Test func countsHeadersFrom1904() throws {
    // 2_082_844_800 seconds lie between 1904-01-01 and 1970-01-01.
    let date = try #require(CaptureDate(movieHeader: 2_082_844_800 + 86_400))
    #expect(date.exifText == "1970:01:02 00:00:00")
    #expect(date.exifOffset == "+00:00")
    #expect(CaptureDate(movieHeader: 0) == nil)
    #expect(CaptureDate(movieHeader: .max) == nil)
  }

  @Test func decimalFractionsDoNotFallShort() throws {
    // 0.3 is below three tenths in binary.
    let date = try #require(CaptureDate(quickTime: "2031-02-03T04:05:06Z")).advanced(by: 0.1 + 0.2)
    #expect(date.exifSubseconds == "300")
    let whole = try #require(CaptureDate(quickTime: "2031-02-03T04:05:06Z")).advanced(by: 0.999_999_9)
    #expect(whole.exifText == "2031:02:03 04:05:07")
    #expect(whole.exifSubseconds == "000")
  }
}

@Suite struct ISO6709Tests {
  @Test(arguments: [
    ("+12.5000-098.2500+012.500/", 12.5, -98.25, 12.5 as Double?), ("-00.5+000.5/", -0.5, 0.5, nil),
    ("+1230-09815/", 12.5, -98.25, nil), ("+123000-0981500+7/", 12.5, -98.25, 7),
    ("+12.5-098.25+1CRSWGS_84/", 12.5, -98.25, 1),
  ]) func readsDegreesMinutesAndSeconds(text: String, latitude: Double, longitude: Double, altitude: Double?) throws {
    let position = try #require(GPSPosition(iso6709: text))
    #expect(abs(position.latitude - latitude) < 1e-9)
    #expect(abs(position.longitude - longitude) < 1e-9)
    #expect(position.altitude == altitude)
  }

  @Test(arguments: ["", "12.5-98.25", "+91.0+000.0/", "+00.0+181.0/", "+123456789+1/", "north"])
  func refusesWhatIsNoPosition(text: String) {
    #expect(GPSPosition(iso6709: text) == nil)
  }
}
