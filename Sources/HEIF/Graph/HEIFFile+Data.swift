public import LivePhotoCore

extension HEIFFile {
  /// The bytes of an item, its extents one after the other.
  ///
  /// - Throws: ``ParseError`` when there is no such item, an extent lies outside the file, the whole is larger than
  ///   ``Limits/blobBytes``, or the bytes lie in another file.
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

  /// Where the bytes of an item lie in the file, in order: extents of the file, of `idat`, or of other items' data
  /// (construction methods 0, 1 and 2; ISO/IEC 14496-12, 8.11.3).
  ///
  /// - Throws: ``ParseError`` as ``data(of:)`` does, but for the size, which only has to fit in an integer.
  public func ranges(of id: HEIFItem.ID) throws(ParseError) -> [Range<Int>] {
    guard item(id) != nil else { throw .missing("item \(id)", at: place) }
    var budget = limits.extents
    return try ranges(of: id, budget: &budget)
  }

  /// The same for an item that others may be built of.
  ///
  /// - Parameter budget: how many stretches there may be still, since items built of each other multiply.
  func ranges(of id: HEIFItem.ID, depth: Int = 0, budget: inout Int) throws(ParseError) -> [Range<Int>] {
    guard let location = location(of: id) else { return [] }
    guard depth <= limits.derivationDepth else {
      throw .beyondLimit("items built of items", found: depth, limit: limits.derivationDepth, at: place)
    }
    guard location.dataReferenceIndex == 0 else {
      throw .unsupported("item \(id), whose data is in another file,", at: place)
    }
    var ranges: [Range<Int>] = []
    var total = 0
    for extent in location.extents {
      let pieces = try self.pieces(of: extent, at: location, depth: depth, budget: &budget).filter { !$0.isEmpty }
      budget -= pieces.count
      guard budget >= 0 else {
        throw .beyondLimit("number of extents of item \(id)", found: .max, limit: limits.extents, at: place)
      }
      for piece in pieces {
        let (sum, overflow) = total.addingReportingOverflow(piece.count)
        guard !overflow else {
          throw .beyondLimit("size of item \(id)", found: .max, limit: limits.blobBytes, at: place)
        }
        total = sum
      }
      ranges += pieces
    }
    return ranges
  }

  private func pieces(
    of extent: ItemLocation.Extent, at location: ItemLocation, depth: Int, budget: inout Int
  ) throws(ParseError) -> [Range<Int>] {
    switch location.method {
    case 0: return [try range(of: extent, base: location.baseOffset, in: 0..<source.count)]
    case 1:
      guard let idat = meta.first("idat") else { throw .missing("'idat', which holds item \(location.id),", at: place) }
      return [try range(of: extent, base: location.baseOffset, in: idat.payload)]
    case 2:
      // Without an index, the first item of the reference is meant.
      let index = Int(clamping: max(extent.index, 1)) - 1
      let targets = targets(of: "iloc", from: location.id)
      guard index < targets.count else {
        throw .missing("item that extent \(index + 1) of item \(location.id) is taken from", at: place)
      }
      let whole = try ranges(of: targets[index], depth: depth + 1, budget: &budget)
      // Here a length of 0 is all there is.
      let isAll = extent.offset == 0 && extent.length == 0
      let size = whole.reduce(0) { $0 + $1.count }
      let part = isAll ? 0..<size : try range(of: extent, base: location.baseOffset, in: 0..<size)
      return whole.slice(part)
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

extension [Range<Int>] {
  /// The stretches that make up bytes `part` of these, which follow each other.
  fileprivate func slice(_ part: Range<Int>) -> [Range<Int>] {
    var start = 0
    return compactMap { range in
      defer { start += range.count }
      let wanted = part.clamped(to: start..<start + range.count)
      return wanted.isEmpty
        ? nil : range.lowerBound + wanted.lowerBound - start..<range.lowerBound + wanted.upperBound - start
    }
  }
}
