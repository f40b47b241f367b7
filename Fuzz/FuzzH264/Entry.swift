import LivePhotoBitstream
import LivePhotoCore
import LivePhotoH264

/// Decodes the input as a byte stream of H.264, whatever is wrong with it.
@c(LLVMFuzzerTestOneInput)
public func fuzzH264(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = Array(UnsafeBufferPointer(start: bytes, count: count))
  guard let units = try? NALFraming.annexB.units(in: input.span) else { return 0 }
  var limits = Limits.standard
  limits.codedPixels = 1 << 17
  var decoder = H264Decoder(limits: limits)
  // A stream goes on behind a unit that is refused.
  for unit in units.prefix(64) {
    try? decoder.decode(unit: input.span.extracting(unit))
    take(&decoder)
  }
  decoder.finish()
  take(&decoder)
  return 0
}

/// Each picture is as large as its planes say.
private func take(_ decoder: inout H264Decoder) {
  while let picture = decoder.nextPicture() {
    precondition(picture.image.width > 0 && picture.image.height > 0, "a picture without samples")
    precondition(!picture.image.planes.isEmpty, "a picture without planes")
  }
}
