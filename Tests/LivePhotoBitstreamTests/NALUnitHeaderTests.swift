import LivePhotoBitstream
import LivePhotoCore
import Testing

@Suite("NAL unit headers")
struct NALUnitHeaderTests {
  @Test("HEVC: type, layer and sub-layer")
  func hevc() throws {
    let unit: [UInt8] = [0x2A, 0x0B]
    let header = try HEVCNALUnitHeader(parsing: unit.span)
    #expect(header.type == .cra)
    #expect(header.layerID == 1)
    #expect(header.temporalID == 2)
    for bad in [[], [0x40], [0xC0, 1], [0x40, 0]] as [[UInt8]] {
      #expect(throws: ParseError.self) { () throws in _ = try HEVCNALUnitHeader(parsing: bad.span) }
    }
  }

  @Test("HEVC: what kinds of type there are")
  func hevcKinds() {
    let types = (0..<64 as Range<UInt8>).map(HEVCNALUnitType.init(rawValue:))
    #expect(types.filter(\.isIRAP).map(\.rawValue) == Array(16...23))
    #expect(types.filter(\.isIDR) == [.idrWRADL, .idrNLP])
    #expect(types.filter(\.isVCL).count == 32)
    #expect(types.filter(\.isParameterSet) == [.vps, .sps, .pps])
    #expect(types.filter(\.isRASL) == [.raslN, .raslR])
    #expect(types.filter(\.isRADL) == [.radlN, .radlR])
    #expect(types.filter(\.isSEI) == [.prefixSEI, .suffixSEI])
    #expect(HEVCNALUnitType.idrWRADL.description == "IDR_W_RADL")
    #expect(HEVCNALUnitType(rawValue: 41).description == "NAL 41")
  }

  @Test("H.264: type and reference")
  func h264() throws {
    let unit: [UInt8] = [0x65]
    let header = try H264NALUnitHeader(parsing: unit.span)
    #expect(header.type == .idrSlice && header.type.isIDR && header.type.isVCL)
    #expect(header.referenceIDC == 3)
    for bad in [[], [0xE7]] as [[UInt8]] {
      #expect(throws: ParseError.self) { () throws in _ = try H264NALUnitHeader(parsing: bad.span) }
    }
    let sets = (0..<32 as Range<UInt8>).map(H264NALUnitType.init(rawValue:)).filter(\.isParameterSet)
    #expect(sets == [.sps, .pps, .spsExtension, .subsetSPS])
  }

  @Test("HEVC: the beginning of a slice segment")
  func slice() throws {
    // An IDR: first segment, output of prior pictures, PPS 3 (00100).
    let idr: [UInt8] = [0x26, 0x01, 0b1_0_00100_1, 0xFF]
    let first = try HEVCSliceHeader(parsing: idr.span)
    #expect(first.isFirstInPicture && first.ppsID == 3 && first.header.type == .idrWRADL)
    // A trailing picture: no further flag before PPS 0 (1).
    let trailing: [UInt8] = [0x02, 0x01, 0b0_1_000000]
    let second = try HEVCSliceHeader(parsing: trailing.span)
    #expect(!second.isFirstInPicture && second.ppsID == 0)
    let set: [UInt8] = [0x44, 0x01, 0xC0]
    #expect(throws: ParseError.self) { () throws in _ = try HEVCSliceHeader(parsing: set.span) }
  }
}
