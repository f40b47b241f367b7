import LivePhotoBitstream
import LivePhotoCore

/// The parameter sets that stand among the samples of a video track.
struct InBandParameterSets {
  /// The units, each once, in the order of the samples.
  private(set) var units: [[UInt8]] = []
  /// Whether one set never takes the place of another of its identity.
  private(set) var isConstant = true
  private var byIdentity: [ParameterSetIdentity: [UInt8]] = [:]

  /// Sets of one coding.
  struct Coding {
    /// The number of bytes before each unit.
    let lengthSize: Int
    /// Whether it is HEVC, else H.264.
    let isHEVC: Bool

    /// Whether a unit of a picture begins with a byte, and whether one of a parameter set does.
    func kind(of byte: UInt8) -> (isPicture: Bool, isSet: Bool) {
      if isHEVC {
        let type = HEVCNALUnitType(rawValue: byte >> 1 & 63)
        return (type.isVCL, type == .vps || type == .sps || type == .pps)
      }
      let type = byte & 31
      return ((1...5).contains(type), [7, 8].contains(type))
    }

    func identity(of unit: [UInt8]) throws(ParseError) -> ParameterSetIdentity {
      if isHEVC { try ParameterSetIdentity(hevc: unit) } else { try ParameterSetIdentity(h264: unit) }
    }
  }

  /// Of a sample, what is read first: parameter sets come before the picture.
  private static let headSize = 512
  /// Far more bytes than parameter sets take, and more samples than a clip has.
  private static let largestHead = 1 << 20, mostSamples = 1 << 20
  /// Bytes of all heads together that are longer than what is read first: samples may all be at one place.
  private static let mostBytes = 64 << 20

  /// Looks through the samples of a description.
  ///
  /// - Parameter known: the sets of the decoder's configuration.
  /// - Throws: ``ParseError`` when a sample is damaged, cannot be read, or there are too many.
  init(
    of track: Track, description: Int, known: [[UInt8]], coding: Coding, source: any ByteSource
  ) throws(ParseError) {
    for unit in known { try add(unit, coding) }
    guard track.samples.count <= Self.mostSamples else {
      throw .beyondLimit(
        "samples to look for parameter sets in", found: track.samples.count, limit: Self.mostSamples,
        at: Place(offset: 0))
    }
    var budget = Self.mostBytes
    for sample in track.samples where sample.descriptionIndex == description {
      for unit in try Self.sets(in: sample.range, coding, source, budget: &budget) { try add(unit, coding) }
      if !isConstant { return }
    }
  }

  private mutating func add(_ unit: [UInt8], _ coding: Coding) throws(ParseError) {
    let identity = try coding.identity(of: unit)
    if let present = byIdentity[identity] {
      if present != unit { isConstant = false }
    } else {
      byIdentity[identity] = unit
      units.append(unit)
    }
  }

  /// The parameter sets before the picture of a sample.
  private static func sets(
    in range: Range<Int>, _ coding: Coding, _ source: any ByteSource, budget: inout Int
  ) throws(ParseError) -> [[UInt8]] {
    var sets: [[UInt8]] = []
    var bytes = try source.parseBytes(range.prefix(headSize))
    var position = 0
    while position + coding.lengthSize < range.count {
      let needed = position + coding.lengthSize + 1
      if needed > bytes.count { bytes = try more(range, upTo: needed, source, budget: &budget) }
      let length = bytes[position..<position + coding.lengthSize].reduce(0) { $0 << 8 | Int($1) }
      let start = position + coding.lengthSize
      guard length > 0, length <= range.count - start else {
        throw .invalid(
          "length of a NAL unit", found: "\(length)", expected: "1 to \(range.count - start)",
          at: Place(offset: range.lowerBound + position))
      }
      let kind = coding.kind(of: bytes[start])
      if kind.isPicture { return sets }
      if kind.isSet {
        if start + length > bytes.count { bytes = try more(range, upTo: start + length, source, budget: &budget) }
        sets.append(Array(bytes[start..<start + length]))
      }
      position = start + length
    }
    return sets
  }

  private static func more(
    _ range: Range<Int>, upTo count: Int, _ source: any ByteSource, budget: inout Int
  ) throws(ParseError) -> [UInt8] {
    guard count <= largestHead else {
      throw .beyondLimit(
        "bytes before a picture", found: count, limit: largestHead, at: Place(offset: range.lowerBound))
    }
    let head = range.prefix(max(count, min(4 * count, largestHead)))
    budget -= head.count
    guard budget >= 0 else {
      throw .beyondLimit(
        "bytes before all pictures", found: mostBytes - budget, limit: mostBytes, at: Place(offset: range.lowerBound))
    }
    return try source.parseBytes(head)
  }
}
