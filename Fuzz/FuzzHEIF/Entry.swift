import LivePhotoBitstream
import LivePhotoCore
import LivePhotoHEIF

/// Reads the input as a HEIF file and asks its graph everything that can be asked.
@c(LLVMFuzzerTestOneInput)
public func fuzzHEIF(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let source = MemorySource(Array(UnsafeBufferPointer(start: bytes, count: count)))
  guard let file = try? HEIFFile(parsing: source) else { return 0 }
  for item in file.items.prefix(64) { exercise(item, of: file) }
  edit(file)
  for item in file.items.prefix(8) { remove(item.id, of: file) }
  return 0
}

/// What was written as Exif must be there again, among as many items as before or one more.
private func edit(_ file: HEIFFile) {
  var block = (try? file.exif())?.block ?? ExifDraft(width: 8, height: 8).makeBlock()
  let identifier = ContentIdentifier(asRead: "00000000-0000-4000-8000-000000000000")
  guard (try? block.setContentIdentifier(identifier, otherMakerNote: .replace)) != nil,
    let plan = try? file.settingExif(block), let bytes = try? plan.materialized()
  else { return }
  guard let again = try? HEIFFile(parsing: MemorySource(bytes)) else { preconditionFailure("cannot be read again") }
  precondition(again.items.count - file.items.count <= 1, "items came or went")
  precondition((try? again.exif())?.block.contentIdentifier == identifier, "the Exif that was written is not there")
}

/// What could be removed is gone, and what stayed is as it was.
private func remove(_ id: HEIFItem.ID, of file: HEIFFile) {
  var edit = HEIFEdit()
  edit.removeItem(id)
  if let primary = file.primaryItem?.id, primary != id { edit.setProperty(.rotation(1), of: primary) }
  guard let bytes = try? file.plan(applying: edit).materialized() else { return }
  guard let again = try? HEIFFile(parsing: MemorySource(bytes)) else { preconditionFailure("cannot be read again") }
  precondition(again.item(id) == nil, "an item that was removed is there")
  for item in again.items {
    precondition((try? again.data(of: item.id)) == (try? file.data(of: item.id)), "an item's data changed")
  }
}

private func exercise(_ item: HEIFItem, of file: HEIFFile) {
  let id = item.id
  _ = file.orientation(of: id)
  _ = file.codedSize(of: id)
  _ = file.displaySize(of: id)
  _ = file.colorDescription(of: id)
  _ = file.iccProfile(of: id)?.count
  _ = file.bitsPerChannel(of: id)
  _ = try? file.gridLayout(of: id)
  _ = file.tiles(of: id).count
  _ = file.thumbnails(of: id).count
  _ = file.auxiliaryImages(of: id).map(\.kind)
  _ = file.toneMappedImages(of: id).count
  _ = file.alternatives(of: id)
  _ = file.xmpItem(of: id)
  _ = try? file.data(of: id)
  if let configuration = file.hevcConfiguration(of: id) { exercise(configuration) }
}

private func exercise(_ configuration: [UInt8]) {
  var cursor = ByteCursor(configuration.span)
  guard let read = try? HEVCDecoderConfiguration(parsing: &cursor) else { return }
  _ = try? read.sequenceParameterSet()
  for unit in read.units(.pps) { _ = try? HEVCPictureParameterSet(parsing: unit.span) }
  for unit in read.units(.vps) { _ = try? HEVCVideoParameterSet(parsing: unit.span) }
}
