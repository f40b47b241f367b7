import LivePhotoH264
import LivePhotoJPEG

let pixels = (0..<64 * 48 * 3).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 7) }

func encoded() throws -> [UInt8] {
  try JPEGEncoder(quality: 90).encode(PixelView(pixels.span, width: 64, height: 48, layout: .rgb))
}

/// A stream of one unit that is not decoded.
func refusal() -> H264Error? {
  var decoder = H264Decoder()
  let partition: [UInt8] = [0x42, 0x80]
  do { try decoder.decode(unit: partition.span) } catch { return error }
  return nil
}

let bytes = try encoded()
guard bytes.starts(with: [0xFF, 0xD8, 0xFF]), bytes.suffix(2) == [0xFF, 0xD9] else { fatalError("this is no JPEG") }
guard refusal() == .unsupported("data partitioning") else { fatalError("partitions are not refused") }
print("it works with", JPEGEncoder.instructionSet)
