import LivePhotoBitstream
import LivePhotoCore
import TestSupport
import Testing

@Suite("Codec strings")
struct CodecStringTests {
  /// The twelve bytes of profile, tier and level, and the string of ISO/IEC 14496-15, E.3.
  private static let levels: [([UInt8], String)] = [
    ([0x01, 0x60, 0, 0, 0, 0xB0, 0, 0, 0, 0, 0, 120], "hvc1.1.6.L120.B0"),
    ([0x02, 0x20, 0, 0, 0, 0x90, 0, 0, 0, 0, 0, 93], "hvc1.2.4.L93.90"),
    ([0x24, 0x08, 0, 0, 0, 0x9E, 0x38, 0, 0, 0, 0, 153], "hvc1.4.10.H153.9E.38"),
    ([0x41, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 30], "hvc1.A1.1.L30"),
    ([0xC2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 9, 30], "hvc1.C2.80000000.L30.0.0.0.0.0.9"),
  ]

  @Test("HEVC", arguments: levels)
  func hevc(bytes: [UInt8], text: String) throws {
    let head = [1] + bytes + [0xF0, 0, 0xFC, 0xFD, 0xF8, 0xF8, 0, 0, 0x0F, 0]
    var cursor = ByteCursor(head.span)
    let configuration = try HEVCDecoderConfiguration(parsing: &cursor)
    #expect(configuration.profileTierLevel.codecString() == text)
    #expect(configuration.bytes == head)
  }

  @Test("H.264")
  func h264() throws {
    var random = RandomParameterSets(seed: 1)
    for _ in 0..<20 {
      let unit = random.h264SPS()
      let text = try H264SequenceParameterSet(parsing: unit.span).codecString(sampleEntry: "avc3")
      let value = try #require(UInt32(text.dropFirst(5), radix: 16))
      #expect(text.hasPrefix("avc3.") && text.count == 11)
      #expect(value == UInt32(unit[1]) << 16 | UInt32(unit[2]) << 8 | UInt32(unit[3]))
    }
  }
}
