import LivePhotoCore

/// What samples of a track's fragments are unless a fragment says otherwise, `trex` (ISO/IEC 14496-12, 8.8.3).
struct FragmentDefaults {
  /// The sample description, counted from 1.
  var description: UInt32 = 1
  /// In ticks of the track's time scale.
  var duration: UInt32 = 0
  /// In bytes.
  var size: UInt32 = 0
  /// The sample flags of 8.8.3.1.
  var flags: UInt32 = 0
}

extension FragmentDefaults {
  /// Reads the payload of an `mvex` box: the defaults of each track by its identifier.
  static func all(parsing cursor: inout ByteCursor, limits: Limits) throws(ParseError) -> [UInt32: FragmentDefaults] {
    var defaults: [UInt32: FragmentDefaults] = [:]
    try cursor.forEachBox(limit: limits.boxesPerContainer) { (box, content) throws(ParseError) in
      guard box.type == "trex" else { return }
      _ = try content.readVersionAndFlags()
      let track = try content.readUInt32()
      defaults[track] = FragmentDefaults(
        description: try content.readUInt32(), duration: try content.readUInt32(), size: try content.readUInt32(),
        flags: try content.readUInt32())
    }
    return defaults
  }
}

/// The header of a track fragment, `tfhd` (ISO/IEC 14496-12, 8.8.7), over the track's defaults.
struct TrackFragmentHeader {
  let trackID: UInt32
  /// Where the fragment's data are counted from; nil when that follows from what surrounds it.
  private(set) var baseDataOffset: Int?
  /// Whether data are counted from the start of the `moof` box.
  let isBaseMovieFragment: Bool
  /// What holds for samples that say nothing themselves.
  private(set) var defaults: FragmentDefaults

  init(parsing cursor: inout ByteCursor, defaults tracks: [UInt32: FragmentDefaults]) throws(ParseError) {
    let flags = try cursor.readVersionAndFlags().flags
    trackID = try cursor.readUInt32()
    isBaseMovieFragment = flags & 0x02_0000 != 0
    defaults = tracks[trackID] ?? FragmentDefaults()
    if flags & 0x01 != 0 {
      let place = cursor.place
      let offset = try cursor.readUInt64()
      guard let exact = Int(exactly: offset) else {
        throw .invalid("base data offset", found: "\(offset)", expected: "less than 2^63", at: place)
      }
      baseDataOffset = exact
    }
    if flags & 0x02 != 0 { defaults.description = try cursor.readUInt32() }
    if flags & 0x08 != 0 { defaults.duration = try cursor.readUInt32() }
    if flags & 0x10 != 0 { defaults.size = try cursor.readUInt32() }
    if flags & 0x20 != 0 { defaults.flags = try cursor.readUInt32() }
  }
}
