public import LivePhotoCore

extension HEIFFile {
  /// The bytes of an item, its extents one after the other.
  ///
  /// - Throws: ``ParseError`` when there is no such item, an extent lies outside the file, the whole is larger than
  ///   ``Limits/blobBytes``, or the bytes are built from another item (construction method 2) or lie in another file.
  public func data(of id: HEIFItem.ID) throws(ParseError) -> [UInt8] {
    let ranges = try ranges(of: id)
    let size = ranges.reduce(0) { $0 + $1.count }
    guard size <= limits.blobBytes else {
      throw .beyondLimit("size of item \(id)", found: size, limit: limits.blobBytes, at: place)
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(size)
    for range in ranges { bytes += try source.parseBytes(range) }
    return bytes
  }

  /// Where the bytes of an item lie in the file, in order: extents of the file or of `idat`.
  ///
  /// - Throws: ``ParseError`` as ``data(of:)`` does, but for the size, which only has to fit in an integer.
  public func ranges(of id: HEIFItem.ID) throws(ParseError) -> [Range<Int>] {
    guard item(id) != nil else { throw .missing("item \(id)", at: place) }
    guard let location = location(of: id) else { return [] }
    let container = try container(of: location)
    var ranges: [Range<Int>] = []
    var total = 0
    for extent in location.extents {
      let range = try self.range(of: extent, base: location.baseOffset, in: container)
      let (sum, overflow) = total.addingReportingOverflow(range.count)
      guard !overflow else {
        throw .beyondLimit("size of item \(id)", found: .max, limit: limits.blobBytes, at: place)
      }
      total = sum
      if !range.isEmpty { ranges.append(range) }
    }
    return ranges
  }

  /// The stretch of the file that an item's offsets are counted in.
  private func container(of location: ItemLocation) throws(ParseError) -> Range<Int> {
    guard location.dataReferenceIndex == 0 else {
      throw .unsupported("item \(location.id), whose data is in another file,", at: place)
    }
    switch location.method {
    case 0: return 0..<source.count
    case 1:
      guard let idat = meta.first("idat") else { throw .missing("'idat', which holds item \(location.id),", at: place) }
      return idat.payload
    case 2: throw .unsupported("item \(location.id), which is built from another item's data,", at: place)
    default:
      throw .invalid(
        "construction method of item \(location.id)", found: "\(location.method)", expected: "0, 1 or 2", at: place)
    }
  }

  private func range(of extent: ItemLocation.Extent, base: UInt64, in container: Range<Int>) throws(ParseError)
    -> Range<Int>
  {
    let (offset, overflow) = base.addingReportingOverflow(extent.offset)
    guard !overflow, let start = Int(exactly: offset), start <= container.count else {
      throw .truncated(needed: Int(clamping: offset), available: container.count, at: place)
    }
    let available = container.count - start
    // Where the box has no lengths, an extent reaches to the end. A length written as 0 is an empty extent:
    // the standard would have that mean the whole file, writers mean nothing.
    let length = meta.locations?.lengthSize == 0 ? UInt64(available) : extent.length
    guard let size = Int(exactly: length), size <= available else {
      throw .truncated(needed: Int(clamping: length), available: available, at: place)
    }
    let lower = container.lowerBound + start
    return lower..<lower + size
  }

  /// The place of the item locations, for an error.
  var place: Place {
    Place(offset: meta.first("iloc")?.range.lowerBound ?? meta.header.range.lowerBound, path: ["meta", "iloc"])
  }
}
