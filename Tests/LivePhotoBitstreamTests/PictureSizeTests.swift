import LivePhotoBitstream
import LivePhotoCore
import Testing

@Suite("Sizes and cropping that do not fit")
struct PictureSizeTests {
  /// An HEVC SPS of 4:2:0 up to the bit depths and a few zeros.
  private static func hevc(width: UInt32, height: UInt32, crop: [UInt32]?, chroma: UInt32 = 1) -> [UInt8] {
    var writer = BitWriter()
    writer.write(0, 4)
    writer.write(1, 4)  // one sub-layer, nested
    for byte in [1, 0x60, 0, 0, 0, 0x90, 0, 0, 0, 0, 0, 93] as [UInt32] { writer.write(byte, 8) }
    writer.writeUE(0)
    writer.writeUE(chroma)
    writer.writeUE(width)
    writer.writeUE(height)
    writer.write(crop != nil)
    for value in crop ?? [] { writer.writeUE(value) }
    for value in [2, 2, 4] as [UInt32] { writer.writeUE(value) }  // 10 bit
    writer.write(1, 1)
    for value in [4, 2, 0, 0, 3, 0, 3, 1, 1] as [UInt32] { writer.writeUE(value) }
    writer.write(0, 4)  // scaling lists, AMP, SAO, PCM
    writer.writeUE(0)
    writer.write(0, 5)
    writer.writeTrailingBits()
    return [0x42, 1] + escaped(writer.bytes)
  }

  /// An H.264 SPS of the Main profile.
  private static func h264(width: UInt32, height: UInt32, isFrameOnly: Bool, crop: [UInt32]?) -> [UInt8] {
    var writer = BitWriter()
    for byte in [77, 0, 30] as [UInt32] { writer.write(byte, 8) }
    for value in [0, 0, 2, 1] as [UInt32] { writer.writeUE(value) }
    writer.write(0, 1)
    writer.writeUE(width)
    writer.writeUE(height)
    writer.write(isFrameOnly)
    if !isFrameOnly { writer.write(0, 1) }
    writer.write(1, 1)
    writer.write(crop != nil)
    for value in crop ?? [] { writer.writeUE(value) }
    writer.write(0, 1)
    writer.writeTrailingBits()
    return [0x67] + escaped(writer.bytes)
  }

  @Test("HEVC: what is left of a picture")
  func hevc() throws {
    let unit = Self.hevc(width: 96, height: 64, crop: [1, 4, 2, 5])
    let set = try HEVCSequenceParameterSet(parsing: unit.span)
    #expect(set.format.area == PictureArea(x: 2, y: 4, width: 86, height: 50))
    #expect(set.format.pixelFormat == PixelFormat(.yuv420, bitDepth: 10))
    #expect(set.format.color == .unspecified && set.format.pixelAspect == nil && set.defaultDisplayWindow == nil)
  }

  @Test("HEVC: nothing is left, or far too much is there")
  func hevcRefused() {
    let huge = UInt32.max - 1
    for unit in [
      Self.hevc(width: 96, height: 64, crop: [24, 24, 0, 0]), Self.hevc(width: 96, height: 64, crop: [0, 0, 0, 32]),
      Self.hevc(width: 96, height: 64, crop: [huge, huge, huge, huge]), Self.hevc(width: 0, height: 64, crop: nil),
      Self.hevc(width: 64, height: 0, crop: nil), Self.hevc(width: huge, height: huge, crop: nil),
      Self.hevc(width: huge, height: 1, crop: nil), Self.hevc(width: 65_535, height: 65_535, crop: nil),
      Self.hevc(width: 96, height: 64, crop: nil, chroma: 4),
    ] {
      #expect(throws: ParseError.self) { () throws in _ = try HEVCSequenceParameterSet(parsing: unit.span) }
    }
  }

  @Test("H.264: what is left of a frame, and of one of fields")
  func h264() throws {
    let frame = Self.h264(width: 119, height: 67, isFrameOnly: true, crop: [0, 0, 0, 4])
    #expect(try H264SequenceParameterSet(parsing: frame.span).format.height == 1080)
    let fields = Self.h264(width: 119, height: 33, isFrameOnly: false, crop: [0, 0, 0, 2])
    let set = try H264SequenceParameterSet(parsing: fields.span)
    #expect((set.format.width, set.format.height, set.heightInMacroblocks) == (1920, 1080, 68))
  }

  @Test("H.264: nothing is left, or far too much is there")
  func h264Refused() {
    let huge = UInt32.max - 1
    for unit in [
      Self.h264(width: 1, height: 1, isFrameOnly: true, crop: [8, 8, 0, 0]),
      Self.h264(width: 1, height: 1, isFrameOnly: false, crop: [0, 0, 8, 8]),
      Self.h264(width: huge, height: huge, isFrameOnly: false, crop: [huge, huge, huge, huge]),
      Self.h264(width: huge, height: 1, isFrameOnly: true, crop: nil),
      Self.h264(width: 1, height: huge, isFrameOnly: false, crop: nil),
      Self.h264(width: 4000, height: 4000, isFrameOnly: true, crop: nil),
    ] {
      #expect(throws: ParseError.self) { () throws in _ = try H264SequenceParameterSet(parsing: unit.span) }
    }
  }
}
