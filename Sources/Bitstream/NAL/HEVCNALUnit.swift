public import LivePhotoCore

/// What an HEVC NAL unit holds (ITU-T H.265, table 7-1).
public struct HEVCNALUnitType: RawRepresentable, Hashable, Sendable {
  /// `nal_unit_type`, 0 to 63.
  public var rawValue: UInt8

  /// A type by number.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// A trailing picture that no picture of its sub-layer refers to.
  public static let trailN = Self(rawValue: 0)
  /// A trailing picture.
  public static let trailR = Self(rawValue: 1)
  /// A leading picture that decodes after random access, not referred to.
  public static let radlN = Self(rawValue: 6)
  /// A leading picture that decodes after random access.
  public static let radlR = Self(rawValue: 7)
  /// A leading picture that has to be dropped after random access, not referred to.
  public static let raslN = Self(rawValue: 8)
  /// A leading picture that has to be dropped after random access.
  public static let raslR = Self(rawValue: 9)
  /// A broken link with leading pictures of all kinds.
  public static let blaWLP = Self(rawValue: 16)
  /// A broken link whose leading pictures all decode.
  public static let blaWRADL = Self(rawValue: 17)
  /// A broken link without leading pictures.
  public static let blaNLP = Self(rawValue: 18)
  /// An instantaneous decoding refresh that may have leading pictures.
  public static let idrWRADL = Self(rawValue: 19)
  /// An instantaneous decoding refresh without leading pictures.
  public static let idrNLP = Self(rawValue: 20)
  /// A clean random access picture.
  public static let cra = Self(rawValue: 21)
  /// A video parameter set.
  public static let vps = Self(rawValue: 32)
  /// A sequence parameter set.
  public static let sps = Self(rawValue: 33)
  /// A picture parameter set.
  public static let pps = Self(rawValue: 34)
  /// An access unit delimiter.
  public static let accessUnitDelimiter = Self(rawValue: 35)
  /// The end of a sequence.
  public static let endOfSequence = Self(rawValue: 36)
  /// The end of the bitstream.
  public static let endOfBitstream = Self(rawValue: 37)
  /// Filler data.
  public static let fillerData = Self(rawValue: 38)
  /// Supplemental enhancement information in front of the picture.
  public static let prefixSEI = Self(rawValue: 39)
  /// Supplemental enhancement information behind the picture.
  public static let suffixSEI = Self(rawValue: 40)

  /// Whether it is a slice segment of a picture.
  public var isVCL: Bool { rawValue < 32 }
  /// Whether decoding can begin at its picture: BLA, IDR and CRA, and the two reserved for such.
  public var isIRAP: Bool { (16...23).contains(rawValue) }
  /// Whether it belongs to an instantaneous decoding refresh.
  public var isIDR: Bool { self == .idrWRADL || self == .idrNLP }
  /// Whether it belongs to a leading picture that cannot be decoded when decoding began at its IRAP.
  public var isRASL: Bool { self == .raslN || self == .raslR }
  /// Whether it belongs to a leading picture that can.
  public var isRADL: Bool { self == .radlN || self == .radlR }
  /// Whether it is a video, sequence or picture parameter set.
  public var isParameterSet: Bool { (32...34).contains(rawValue) }
  /// Whether it is supplemental enhancement information.
  public var isSEI: Bool { self == .prefixSEI || self == .suffixSEI }
}

extension HEVCNALUnitType: CustomStringConvertible {
  /// The standard's name, `IDR_W_RADL`, or `NAL 41`.
  public var description: String { Self.names[rawValue] ?? "NAL \(rawValue)" }

  private static let names: [UInt8: String] = [
    0: "TRAIL_N", 1: "TRAIL_R", 2: "TSA_N", 3: "TSA_R", 4: "STSA_N", 5: "STSA_R", 6: "RADL_N", 7: "RADL_R",
    8: "RASL_N", 9: "RASL_R", 16: "BLA_W_LP", 17: "BLA_W_RADL", 18: "BLA_N_LP", 19: "IDR_W_RADL", 20: "IDR_N_LP",
    21: "CRA", 32: "VPS", 33: "SPS", 34: "PPS", 35: "AUD", 36: "EOS", 37: "EOB", 38: "FD", 39: "PREFIX_SEI",
    40: "SUFFIX_SEI",
  ]
}

/// The first two bytes of an HEVC NAL unit (ITU-T H.265, 7.3.1.2).
public struct HEVCNALUnitHeader: Hashable, Sendable {
  /// What the unit holds.
  public var type: HEVCNALUnitType
  /// `nuh_layer_id`, 0 to 63; 0 is the base layer, the one that every decoder shows.
  public var layerID: UInt8
  /// The temporal sub-layer, 0 to 6.
  public var temporalID: UInt8

  /// The number of bytes before the payload.
  public static let size = 2

  /// Reads the header of the unit that begins at the first byte of `unit`.
  ///
  /// - Throws: ``LivePhotoCore/ParseError`` when there are fewer than two bytes, the forbidden bit is set, or
  ///   `nuh_temporal_id_plus1` is 0.
  public init(parsing unit: Span<UInt8>) throws(ParseError) {
    var cursor = ByteCursor(unit)
    let word = try cursor.readUInt16()
    guard word >> 15 == 0 else {
      throw .invalid("forbidden_zero_bit", found: "1", expected: "0", at: Place(offset: 0))
    }
    guard word & 7 > 0 else {
      throw .invalid("nuh_temporal_id_plus1", found: "0", expected: "1 to 7", at: Place(offset: 1))
    }
    type = HEVCNALUnitType(rawValue: UInt8(truncatingIfNeeded: word >> 9 & 63))
    layerID = UInt8(truncatingIfNeeded: word >> 3 & 63)
    temporalID = UInt8(truncatingIfNeeded: word & 7 - 1)
  }

  /// Calls `body` with a reader over the payload of `unit`, whose type has to be an expected one.
  ///
  /// Errors are reported inside `name`, with offsets in the payload as it is without emulation prevention. No more
  /// than `limit` bytes of the payload are looked at.
  static func readPayload<Content>(
    of unit: Span<UInt8>, named name: String, limit: Int = .max, if isExpected: (HEVCNALUnitType) -> Bool,
    _ body: (HEVCNALUnitHeader, inout BitReader) throws(ParseError) -> Content
  ) throws(ParseError) -> Content {
    do throws(ParseError) {
      let header = try HEVCNALUnitHeader(parsing: unit)
      guard isExpected(header.type) else {
        throw .invalid("nal_unit_type", found: "\(header.type)", expected: name, at: Place(offset: 0))
      }
      let payload = unit.extracting(size..<unit.count).extracting(first: limit)
      let rbsp = EmulationPrevention.removed(from: payload)
      var reader = BitReader(rbsp.span, base: size)
      return try body(header, &reader)
    } catch { throw error.inside(name) }
  }
}
