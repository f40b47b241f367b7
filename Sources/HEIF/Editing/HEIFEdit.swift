public import LivePhotoCore

/// Changes to a HEIF file that leave everything else in it as it is.
///
/// ```swift
/// var edit = HEIFEdit()
/// edit.setData(xmp, of: item.id)
/// let plan = try file.plan(applying: edit)
/// ```
public struct HEIFEdit: Sendable {
  var replacements: [(id: HEIFItem.ID, data: [UInt8])] = []
  var additions: [Addition] = []

  struct Addition: Sendable {
    var type: FourCC
    var contentType: String?
    var data: [UInt8]
    var described: [HEIFItem.ID]
  }

  /// No change.
  public init() {}

  /// Replaces the bytes of an item.
  public mutating func setData(_ data: [UInt8], of id: HEIFItem.ID) {
    replacements.removeAll { $0.id == id }
    replacements.append((id, data))
  }

  /// Adds an item that describes others (`cdsc`): Exif, or a `mime` item such as XMP.
  public mutating func addMetadata(
    _ type: FourCC, contentType: String? = nil, data: [UInt8], describing described: [HEIFItem.ID]
  ) {
    additions.append(Addition(type: type, contentType: contentType, data: data, described: described))
  }
}

extension HEIFFile {
  /// The file with `edit` applied.
  ///
  /// Without a change the output is the file byte for byte. With one, all boxes keep their order and bytes, and as
  /// little moves as can be:
  /// - data that fits takes the place of the old, and what it leaves over is zeroed;
  /// - larger or new data goes behind the last `mdat` where nothing follows it, else into a `free` box, else between
  ///   the pictures and what trails them (`mpvd` must stay last, Samsung's `sefd` is looked for from the end), and a
  ///   Samsung video pointer is corrected; the place of the old data is zeroed;
  /// - a `meta` box that grows takes its growth from a `free` box behind it, or else what follows moves and the
  ///   offsets of the items in it are raised.
  ///
  /// - Throws: ``ParseError`` when an item does not exist, its data is not in this file, the file is cut off, or an
  ///   offset no longer fits its field.
  public func plan(applying edit: HEIFEdit) throws(ParseError) -> OutputPlan {
    var planner = try EditPlanner(self)
    for (id, data) in edit.replacements { try planner.replace(data, of: id) }
    for addition in edit.additions { try planner.add(addition) }
    return try planner.finish()
  }

  /// The file with `exif` as the Exif of its primary item.
  ///
  /// What stands before the TIFF header of an existing Exif item stays, unless it is wrong. A new item is written as
  /// cameras do and describes the primary item only: a reference to its `tmap` form as well would keep libheif before
  /// 1.18 from opening the file.
  ///
  /// - Throws: ``ParseError`` as ``plan(applying:)`` does, and when there is no primary item.
  public func settingExif(_ exif: ExifBlock) throws(ParseError) -> OutputPlan {
    guard let primary = primaryItem else { throw .missing("the primary item", at: place) }
    let new = ExifPayload(newHEIFItem: exif)
    var edit = HEIFEdit()
    if let item = exifItem() {
      var payload = (try? self.exif()) ?? new
      payload.block = exif
      edit.setData(payload.statesItsOffset ? payload.bytes : new.bytes, of: item.id)
    } else {
      edit.addMetadata("Exif", data: new.bytes, describing: [primary.id])
    }
    return try plan(applying: edit)
  }
}

extension ExifPayload {
  /// Whether the prefix is a 32-bit distance that leads to the TIFF header (ISO/IEC 23008-12, A.2.1).
  fileprivate var statesItsOffset: Bool {
    prefix.count >= 4 && prefix[..<4].reduce(0) { $0 << 8 | Int($1) } == prefix.count - 4
  }
}
