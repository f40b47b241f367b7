public import LivePhotoCore

/// The content of an `avcC` box: what a decoder needs before the first sample (ISO/IEC 14496-15, 5.3.3.1).
///
/// Reading and writing without a change gives the same bytes, reserved bits and what follows the parameter sets
/// included.
public struct AVCDecoderConfiguration: Hashable, Sendable {
  /// The sequence parameter sets, headers included, without length or start code.
  public let sequenceParameterSets: [[UInt8]]
  /// The picture parameter sets, likewise.
  public let pictureParameterSets: [[UInt8]]
  /// How samples are cut into units.
  public let framing: NALFraming
  /// The six bytes before the sequence parameter sets, as they stand in the file.
  private let head: [UInt8]
  /// What follows the picture parameter sets: chroma format, bit depths and SPS extensions of high profiles.
  private let trailing: [UInt8]

  /// `AVCProfileIndication`, the `profile_idc` of the parameter sets.
  public var profile: UInt8 { head[1] }
  /// `profile_compatibility`, the constraint flags of the parameter sets.
  public var constraintFlags: UInt8 { head[2] }
  /// `AVCLevelIndication`, the `level_idc` of the parameter sets.
  public var level: UInt8 { head[3] }

  /// All parameter sets, in the order in which a decoder wants them.
  public var parameterSets: [[UInt8]] { sequenceParameterSets + pictureParameterSets }

  /// The first sequence parameter set, which says how pictures look.
  ///
  /// - Throws: ``LivePhotoCore/ParseError/missing(_:at:)`` when there is none, or what reading it throws.
  public func sequenceParameterSet(limits: Limits = .standard) throws(ParseError) -> H264SequenceParameterSet {
    guard let unit = sequenceParameterSets.first else {
      throw .missing("a sequence parameter set", at: Place(offset: 0, path: ["avcC"]))
    }
    return try H264SequenceParameterSet(parsing: unit.span, limits: limits)
  }
}

// MARK: Reading and writing

extension AVCDecoderConfiguration {
  /// Reads the payload of an `avcC` box: all that is left in `cursor`.
  ///
  /// The parameter sets themselves are not read.
  ///
  /// - Throws: ``LivePhotoCore/ParseError`` when it is cut off, of another version than 1, or has three-byte lengths.
  public init(parsing cursor: inout ByteCursor) throws(ParseError) {
    let start = cursor.place
    head = try cursor.readBytes(6)
    guard head[0] == 1 else {
      throw .invalid("configurationVersion", found: "\(head[0])", expected: "1", at: start)
    }
    framing = try NALFraming(lengthSizeMinusOne: head[4] & 3, at: start)
    sequenceParameterSets = try Self.readUnits(&cursor, count: head[5] & 31)
    pictureParameterSets = try Self.readUnits(&cursor, count: try cursor.readUInt8())
    trailing = cursor.readRemaining()
  }

  private static func readUnits(_ cursor: inout ByteCursor, count: UInt8) throws(ParseError) -> [[UInt8]] {
    var units: [[UInt8]] = []
    for _ in 0..<count { units.append(try cursor.readBytes(Int(try cursor.readUInt16()))) }
    return units
  }

  /// The payload of an `avcC` box.
  public var bytes: [UInt8] {
    var writer = ByteWriter()
    writer.write(head)
    Self.write(sequenceParameterSets, to: &writer)
    writer.writeUInt8(UInt8(pictureParameterSets.count))
    Self.write(pictureParameterSets, to: &writer)
    writer.write(trailing)
    return writer.bytes
  }

  private static func write(_ units: [[UInt8]], to writer: inout ByteWriter) {
    for unit in units {
      writer.writeUInt16(UInt16(unit.count))
      writer.write(unit)
    }
  }
}

// MARK: Authoring

extension AVCDecoderConfiguration {
  /// The configuration with further sequence and picture parameter sets, each behind those of its kind.
  ///
  /// - Throws: ``LivePhotoCore/ParseError`` when a unit is neither, too long, or one too many.
  public func adding(_ units: [[UInt8]]) throws(ParseError) -> AVCDecoderConfiguration {
    let place = Place(offset: 0, path: ["avcC"])
    var (sequences, pictures) = (sequenceParameterSets, pictureParameterSets)
    for unit in units {
      let type = try H264NALUnitHeader(parsing: unit.span).type
      guard type == .sps || type == .pps else {
        throw .invalid("nal_unit_type", found: "\(type)", expected: "SPS or PPS", at: place)
      }
      guard unit.count <= UInt16.max else {
        throw .beyondLimit("bytes of a parameter set", found: unit.count, limit: Int(UInt16.max), at: place)
      }
      if type == .sps, !sequences.contains(unit) { sequences.append(unit) }
      if type == .pps, !pictures.contains(unit) { pictures.append(unit) }
    }
    guard sequences.count <= 31, pictures.count <= 255 else {
      throw .beyondLimit("number of parameter sets", found: max(sequences.count, pictures.count), limit: 31, at: place)
    }
    var head = head
    head[5] = head[5] & 0xE0 | UInt8(sequences.count)
    return AVCDecoderConfiguration(
      sequenceParameterSets: sequences, pictureParameterSets: pictures, framing: framing, head: head,
      trailing: trailing)
  }

  /// A configuration for `avc1` samples with four-byte lengths, from parameter sets.
  ///
  /// Sequence parameter sets, their extensions and picture parameter sets are whole NAL units, headers included, in any
  /// order; one that is given twice is kept once.
  ///
  /// - Throws: ``LivePhotoCore/ParseError/missing(_:at:)`` when there is no sequence or no picture parameter set;
  ///   `invalid` for another kind of unit; `beyondLimit` for too many or too long ones; what reading a set throws.
  public init(parameterSets: [[UInt8]]) throws(ParseError) {
    let place = Place(offset: 0, path: ["avcC"])
    let kinds: [H264NALUnitType] = [.sps, .pps, .spsExtension], limits = [31, 255, 255]
    var groups: [[[UInt8]]] = [[], [], []]
    for unit in parameterSets {
      let type = try H264NALUnitHeader(parsing: unit.span).type
      guard let kind = kinds.firstIndex(of: type) else {
        throw .invalid("nal_unit_type", found: "\(type)", expected: "SPS, SPS extension or PPS", at: place)
      }
      guard unit.count <= UInt16.max else {
        throw .beyondLimit("bytes of a parameter set", found: unit.count, limit: Int(UInt16.max), at: place)
      }
      if !groups[kind].contains(unit) { groups[kind].append(unit) }
    }
    for (kind, (group, limit)) in zip(kinds, zip(groups, limits)) where group.count > limit {
      throw .beyondLimit("number of \(kind)s", found: group.count, limit: limit, at: place)
    }
    guard let first = groups[0].first else { throw .missing("SPS", at: place) }
    guard !groups[1].isEmpty else { throw .missing("PPS", at: place) }
    let set = try H264SequenceParameterSet(parsing: first.span)
    head = [1, set.profile, set.constraintFlags, set.level, 0xFF, 0xE0 | UInt8(groups[0].count)]
    framing = .lengthPrefixed(.four)
    sequenceParameterSets = groups[0]
    pictureParameterSets = groups[1]
    trailing = Self.extensionBytes(for: set, extensions: groups[2])
  }

  /// What high profiles add behind the picture parameter sets.
  private static func extensionBytes(for set: H264SequenceParameterSet, extensions: [[UInt8]]) -> [UInt8] {
    guard ![66, 77, 88].contains(set.profile) else { return [] }
    var writer = ByteWriter()
    writer.writeUInt8(0xFC | set.format.chroma.rawValue)
    writer.writeUInt8(0xF8 | UInt8(set.format.lumaBitDepth - 8))
    writer.writeUInt8(0xF8 | UInt8(set.format.chromaBitDepth - 8))
    writer.writeUInt8(UInt8(extensions.count))
    write(extensions, to: &writer)
    return writer.bytes
  }
}
