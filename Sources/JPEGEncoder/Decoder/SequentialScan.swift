import LivePhotoCore
import LivePhotoJPEGKernels

/// Decodes a scan of a baseline or extended sequential picture (ITU-T T.81, F.2): each block is whole, and becomes
/// samples at once.
struct SequentialScan {
  private let dc: [HuffmanDecoder], ac: [HuffmanDecoder]

  init(_ scan: ScanHeader, _ tables: DecodingTables) throws(ParseError) {
    var dc: [HuffmanDecoder] = [], ac: [HuffmanDecoder] = []
    for component in scan.components {
      dc.append(try tables.dcDecoder(component.dc, scan.place))
      ac.append(try tables.acDecoder(component.ac, scan.place))
    }
    (self.dc, self.ac) = (dc, ac)
  }

  /// Decodes all blocks; `rowIsDone` is told of each row of MCUs.
  func decode(
    _ reader: inout BitReader, _ walk: inout ScanWalk, _ components: inout [DecodedComponent],
    rowIsDone: (Int, [DecodedComponent]) -> Void
  ) throws(ParseError) {
    let blocks = walk.blocks, order = Self.order
    var predictions = InlineArray<4, Int>(repeating: 0)
    for row in 0..<walk.unitsDown {
      for column in 0..<walk.unitsAcross {
        switch walk.begin(row: row, &reader) {
        case .decode: break
        case .restart: predictions = InlineArray(repeating: 0)
        case .skip: continue
        case .end: return
        }
        for part in blocks {
          var block = CoefficientBlock(repeating: 0)
          let isFlat = Self.decodeBlock(
            &reader, dc[part.member], ac[part.member], &predictions[part.member], &block, order.span)
          components[part.component].store(
            block, isFlat: isFlat, across: column * part.stepAcross + part.across,
            down: row * part.stepDown + part.down)
        }
        walk.finish(reader)
      }
      rowIsDone(row, components)
    }
  }

  /// Zigzag order in natural indices; damaged data may run up to 15 coefficients over the end.
  private static let order = Zigzag.natural + [UInt8](repeating: 63, count: 16)

  /// - Returns: whether the block has no AC coefficient.
  @inline(__always)
  private static func decodeBlock(
    _ reader: inout BitReader, _ dc: borrowing HuffmanDecoder, _ ac: borrowing HuffmanDecoder, _ prediction: inout Int,
    _ block: inout CoefficientBlock, _ order: Span<UInt8>
  ) -> Bool {
    reader.refill()
    let size = reader.takeSymbol(dc)
    if size > 0 { prediction &+= reader.takeValue(size) }
    block[0] = Int16(truncatingIfNeeded: prediction)
    var isFlat = true
    var index = 1
    while index < 64 {
      reader.refill()
      let symbol = reader.takeSymbol(ac)
      let size = symbol & 15
      guard size > 0 else {
        if symbol != 0xF0 { break }
        index += 16
        continue
      }
      index += symbol >> 4
      block[Int(order[index])] = Int16(truncatingIfNeeded: reader.takeValue(size))
      isFlat = false
      index += 1
    }
    return isFlat
  }
}
