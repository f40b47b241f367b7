import LivePhotoJPEG

let pixels = (0..<64 * 48 * 3).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 7) }

func encoded() throws -> [UInt8] {
  try JPEGEncoder(quality: 90).encode(PixelView(pixels.span, width: 64, height: 48, layout: .rgb))
}

let bytes = try encoded()
guard bytes.starts(with: [0xFF, 0xD8, 0xFF]), bytes.suffix(2) == [0xFF, 0xD9] else { fatalError("this is no JPEG") }
print("it works with", JPEGEncoder.instructionSet)
