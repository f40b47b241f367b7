import LivePhotoCore
import LivePhotoJPEG

let image = PlanarImage(width: 17, height: 9, format: PixelFormat(.yuv420, bitDepth: 8), fill: [90, 120, 140])
let bytes = try JPEGEncoder(quality: 90).encode(image)
guard bytes.starts(with: [0xFF, 0xD8, 0xFF]), bytes.suffix(2) == [0xFF, 0xD9] else { fatalError("this is no JPEG") }
print("it works")
