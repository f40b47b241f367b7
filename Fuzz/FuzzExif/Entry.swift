import LivePhotoCore

private let identifier = ContentIdentifier(asRead: "00000000-0000-4000-8000-000000000000")

/// Reads the input as a TIFF block, as a HEIF item and as an APP1 segment, edits what was read, and reads it again.
@c(LLVMFuzzerTestOneInput)
public func fuzzExif(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = Array(UnsafeBufferPointer(start: bytes, count: count))
  if let block = try? ExifBlock(parsing: input) { exercise(block) }
  if let payload = try? ExifPayload(heifItem: input) { exercise(payload.block) }
  if let payload = try? ExifPayload(jpegSegment: input) { exercise(payload.block) }
  // Seeds are often whole photos: the block stands somewhere inside.
  if let start = firstBlock(in: input), let block = try? ExifBlock(parsing: Array(input[start...])) { exercise(block) }
  if let note = try? AppleMakerNote(parsing: input) {
    _ = note.fields.count
    _ = note.runTime
  }
  return 0
}

private func exercise(_ block: ExifBlock) {
  for directory in ExifDirectory.allCases { _ = block.fields(in: directory).map(\.bytes.count) }
  _ = block.contentIdentifier
  var edited = block
  guard (try? edited.setContentIdentifier(identifier, otherMakerNote: .replace)) != nil else { return }
  precondition(edited.contentIdentifier == identifier, "the identifier was set and is not there")
  guard let again = try? ExifBlock(parsing: edited.bytes) else { preconditionFailure("what was edited cannot be read") }
  precondition(again.contentIdentifier == identifier, "the identifier was written and is not read")
  edited.remove(.gps)
  precondition(edited.contentIdentifier == identifier, "removing the position took the identifier along")
}

/// The offset of the first TIFF header after an Exif code.
private func firstBlock(in bytes: [UInt8]) -> Int? {
  guard bytes.count >= 14 else { return nil }
  let code = ExifPayload.code
  return (0...bytes.count - 14).first { bytes[$0] == code[0] && bytes[$0..<$0 + 6].elementsEqual(code) }.map { $0 + 6 }
}
