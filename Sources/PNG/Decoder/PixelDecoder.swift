import LivePhotoCore

extension PNGFileReader {
  /// The pixels.
  ///
  /// - Throws: ``ParseError`` when a palette is missing or not even one row can be had.
  mutating func decodePixels() throws(ParseError) -> RasterImage {
    let place = Place(offset: 0, path: ["IDAT"])
    guard !compressed.isEmpty else { throw .missing("IDAT", at: Place(offset: 0)) }
    if header.colorType == .palette, palette.isEmpty { throw .missing("PLTE", at: Place(offset: 0)) }
    var assembler = PixelAssembler(
      header, palette: palette, transparency: transparency, filtered: try filteredRows(place))
    let image = assembler.assemble()
    if let filter = assembler.unknownFilter {
      try log.note(.invalid("filter of a row", found: "\(filter)", expected: "0 to 4", at: place))
    }
    let entries = palette.count / 3
    if header.colorType == .palette, assembler.largestIndex >= entries {
      try log.note(
        .invalid("palette index", found: "\(assembler.largestIndex)", expected: "less than \(entries)", at: place))
    }
    return image
  }

  /// The rows with their filters, as many as there are; lets go of the compressed data.
  private mutating func filteredRows(_ place: Place) throws(ParseError) -> [UInt8] {
    let size = header.filteredSize
    let inflated = Inflater(limit: size).inflatePart(of: compressed.span, expecting: size)
    compressed = []
    if let damage = inflated.damage {
      let firstRow = 1 + header.rowSize(header.passes[0].width)
      if inflated.bytes.count < firstRow { throw damage.inside("IDAT") }
      try log.note(damage.inside("IDAT"))
    } else if inflated.bytes.count < size {
      try log.note(.truncated(needed: size, available: inflated.bytes.count, at: place))
    }
    return inflated.bytes
  }
}
