import LivePhotoBitstream
import LivePhotoCore
import LivePhotoH264
import Testing

/// What is not decoded is refused by its name.
@Suite struct RefusalTests {
  /// A sequence parameter set of the Baseline profile: one macroblock, no reordering.
  private static let sequence = unit(0x67) { bits in
    bits.fixed(66, count: 8)
    bits.fixed(0, count: 8)
    bits.fixed(10, count: 8)
    for value: UInt32 in [0, 0, 2, 1] { bits.unsigned(value) }
    bits.fixed(0, count: 1)
    for value: UInt32 in [0, 0] { bits.unsigned(value) }
    bits.fixed(0b1100, count: 4)
  }

  /// A picture parameter set of variable lengths, with so many slice groups.
  private static func pictureSet(groups: UInt32) -> [UInt8] {
    unit(0x68) { bits in
      for value: UInt32 in [0, 0] { bits.unsigned(value) }
      bits.fixed(0, count: 2)
      bits.unsigned(groups - 1)
      if groups > 1 {
        bits.unsigned(0)
        for _ in 0..<groups { bits.unsigned(0) }
      }
      for value: UInt32 in [0, 0] { bits.unsigned(value) }
      bits.fixed(0, count: 3)
      for value: UInt32 in [0, 0, 0] { bits.unsigned(value) }
      bits.fixed(0, count: 3)
    }
  }

  private static func slice(type: UInt32) -> [UInt8] {
    unit(0x65) { bits in
      for value: UInt32 in [0, type, 0] { bits.unsigned(value) }
      bits.fixed(0, count: 24)
    }
  }

  private static func unit(_ header: UInt8, _ body: (inout Bits) -> Void) -> [UInt8] {
    var bits = Bits()
    body(&bits)
    return [header] + EmulationPrevention.inserted(into: bits.bytes.span)
  }

  private func refusal(of units: [[UInt8]]) -> H264Error? {
    var decoder = H264Decoder()
    do { try decoder.decode(units) } catch { return error }
    return nil
  }

  @Test(arguments: [3, 4] as [UInt32]) func switchingSlices(type: UInt32) {
    let units = [Self.sequence, Self.pictureSet(groups: 1), Self.slice(type: type)]
    #expect(refusal(of: units) == .unsupported("an SP or SI slice"))
  }

  @Test func sliceGroups() {
    let units = [Self.sequence, Self.pictureSet(groups: 2), Self.slice(type: 7)]
    #expect(refusal(of: units) == .unsupported("flexible macroblock ordering (slice groups)"))
  }

  @Test(arguments: [0x42, 0x43, 0x44] as [UInt8]) func partitions(header: UInt8) {
    #expect(refusal(of: [[header, 0x80]]) == .unsupported("data partitioning"))
  }

  @Test func aSliceWithoutItsSets() {
    #expect(refusal(of: [Self.slice(type: 7)]) == .damaged("PPS 0 is missing"))
    #expect(refusal(of: [Self.sequence, Self.slice(type: 7)]) == .damaged("PPS 0 is missing"))
  }
}

/// A payload, bit by bit.
private struct Bits {
  private var digits = ""

  /// A number in so many bits.
  mutating func fixed(_ value: UInt32, count: Int) {
    let text = String(value, radix: 2)
    digits += String(repeating: "0", count: count - text.count) + text
  }

  /// An unsigned Exp-Golomb code.
  mutating func unsigned(_ value: UInt32) {
    let text = String(value + 1, radix: 2)
    digits += String(repeating: "0", count: text.count - 1) + text
  }

  /// The bytes, with the stop bit and zeros behind it.
  var bytes: [UInt8] {
    var rest = (digits + "1")[...]
    var bytes: [UInt8] = []
    while !rest.isEmpty {
      let byte = rest.prefix(8)
      bytes.append(UInt8(byte + String(repeating: "0", count: 8 - byte.count), radix: 2) ?? 0)
      rest = rest.dropFirst(8)
    }
    return bytes
  }
}
