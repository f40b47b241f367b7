public import LivePhotoCore

/// The tools and sizes that a decoder has to master: the general part of `profile_tier_level()`
/// (ITU-T H.265, 7.3.3), which stands in the same twelve bytes in parameter sets and in `hvcC`.
public struct HEVCProfileTierLevel: Hashable, Sendable {
  /// `general_profile_space`, 0 to 3; only 0 is in use.
  public var profileSpace: UInt8
  /// Whether the tier is High rather than Main.
  public var isHighTier: Bool
  /// `general_profile_idc`, 0 to 31: 1 Main, 2 Main 10, 3 Main Still Picture, 4 range extensions.
  public var profile: UInt8
  /// `general_profile_compatibility_flag`; flag 0 is the highest bit.
  public var compatibilityFlags: UInt32
  /// The 48 bits from `general_progressive_source_flag` on; that flag is bit 47.
  public var constraintFlags: UInt64
  /// `general_level_idc`, 30 times the level's number: 93 is level 3.1.
  public var level: UInt8

  /// Whether the source is progressive.
  public var isProgressive: Bool { constraintFlags >> 47 & 1 == 1 }
  /// Whether the source is interlaced.
  public var isInterlaced: Bool { constraintFlags >> 46 & 1 == 1 }
  /// Whether pictures hold no frame packing of two views.
  public var isNonPacked: Bool { constraintFlags >> 45 & 1 == 1 }
  /// Whether all pictures are frames, not fields.
  public var isFrameOnly: Bool { constraintFlags >> 44 & 1 == 1 }

  /// The profile's name in ITU-T H.265, annex A, or `profile 12`.
  public var profileName: String {
    switch profile {
    case 1: "Main"
    case 2: "Main 10"
    case 3: "Main Still Picture"
    case 4: "Format Range Extensions"
    case 5: "High Throughput"
    case 6: "Multiview Main"
    case 7: "Scalable Main"
    case 8: "3D Main"
    case 9: "Screen-Extended"
    case 10: "Scalable Format Range Extensions"
    case 11: "High Throughput Screen-Extended"
    default: "profile \(profile)"
    }
  }

  /// The level's number, such as `3.1` or `4`.
  public var levelName: String {
    level % 30 == 0 ? "\(level / 30)" : "\(level / 30).\(level % 30 / 3)"
  }

  /// The number of bytes of the general part.
  static let size = 12

  /// Reads the twelve bytes of the general part.
  init(parsing reader: inout BitReader) throws(ParseError) {
    profileSpace = UInt8(try reader.readBits(2))
    isHighTier = try reader.readFlag()
    profile = UInt8(try reader.readBits(5))
    compatibilityFlags = try reader.readBits(32)
    let high = UInt64(try reader.readBits(16))
    constraintFlags = high << 32 | UInt64(try reader.readBits(32))
    level = UInt8(try reader.readBits(8))
  }

  /// Reads the general part, and steps over what is said of the sub-layers below the highest.
  init(parsing reader: inout BitReader, maxSubLayers: Int) throws(ParseError) {
    try self.init(parsing: &reader)
    guard maxSubLayers > 1 else { return }
    // Eight pairs of flags are written, for sub-layers that there are and for those that there are not.
    let flags = try reader.readBits(16)
    for index in 0..<maxSubLayers - 1 {
      if flags >> UInt32(15 - 2 * index) & 1 == 1 { try reader.skipBits(88) }
      if flags >> UInt32(14 - 2 * index) & 1 == 1 { try reader.skipBits(8) }
    }
  }

  /// Writes the twelve bytes of the general part.
  func write(to writer: inout ByteWriter) {
    writer.writeUInt8(profileSpace << 6 | (isHighTier ? 0x20 : 0) | profile & 31)
    writer.writeUInt32(compatibilityFlags)
    writer.writeUInt(constraintFlags, width: 6)
    writer.writeUInt8(level)
  }

  /// What decodes both: the higher tier and level, and only what both are compatible with
  /// (ISO/IEC 14496-15, 8.3.3.1.3).
  func union(_ other: HEVCProfileTierLevel) -> HEVCProfileTierLevel {
    var result = profile >= other.profile ? self : other
    result.isHighTier = isHighTier || other.isHighTier
    result.compatibilityFlags = compatibilityFlags & other.compatibilityFlags
    result.constraintFlags = constraintFlags & other.constraintFlags
    result.level = max(level, other.level)
    return result
  }
}

extension HEVCProfileTierLevel {
  /// The codec string of RFC 6381 with the elements of ISO/IEC 14496-15, E.3, such as `hvc1.1.6.L93.B0`.
  ///
  /// `sampleEntry` is the four-character code of the sample entry, `hvc1` or `hev1`.
  public func codecString(sampleEntry: FourCC = "hvc1") -> String {
    let space = profileSpace == 0 ? "" : ["A", "B", "C"][Int(profileSpace & 3) - 1]
    var reversed: UInt32 = 0
    for bit in 0..<32 as Range<UInt32> where compatibilityFlags >> bit & 1 == 1 { reversed |= 1 << (31 - bit) }
    var text = "\(sampleEntry).\(space)\(profile).\(Self.hex(UInt64(reversed))).\(isHighTier ? "H" : "L")\(level)"
    var rest = constraintFlags << 16
    while rest != 0 {
      text += "." + Self.hex(rest >> 56)
      rest <<= 8
    }
    return text
  }

  private static func hex(_ value: UInt64) -> String { String(value, radix: 16, uppercase: true) }
}
