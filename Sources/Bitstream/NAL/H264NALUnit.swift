public import LivePhotoCore

/// What an H.264 NAL unit holds (ITU-T H.264, table 7-1).
public struct H264NALUnitType: RawRepresentable, Hashable, Sendable {
  /// `nal_unit_type`, 0 to 31.
  public var rawValue: UInt8

  /// A type by number.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// A slice of a picture that is no IDR.
  public static let slice = Self(rawValue: 1)
  /// Partition A of a slice: headers and motion.
  public static let partitionA = Self(rawValue: 2)
  /// Partition B of a slice: intra residual.
  public static let partitionB = Self(rawValue: 3)
  /// Partition C of a slice: inter residual.
  public static let partitionC = Self(rawValue: 4)
  /// A slice of an IDR picture.
  public static let idrSlice = Self(rawValue: 5)
  /// Supplemental enhancement information.
  public static let sei = Self(rawValue: 6)
  /// A sequence parameter set.
  public static let sps = Self(rawValue: 7)
  /// A picture parameter set.
  public static let pps = Self(rawValue: 8)
  /// An access unit delimiter.
  public static let accessUnitDelimiter = Self(rawValue: 9)
  /// The end of a sequence.
  public static let endOfSequence = Self(rawValue: 10)
  /// The end of the stream.
  public static let endOfStream = Self(rawValue: 11)
  /// Filler data.
  public static let fillerData = Self(rawValue: 12)
  /// A sequence parameter set extension, for alpha.
  public static let spsExtension = Self(rawValue: 13)
  /// A prefix of the unit that follows, in scalable and multiview streams.
  public static let prefix = Self(rawValue: 14)
  /// A sequence parameter set of a scalable or multiview layer.
  public static let subsetSPS = Self(rawValue: 15)
  /// A slice of an auxiliary coded picture.
  public static let auxiliarySlice = Self(rawValue: 19)
  /// A slice of a scalable or multiview layer.
  public static let sliceExtension = Self(rawValue: 20)

  /// Whether it is a slice, or a partition of one, of a primary or redundant coded picture.
  public var isVCL: Bool { (1...5).contains(rawValue) }
  /// Whether it belongs to an instantaneous decoding refresh.
  public var isIDR: Bool { self == .idrSlice }
  /// Whether it is a sequence parameter set, its extension or subset, or a picture parameter set.
  public var isParameterSet: Bool { [.sps, .pps, .spsExtension, .subsetSPS].contains(self) }
}

extension H264NALUnitType: CustomStringConvertible {
  /// A short name, `IDR`, or `NAL 24`.
  public var description: String { Self.names[rawValue] ?? "NAL \(rawValue)" }

  private static let names: [UInt8: String] = [
    1: "slice", 2: "partition A", 3: "partition B", 4: "partition C", 5: "IDR", 6: "SEI", 7: "SPS", 8: "PPS",
    9: "AUD", 10: "end of sequence", 11: "end of stream", 12: "filler", 13: "SPS extension", 14: "prefix",
    15: "subset SPS", 19: "auxiliary slice", 20: "slice extension",
  ]
}

/// The first byte of an H.264 NAL unit (ITU-T H.264, 7.3.1).
public struct H264NALUnitHeader: Hashable, Sendable {
  /// What the unit holds.
  public var type: H264NALUnitType
  /// `nal_ref_idc`, 0 to 3; 0 says that no other picture refers to this one.
  public var referenceIDC: UInt8

  /// The number of bytes before the payload.
  public static let size = 1

  /// Reads the header of the unit that begins at the first byte of `unit`.
  ///
  /// - Throws: ``LivePhotoCore/ParseError`` when there is no byte or the forbidden bit is set.
  public init(parsing unit: Span<UInt8>) throws(ParseError) {
    var cursor = ByteCursor(unit)
    let byte = try cursor.readUInt8()
    guard byte >> 7 == 0 else {
      throw .invalid("forbidden_zero_bit", found: "1", expected: "0", at: Place(offset: 0))
    }
    type = H264NALUnitType(rawValue: byte & 31)
    referenceIDC = byte >> 5 & 3
  }

  /// Calls `body` with a reader over the payload of `unit`, which has to be of one of `types`.
  ///
  /// Errors are reported inside `name`, with offsets in the payload as it is without emulation prevention.
  static func readPayload<Content>(
    of unit: Span<UInt8>, named name: String, types: [H264NALUnitType],
    _ body: (inout BitReader) throws(ParseError) -> Content
  ) throws(ParseError) -> Content {
    do throws(ParseError) {
      let header = try H264NALUnitHeader(parsing: unit)
      guard types.contains(header.type) else {
        throw .invalid("nal_unit_type", found: "\(header.type)", expected: name, at: Place(offset: 0))
      }
      let rbsp = EmulationPrevention.removed(from: unit.extracting(size..<unit.count))
      var reader = BitReader(rbsp.span, base: size)
      return try body(&reader)
    } catch { throw error.inside(name) }
  }
}
