import LivePhotoCore
import LivePhotoPNG

/// Reads the input as a PNG file and as compressed data, and compresses and encodes its bytes.
@c(LLVMFuzzerTestOneInput)
public func fuzzPNG(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = Array(UnsafeBufferPointer(start: bytes, count: count))
  decode(withRightChecksums(input))
  inflate(input)
  compress(input)
  encode(input)
  return 0
}

/// Files whose checksums are wrong end at the first chunk: those of the input are set right, if its last byte is even.
private func withRightChecksums(_ input: [UInt8]) -> [UInt8] {
  guard let last = input.last, last.isMultiple(of: 2) else { return input }
  var file = input
  var position = 8
  while position + 12 <= file.count {
    let size = file[position..<position + 4].reduce(0) { $0 << 8 | Int($1) }
    let end = position + 8 + size
    guard end + 4 <= file.count else { break }
    let checksum = CRC32.checksum(file[position + 4..<end].span)
    for index in 0..<4 { file[end + index] = UInt8(truncatingIfNeeded: checksum >> UInt32(24 - 8 * index)) }
    position = end + 4
  }
  return file
}

/// A picture of up to a megapixel is decoded, whatever is wrong with it, and encoded to the same pixels.
private func decode(_ input: [UInt8]) {
  var limits = Limits.standard
  limits.pixels = 1 << 18
  limits.blobBytes = 1 << 20
  guard let picture = try? PNGDecoder(limits: limits).decode(input) else { return }
  precondition(picture.raster.width == picture.header.width, "another size than the header's")
  guard picture.raster.samples.count < 1 << 14 else { return }
  guard let bytes = try? PNGEncoder().encode(picture.raster, metadata: picture.metadata) else { return }
  guard let again = try? PNGDecoder(isStrict: true).decode(bytes) else { preconditionFailure("cannot be read again") }
  precondition(again.raster == picture.raster, "the pixels are other ones")
}

private func inflate(_ input: [UInt8]) {
  for format in [Inflater.Format.deflate, .zlib] {
    let inflated = Inflater(format, limit: 1 << 18).inflatePart(of: input.span)
    precondition(inflated.consumed <= input.count && inflated.bytes.count <= 1 << 18, "more than there is")
  }
}

/// What was compressed must come out again.
private func compress(_ input: [UInt8]) {
  for content in [Deflater.Content.general, .filtered] {
    let stream = Deflater(content: content).deflate(input.span)
    guard let bytes = try? Inflater(limit: input.count).inflate(stream.span) else { preconditionFailure("no stream") }
    precondition(bytes == input, "the data are other ones")
  }
}

/// The first bytes choose size and layout, the rest are the samples: the encoder must take any.
private func encode(_ input: [UInt8]) {
  guard input.count > 8, let channels = RasterImage.Channels(rawValue: Int(input[0]) % 4 + 1) else { return }
  let width = Int(input[1]) % 40 + 1
  let samples = Array(input[2...])
  let height = min(64, samples.count / (width * channels.rawValue))
  guard height > 0 else { return }
  let used = samples[..<(width * height * channels.rawValue)]
  let depth = Int(input[2]) % 9 + 8
  let raster = RasterImage(
    width: width, height: height, channels: channels, bitDepth: depth,
    samples: depth == 8 ? .bytes(Array(used)) : .words(used.map { UInt16($0) }))
  guard let bytes = try? PNGEncoder().encode(raster) else { preconditionFailure("a picture was refused") }
  guard let again = try? PNGDecoder(isStrict: true).decode(bytes) else { preconditionFailure("this is no PNG") }
  precondition(again.raster.reduced(to: depth) == raster, "the pixels are other ones")
}
