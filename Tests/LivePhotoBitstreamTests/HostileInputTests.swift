import LivePhotoBitstream
import LivePhotoCore
import TestSupport
import Testing

@Suite("Damaged and hostile parameter sets")
struct HostileInputTests {
  /// Whole units of each kind, with all optional parts.
  private static let units: [[UInt8]] = {
    var random = RandomParameterSets(seed: 7)
    let pps: [[UInt8]] = [
      [0x44, 0x01, 0xC1, 0x73, 0xC1, 0x89], [0x68, 0xEB, 0xE3, 0xCB, 0x22, 0xC0], pictureSetOfSliceGroups,
    ]
    return pps + (1...7).map { random.vps(subLayers: $0) } + (0..<12).map { _ in random.hevcSPS() }
      + (0..<12).map { _ in random.h264SPS() }
  }()

  /// An H.264 PPS of two slice groups, the group of each of four units written out.
  private static let pictureSetOfSliceGroups: [UInt8] = {
    var writer = BitWriter()
    for value in [0, 0] as [UInt32] { writer.writeUE(value) }
    writer.write(0, 2)
    for value in [1, 6, 3] as [UInt32] { writer.writeUE(value) }
    writer.write(0b0101, 4)
    for value in [0, 0] as [UInt32] { writer.writeUE(value) }
    writer.write(0, 3)
    for value in [-2, 0, 3] as [Int32] { writer.writeSE(value) }
    writer.write(0b101, 3)
    writer.writeTrailingBits()
    return [0x68] + escaped(writer.bytes)
  }()

  @Test("Slice groups are stepped over")
  func sliceGroups() throws {
    let set = try H264PictureParameterSet(parsing: Self.pictureSetOfSliceGroups.span) { _ in nil }
    #expect(set.sliceGroups == 2 && set.initialQP == 24 && set.chromaQPOffsets == [3, 3])
    #expect(set.hasDeblockingControl && !set.isConstrainedIntra && set.hasRedundantPictures)
  }

  /// Reads `unit` as each kind of thing; says how often that succeeded.
  @discardableResult
  private static func readAll(_ unit: [UInt8]) -> Int {
    var count = 0
    func attempt(_ body: () throws -> Void) { if (try? body()) != nil { count += 1 } }
    attempt { _ = try HEVCVideoParameterSet(parsing: unit.span) }
    attempt { expectSane(try HEVCSequenceParameterSet(parsing: unit.span).format) }
    attempt { _ = try HEVCPictureParameterSet(parsing: unit.span) }
    attempt { _ = try HEVCSliceHeader(parsing: unit.span) }
    attempt {
      let set = try H264SequenceParameterSet(parsing: unit.span)
      expectSane(set.format)
      _ = (set.profileName, set.levelName, set.codecString())
    }
    attempt { _ = try H264PictureParameterSet(parsing: unit.span) { _ in nil } }
    attempt {
      var store = HEVCParameterSetStore()
      _ = try store.insert(unit)
    }
    attempt { _ = try HEVCDecoderConfiguration(parameterSets: [unit, [0x40, 1], [0x44, 1]]).bytes }
    attempt { _ = try AVCDecoderConfiguration(parameterSets: [unit, [0x68]]).bytes }
    return count
  }

  private static func expectSane(_ format: VideoFormat) {
    let limits = Limits.standard
    #expect(format.width > 0 && format.height > 0)
    #expect(format.area.x >= 0 && format.area.x + format.width <= format.codedWidth)
    #expect(format.area.y >= 0 && format.area.y + format.height <= format.codedHeight)
    #expect(max(format.codedWidth, format.codedHeight) <= limits.pictureSide)
    #expect(format.codedWidth * format.codedHeight <= limits.pixels)
    _ = format.pixelFormat
  }

  @Test("No truncation traps, and none of the parts that are read is taken for whole", arguments: units.indices)
  func truncated(index: Int) throws {
    let unit = Self.units[index]
    #expect(Self.readAll(unit) > 0)
    for part in truncations(of: unit, count: 300) { Self.readAll(part) }
    for length in 0..<min(3, unit.count) { #expect(Self.readAll(Array(unit[..<length])) == 0) }
  }

  @Test("No change of bytes traps", arguments: units.indices)
  func damaged(index: Int) throws {
    for copy in damagedCopies(of: Self.units[index], count: 150, seed: UInt64(index)) { Self.readAll(copy) }
  }

  @Test("No random bytes trap")
  func random() throws {
    var generator = SplitMix64(seed: 11)
    for header in [0x40, 0x42, 0x44, 0x26, 0x67, 0x68, 0x6F] as [UInt8] {
      for _ in 0..<300 { Self.readAll([header, 1] + generator.bytes(Int.random(in: 0...80, using: &generator))) }
      // Long runs of zeros and ones are where code lengths overflow.
      for byte in [0, 0xFF, 0x55, 3] as [UInt8] {
        for count in 0..<70 { Self.readAll([header, 1] + [UInt8](repeating: byte, count: count) + [0x80]) }
      }
    }
  }

  @Test("No damaged configuration traps")
  func configurations() throws {
    var random = RandomParameterSets(seed: 5)
    let hevc = try HEVCDecoderConfiguration(parameterSets: [
      random.vps(subLayers: 1), random.hevcSPS(depths: 0...7), [0x44, 0x01, 0xC1, 0x73, 0xC1, 0x89],
    ]).bytes
    let avc = try AVCDecoderConfiguration(parameterSets: [random.h264SPS(), [0x68, 0xEB, 0xE3, 0xCB, 0x22, 0xC0]]).bytes
    for whole in [hevc, avc] {
      for part in truncations(of: whole) + damagedCopies(of: whole, count: 1000, seed: 2) {
        var first = ByteCursor(part.span), second = ByteCursor(part.span)
        if let configuration = try? HEVCDecoderConfiguration(parsing: &first) {
          #expect(configuration.bytes == part)
          _ = try? configuration.sequenceParameterSet()
          _ = (configuration.chroma, configuration.lumaBitDepth, configuration.profileTierLevel.codecString())
        }
        if let configuration = try? AVCDecoderConfiguration(parsing: &second) {
          #expect(configuration.bytes == part)
          _ = try? configuration.sequenceParameterSet()
        }
      }
    }
  }
}
