public import LivePhotoCore

/// The content of an `hvcC` box: what a decoder needs before the first sample (ISO/IEC 14496-15, 8.3.3.1).
///
/// Reading and writing without a change gives the same bytes, reserved bits and unknown bytes at the end included.
public struct HEVCDecoderConfiguration: Hashable, Sendable {
  /// NAL units of one type.
  public struct UnitArray: Hashable, Sendable {
    /// `array_completeness`, a reserved bit, and the type, as they stand in the file.
    fileprivate var head: UInt8
    /// The units, headers included, without length or start code.
    public var units: [[UInt8]] { storage }
    fileprivate var storage: [[UInt8]]

    /// What the units hold.
    public var type: HEVCNALUnitType { HEVCNALUnitType(rawValue: head & 63) }
    /// Whether samples hold no units of this type, as `hvc1` asks of parameter sets.
    public var isComplete: Bool { head >> 7 == 1 }
  }

  /// Profile, tier and level.
  public let profileTierLevel: HEVCProfileTierLevel
  /// How samples are cut into units.
  public let framing: NALFraming
  /// The 23 bytes before the arrays, as they stand in the file.
  private var head: [UInt8]
  /// The NAL units, type by type, in the order of the file.
  public private(set) var arrays: [UnitArray]
  /// What follows the arrays: nothing, in all known files.
  private var trailing: [UInt8]
}

// MARK: Fields

extension HEVCDecoderConfiguration {
  /// The chroma planes.
  public var chroma: ChromaFormat { ChromaFormat(rawValue: head[16] & 3) ?? .yuv420 }
  /// Bits a luma sample, 8 to 15.
  public var lumaBitDepth: Int { Int(head[17] & 7) + 8 }
  /// Bits a chroma sample, 8 to 15.
  public var chromaBitDepth: Int { Int(head[18] & 7) + 8 }
  /// Temporal sub-layers; 0 when it is not known.
  public var temporalLayers: Int { Int(head[21] >> 3 & 7) }
  /// Whether all sequence parameter sets are temporally nested.
  public var isTemporalIDNested: Bool { head[21] >> 2 & 1 == 1 }
  /// The units of a type, in order.
  public func units(_ type: HEVCNALUnitType) -> [[UInt8]] {
    arrays.filter { $0.type == type }.flatMap(\.units)
  }

  /// All video, sequence and picture parameter sets, in the order in which a decoder wants them.
  public var parameterSets: [[UInt8]] { units(.vps) + units(.sps) + units(.pps) }

  /// The first sequence parameter set, which says how pictures look.
  ///
  /// - Throws: ``LivePhotoCore/ParseError/missing(_:at:)`` when there is none, or what reading it throws.
  public func sequenceParameterSet(limits: Limits = .standard) throws(ParseError) -> HEVCSequenceParameterSet {
    guard let unit = units(.sps).first else {
      throw .missing("a sequence parameter set", at: Place(offset: 0, path: ["hvcC"]))
    }
    return try HEVCSequenceParameterSet(parsing: unit.span, limits: limits)
  }
}

// MARK: Reading and writing

extension HEVCDecoderConfiguration {
  /// Reads the payload of an `hvcC` box: all that is left in `cursor`.
  ///
  /// The parameter sets themselves are not read.
  ///
  /// - Throws: ``LivePhotoCore/ParseError`` when it is cut off, of another version than 1, or has three-byte lengths.
  public init(parsing cursor: inout ByteCursor) throws(ParseError) {
    let start = cursor.place
    head = try cursor.readBytes(23)
    guard head[0] == 1 else {
      throw .invalid("configurationVersion", found: "\(head[0])", expected: "1", at: start)
    }
    profileTierLevel = try Self.profileTierLevel(in: head)
    framing = try NALFraming(lengthSizeMinusOne: head[21] & 3, at: start)
    arrays = []
    for _ in 0..<head[22] {
      var array = UnitArray(head: try cursor.readUInt8(), storage: [])
      for _ in 0..<(try cursor.readUInt16()) {
        array.storage.append(try cursor.readBytes(Int(try cursor.readUInt16())))
      }
      arrays.append(array)
    }
    trailing = cursor.readRemaining()
  }

  private static func profileTierLevel(in head: [UInt8]) throws(ParseError) -> HEVCProfileTierLevel {
    var reader = BitReader(head.span)
    try reader.skipBits(8)
    return try HEVCProfileTierLevel(parsing: &reader)
  }

  /// The payload of an `hvcC` box.
  public var bytes: [UInt8] {
    var writer = ByteWriter()
    writer.write(head)
    for array in arrays {
      writer.writeUInt8(array.head)
      writer.writeUInt16(UInt16(array.units.count))
      for unit in array.units {
        writer.writeUInt16(UInt16(unit.count))
        writer.write(unit)
      }
    }
    writer.write(trailing)
    return writer.bytes
  }
}

// MARK: Authoring

extension HEVCDecoderConfiguration {
  /// The configuration with further parameter sets, each put behind those of its kind, and with all of these complete.
  ///
  /// - Throws: ``LivePhotoCore/ParseError`` when a unit is no parameter set, too long, or one too many.
  public func adding(_ units: [[UInt8]]) throws(ParseError) -> HEVCDecoderConfiguration {
    let kinds: [HEVCNALUnitType] = [.vps, .sps, .pps], place = Place(offset: 0, path: ["hvcC"])
    var result = self
    for unit in units {
      let type = try HEVCNALUnitHeader(parsing: unit.span).type
      guard let kind = kinds.firstIndex(of: type) else {
        throw .invalid("nal_unit_type", found: "\(type)", expected: "VPS, SPS or PPS", at: place)
      }
      let index =
        result.arrays.firstIndex { $0.type == type }
        ?? {
          // Arrays of other kinds, such as SEI, come behind those of parameter sets.
          let place = result.arrays.firstIndex { kinds[...kind].contains($0.type) == false } ?? result.arrays.count
          result.arrays.insert(UnitArray(head: type.rawValue, storage: []), at: place)
          return place
        }()
      guard unit.count <= UInt16.max, result.arrays[index].units.count < UInt16.max, result.arrays.count <= 255 else {
        throw .beyondLimit("bytes of a parameter set", found: unit.count, limit: Int(UInt16.max), at: place)
      }
      if !result.arrays[index].units.contains(unit) { result.arrays[index].storage.append(unit) }
    }
    for index in result.arrays.indices where kinds.contains(result.arrays[index].type) {
      result.arrays[index].head |= 0x80
    }
    result.head[22] = UInt8(truncatingIfNeeded: result.arrays.count)
    return result
  }

  /// A configuration for `hvc1` samples with four-byte lengths, from video, sequence and picture parameter sets.
  ///
  /// They are whole NAL units, headers included, in any order; one that is given twice is kept once.
  ///
  /// - Throws: ``LivePhotoCore/ParseError/missing(_:at:)`` when one of the three kinds is not there; `invalid` for
  ///   another kind of unit or sets that contradict each other; what reading a set throws.
  public init(parameterSets: [[UInt8]]) throws(ParseError) {
    let kinds: [HEVCNALUnitType] = [.vps, .sps, .pps]
    var groups: [[[UInt8]]] = [[], [], []]
    for unit in parameterSets {
      let type = try HEVCNALUnitHeader(parsing: unit.span).type
      guard let kind = kinds.firstIndex(of: type) else {
        throw .invalid("nal_unit_type", found: "\(type)", expected: "VPS, SPS or PPS", at: Place(offset: 0))
      }
      guard unit.count <= UInt16.max else {
        throw .beyondLimit(
          "bytes of a parameter set", found: unit.count, limit: Int(UInt16.max), at: Place(offset: 0))
      }
      if !groups[kind].contains(unit) { groups[kind].append(unit) }
    }
    for (kind, group) in zip(kinds, groups) where group.isEmpty {
      throw .missing("\(kind)", at: Place(offset: 0, path: ["hvcC"]))
    }
    var sets: [HEVCSequenceParameterSet] = []
    for unit in groups[1] { sets.append(try HEVCSequenceParameterSet(parsing: unit.span)) }
    head = try Self.head(for: sets)
    profileTierLevel = try Self.profileTierLevel(in: head)
    framing = .lengthPrefixed(.four)
    arrays = zip(kinds, groups).map { UnitArray(head: 0x80 | $0.rawValue, storage: $1) }
    trailing = []
  }

  /// The 23 bytes before the arrays: all that is reserved is 1, all that is not known is 0.
  private static func head(for sets: [HEVCSequenceParameterSet]) throws(ParseError) -> [UInt8] {
    guard let first = sets.first else { throw .missing("SPS", at: Place(offset: 0, path: ["hvcC"])) }
    let format = first.format
    guard max(format.lumaBitDepth, format.chromaBitDepth) < 16 else {
      throw .unsupported("a bit depth of 16 in hvcC", at: Place(offset: 0, path: ["hvcC"]))
    }
    for other in sets.dropFirst() {
      let isSame =
        other.format.chroma == format.chroma && other.format.lumaBitDepth == format.lumaBitDepth
        && other.format.chromaBitDepth == format.chromaBitDepth
      guard isSame else {
        throw .invalid(
          "chroma format or bit depth", found: "different ones", expected: "the same in all sequence parameter sets",
          at: Place(offset: 0, path: ["hvcC"]))
      }
    }
    let level = sets.dropFirst().reduce(first.profileTierLevel) { $0.union($1.profileTierLevel) }
    let layers = sets.map(\.maxSubLayers).max() ?? 1
    let isNested = sets.allSatisfy(\.isTemporalIDNested)

    var writer = ByteWriter()
    writer.writeUInt8(1)
    level.write(to: &writer)
    writer.writeUInt16(0xF000)  // min_spatial_segmentation_idc
    writer.writeUInt8(0xFC)  // parallelismType
    writer.writeUInt8(0xFC | format.chroma.rawValue)
    writer.writeUInt8(0xF8 | UInt8(format.lumaBitDepth - 8) & 7)
    writer.writeUInt8(0xF8 | UInt8(format.chromaBitDepth - 8) & 7)
    writer.writeUInt16(0)  // avgFrameRate
    writer.writeUInt8(UInt8(layers) << 3 | (isNested ? 4 : 0) | 3)
    writer.writeUInt8(3)  // numOfArrays
    return writer.bytes
  }
}

extension NALFraming {
  /// The framing of samples whose configuration says `lengthSizeMinusOne`.
  init(lengthSizeMinusOne: UInt8, at place: Place) throws(ParseError) {
    guard let size = LengthSize(rawValue: Int(lengthSizeMinusOne) + 1) else {
      throw .invalid("lengthSizeMinusOne", found: "\(lengthSizeMinusOne)", expected: "0, 1 or 3", at: place)
    }
    self = .lengthPrefixed(size)
  }
}
