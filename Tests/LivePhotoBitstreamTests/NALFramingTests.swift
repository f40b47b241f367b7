import LivePhotoBitstream
import LivePhotoCore
import TestSupport
import Testing

@Suite("Framing of NAL units")
struct NALFramingTests {
  private static let framings: [NALFraming] = [
    .annexB, .lengthPrefixed(.one), .lengthPrefixed(.two), .lengthPrefixed(.four),
  ]

  @Test("Units come back as they were joined", arguments: framings)
  func roundTrip(framing: NALFraming) throws {
    var generator = SplitMix64(seed: 3)
    let units = (0..<50).map { index in
      // A unit begins with its header, which is not zero, and holds no start code.
      [0x67] + escaped((0..<Int.random(in: 0...150, using: &generator)).map { _ in UInt8(generator.next() % 5) })
    }
    let bytes = try framing.joined(units)
    let ranges = try framing.units(in: bytes.span)
    #expect(ranges.map { Array(bytes[$0]) } == units)
  }

  @Test("Start codes of three and four bytes, leading and trailing zeros, and what precedes the first one")
  func startCodes() throws {
    let bytes: [UInt8] = [9, 0, 0, 0, 0, 1, 0x67, 5, 0, 0, 1, 0x68, 0, 0, 0, 1, 0, 0, 1, 0x65, 0, 0, 3, 1, 0, 0]
    let ranges = try NALFraming.annexB.units(in: bytes.span)
    #expect(ranges == [6..<8, 11..<12, 19..<24])
    for rest in [[], [0], [0, 0], [0, 0, 1], [0, 0, 0, 1], [1, 2, 3, 4]] as [[UInt8]] {
      let none = try NALFraming.annexB.units(in: rest.span)
      #expect(none.isEmpty)
    }
  }

  @Test("A length beyond the end is refused, an empty unit left out")
  func lengths() throws {
    let framing = NALFraming.lengthPrefixed(.four)
    let whole: [UInt8] = [0, 0, 0, 2, 7, 8, 0, 0, 0, 0, 0, 0, 0, 1, 9]
    let ranges = try framing.units(in: whole.span)
    #expect(ranges == [4..<6, 14..<15])
    for count in whole.indices where ![0, 6, 10].contains(count) {
      let cut = Array(whole[..<count])
      #expect(throws: ParseError.self) { try framing.units(in: cut.span) }
    }
    let huge: [UInt8] = [0xFF, 0xFF, 0xFF, 0xFF, 1]
    let error = #expect(throws: ParseError.self) { try framing.units(in: huge.span, base: 100) }
    #expect(error == .truncated(needed: 0xFFFF_FFFF, available: 1, at: Place(offset: 104)))
  }

  @Test("A unit too long for its length is refused")
  func tooLong() throws {
    let unit = [UInt8](repeating: 1, count: 256)
    #expect(throws: ParseError.self) { try NALFraming.lengthPrefixed(.one).joined([unit]) }
    let joined = try NALFraming.lengthPrefixed(.two).joined([unit])
    #expect(joined.count == 258)
  }
}

@Suite("Emulation prevention")
struct EmulationPreventionTests {
  @Test("What an encoder inserts is removed")
  func roundTrip() {
    var generator = SplitMix64(seed: 4)
    for length in 0..<300 {
      let payload = (0..<length).map { _ in UInt8(generator.next() % 4) } + [0x80]
      let unit = escaped(payload)
      #expect(EmulationPrevention.removed(from: unit.span) == payload)
    }
  }

  @Test(
    "Each 3 behind two zeros goes, and nothing else",
    arguments: [
      ([0, 0, 3], [0, 0]), ([0, 0, 3, 0, 0, 3], [0, 0, 0, 0]), ([0, 0, 3, 3], [0, 0, 3]),
      ([0, 3, 0, 3], [0, 3, 0, 3]),
      ([0, 0, 0, 3, 1], [0, 0, 0, 1]), ([3, 0, 0], [3, 0, 0]), ([1, 0, 0, 3, 0, 3], [1, 0, 0, 0, 3]), ([], []),
    ] as [([UInt8], [UInt8])])
  func cases(unit: [UInt8], payload: [UInt8]) {
    #expect(EmulationPrevention.removed(from: unit.span) == payload)
  }
}
