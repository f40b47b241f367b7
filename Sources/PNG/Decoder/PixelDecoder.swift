import LivePhotoCore

extension PNGFileReader {
  /// Decodes the pixels and hands them out in bands of `bandHeight` rows, the last one with those that are left.
  ///
  /// An interlaced picture is whole only when its last pass is: all its bands come then.
  ///
  /// - Parameter bytes: the file, which is used up.
  /// - Throws: ``ParseError`` when a palette is missing or not even one row can be had.
  mutating func decodePixels(
    of bytes: consuming [UInt8], bandHeight: Int, _ body: (RasterImage) -> Void
  ) throws(ParseError) {
    guard !data.isEmpty else { throw .missing("IDAT", at: Place(offset: 0)) }
    if header.colorType == .palette, palette.isEmpty { throw .missing("PLTE", at: Place(offset: 0)) }
    let header = header, bandHeight = min(bandHeight, header.height)
    var assembler = PixelAssembler(header, palette: palette, transparency: transparency)
    bytes.gather(data)
    let (count, damage) = Inflater(limit: header.filteredSize).read(bytes.span) { reader in
      if header.isInterlaced {
        assembler.decodePasses(&reader).forEachBand(of: bandHeight, body)
      } else {
        assembler.decodeRows(&reader, bandHeight: bandHeight, body)
      }
      return (reader.count, reader.finish())
    }
    try note(damage, count, assembler)
  }

  /// Notes what is wrong with the rows, of which `count` bytes were decompressed.
  private mutating func note(_ damage: ParseError?, _ count: Int, _ assembler: PixelAssembler) throws(ParseError) {
    let place = Place(offset: 0, path: ["IDAT"])
    if let damage {
      if count <= header.rowSize(header.passes[0].width) { throw damage.inside("IDAT") }
      try log.note(damage.inside("IDAT"))
    } else if count < header.filteredSize, assembler.unknownFilter == nil {
      try log.note(.truncated(needed: header.filteredSize, available: count, at: place))
    }
    if let filter = assembler.unknownFilter {
      try log.note(.invalid("filter of a row", found: "\(filter)", expected: "0 to 4", at: place))
    }
    let entries = palette.count / 3
    if header.colorType == .palette, assembler.largestIndex >= entries {
      try log.note(
        .invalid("palette index", found: "\(assembler.largestIndex)", expected: "less than \(entries)", at: place))
    }
  }
}

extension PixelAssembler {
  /// Decodes rows that stand as they are shown; those that are missing are 0.
  fileprivate mutating func decodeRows(
    _ reader: inout InflateReader, bandHeight: Int, _ body: (RasterImage) -> Void
  ) {
    let pass = header.passes[0]
    var isOpen = true
    for start in stride(from: 0, to: header.height, by: bandHeight) {
      let height = min(bandHeight, header.height - start)
      begin(height: height)
      for y in 0..<height where isOpen { isOpen = addNext(&reader, at: y, of: pass) }
      body(take())
    }
  }

  /// Decodes a picture whose rows stand in passes.
  fileprivate mutating func decodePasses(_ reader: inout InflateReader) -> RasterImage {
    begin(height: header.height)
    var isOpen = true
    for pass in header.passes {
      beginPass()
      for y in 0..<pass.height where isOpen {
        isOpen = addNext(&reader, at: pass.y + y * pass.stepY, of: pass)
      }
    }
    return take()
  }

  /// Adds the next row; returns whether there was one.
  private mutating func addNext(_ reader: inout InflateReader, at y: Int, of pass: PNGPass) -> Bool {
    let size = 1 + header.rowSize(pass.width)
    return reader.next(size) { $0.count == size && add($0, at: y, of: pass) }
  }
}

extension RasterImage {
  /// Hands out the rows in bands.
  fileprivate func forEachBand(of bandHeight: Int, _ body: (RasterImage) -> Void) {
    guard bandHeight < height else { return body(self) }
    let size = width * channels.rawValue
    for start in stride(from: 0, to: height, by: bandHeight) {
      let rows = start..<min(start + bandHeight, height), range = rows.lowerBound * size..<rows.upperBound * size
      let part: Plane.Samples =
        switch samples {
        case .bytes(let bytes): .bytes(Array(bytes[range]))
        case .words(let words): .words(Array(words[range]))
        }
      body(RasterImage(width: width, height: rows.count, channels: channels, bitDepth: bitDepth, samples: part))
    }
  }
}
