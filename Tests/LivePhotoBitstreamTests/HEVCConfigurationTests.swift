import LivePhotoBitstream
import LivePhotoCore
import TestSupport
import Testing

@Suite("Configurations and stores of parameter sets")
struct HEVCConfigurationTests {
  private static let pps: [UInt8] = [0x44, 0x01, 0xC1, 0x73, 0xC1, 0x89]

  @Test("Each kind has to be there, and no other")
  func kinds() throws {
    var random = RandomParameterSets(seed: 9)
    let vps = random.vps(subLayers: 1), sps = random.hevcSPS(depths: 0...7)
    let whole = try HEVCDecoderConfiguration(parameterSets: [Self.pps, sps, vps, sps])
    #expect(whole.arrays.map(\.type) == [.vps, .sps, .pps])
    #expect(whole.arrays.filter(\.isComplete).count == 3)
    #expect(whole.parameterSets == [vps, sps, Self.pps])
    #expect(whole.framing == .lengthPrefixed(.four))
    for rest in [[vps, sps], [vps, Self.pps], [sps, Self.pps], [], [vps, sps, Self.pps, [0x4E, 1, 0x80]]] {
      #expect(throws: ParseError.self) { try HEVCDecoderConfiguration(parameterSets: rest) }
    }
  }

  @Test("Reserved bits and bytes at the end stay as they were")
  func verbatim() throws {
    let payload: [UInt8] =
      [1] + [UInt8](repeating: 0xA5, count: 12) + [0x0A, 1, 2, 3, 4, 5, 6, 7, 0x4B, 1, 0x61, 0, 1, 0, 2, 9, 9] + [
        7, 7, 7,
      ]
    var cursor = ByteCursor(payload.span)
    let configuration = try HEVCDecoderConfiguration(parsing: &cursor)
    #expect(configuration.bytes == payload)
    #expect(configuration.units(.sps) == [[9, 9]])
    #expect(!configuration.arrays[0].isComplete)
    let version = [UInt8(2)] + payload.dropFirst()
    var other = ByteCursor(version.span)
    #expect(throws: ParseError.self) { () throws in _ = try HEVCDecoderConfiguration(parsing: &other) }
  }

  @Test("A repeated set is known, a changed one is new, and renews the sets that are read in its light")
  func store() throws {
    var random = RandomParameterSets(seed: 12)
    let vps = random.vps(subLayers: 2)
    // Two sets with one identifier.
    let first = random.hevcSPS()
    let id = try HEVCSequenceParameterSet(parsing: first.span).id
    var second = random.hevcSPS()
    while try HEVCSequenceParameterSet(parsing: second.span).id != id { second = random.hevcSPS() }
    var store = HEVCParameterSetStore()
    for unit in [vps, first, Self.pps] {
      #expect(try store.insert(unit))
      #expect(try !store.insert(unit))
    }
    #expect(try store.insert(second))
    #expect(try store.insert(Self.pps))
    #expect(try !store.insert(vps))
    #expect(try store.insert(first))
    let slice: [UInt8] = [0x26, 1, 0x80]
    #expect(throws: ParseError.self) { try store.insert(slice) }
  }
}
