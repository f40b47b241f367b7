import LivePhotoCore
import LivePhotoJPEG

/// Reads the input as a JPEG file, and encodes its bytes as pixels.
@c(LLVMFuzzerTestOneInput)
public func fuzzJPEG(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = Array(UnsafeBufferPointer(start: bytes, count: count))
  if let file = try? JPEGFile(parsing: MemorySource(input)) {
    _ = try? file.xmp()
    _ = try? file.iccProfile()
    edit(file)
    decode(file)
  }
  encode(input)
  return 0
}

/// What was written as Exif must be there again, and everything from the frame on unchanged.
private func edit(_ file: JPEGFile) {
  var block = (try? file.exif())?.block ?? ExifDraft(width: 8, height: 8).makeBlock()
  let identifier = ContentIdentifier(asRead: "00000000-0000-4000-8000-000000000000")
  guard (try? block.setContentIdentifier(identifier, otherMakerNote: .replace)) != nil,
    let plan = try? file.applying(JPEGEdits(exif: .replace(block.bytes))), let bytes = try? plan.materialized()
  else { return }
  guard let again = try? JPEGFile(parsing: MemorySource(bytes)) else { preconditionFailure("cannot be read again") }
  precondition((try? again.exif())?.block.contentIdentifier == identifier, "the Exif that was written is not there")
  precondition(again.frame == file.frame, "the frame is another one")
}

/// A picture of up to a megapixel is decoded, whatever is wrong with it.
private func decode(_ file: JPEGFile) {
  var limits = Limits.standard
  limits.pixels = 1 << 20
  guard let picture = try? JPEGDecoder(limits: limits).decode(file) else { return }
  precondition(picture.width == file.frame.width && picture.height > 0, "another size than the frame's")
  _ = picture.planarImage()
  _ = try? picture.raster()
}

/// The first bytes choose size, quality and sampling, the rest are the pixels: the encoder must take any.
private func encode(_ input: [UInt8]) {
  guard input.count > 8 else { return }
  let layouts = PixelLayout.allCases
  let layout = layouts[Int(input[0]) % layouts.count]
  let width = Int(input[1]) % 40 + 1
  let height = (input.count - 4) / (width * 4)
  guard height > 0 else { return }
  let sampling = JPEGSubsampling.allCases[Int(input[2]) % JPEGSubsampling.allCases.count]
  var encoder = JPEGEncoder(quality: Int(input[3]) % 100 + 1, subsampling: sampling)
  encoder.restartInterval = input[4] % 4 == 0 ? .mcus(Int(input[5]) + 1) : nil
  let pixels = Array(input[4...])
  let view = PixelView(pixels.span, width: width, height: min(height, 64), stride: width * 4, layout: layout)
  guard let coded = try? encoder.encode(view) else { return }
  guard let file = try? JPEGFile(parsing: MemorySource(coded)) else { preconditionFailure("this is no JPEG") }
  precondition(file.isComplete && file.frame.width == width, "the encoder wrote something else")
  precondition(rows(view, encoder) == coded, "row by row the bytes are others")
  encoder.optimizesHuffmanTables = true
  guard let small = try? encoder.encode(view) else { preconditionFailure("no tables can be made") }
  precondition(pixelsOf(small) == pixelsOf(coded), "other tables make other pixels")
}

/// The picture encoded a few rows at a time.
private func rows(_ view: borrowing PixelView, _ encoder: JPEGEncoder) -> [UInt8]? {
  guard var rows = try? JPEGRowEncoder(encoder, width: view.width, height: view.height, layout: view.layout) else {
    return nil
  }
  var bytes: [UInt8] = []
  var row = 0
  while row < view.height {
    let count = min(row % 13 + 1, view.height - row)
    let part = PixelView(
      view.bytes.extracting((row * view.stride)...), width: view.width, height: count, stride: view.stride,
      layout: view.layout)
    guard (try? rows.push(part, into: &bytes)) != nil else { return nil }
    row += count
  }
  return (try? rows.finish(into: &bytes)).map { bytes }
}

private func pixelsOf(_ jpeg: [UInt8]) -> PlanarImage? {
  guard let file = try? JPEGFile(parsing: MemorySource(jpeg)) else { return nil }
  return try? JPEGDecoder().decode(file).planarImage()
}
