import LivePhotoCore
import LivePhotoJPEGKernels

/// Decodes a scan of a progressive picture (ITU-T T.81, G.2): some bits of some coefficients of each block.
struct ProgressiveScan {
  private let scan: ScanHeader
  private let tables: [HuffmanDecoder]
  /// Zigzag order in natural indices; damaged data may run over the end.
  private let order = Zigzag.natural + [UInt8](repeating: 63, count: 16)

  init(_ scan: ScanHeader, _ tables: DecodingTables) throws(ParseError) {
    self.scan = scan
    var decoders: [HuffmanDecoder] = []
    for component in scan.components {
      if scan.first > 0 {
        decoders.append(try tables.acDecoder(component.ac, scan.place))
      } else if scan.high == 0 {
        decoders.append(try tables.dcDecoder(component.dc, scan.place))
      }
    }
    self.tables = decoders
  }

  func decode(_ reader: inout BitReader, _ walk: inout ScanWalk, _ components: inout [DecodedComponent])
    throws(ParseError)
  {
    let blocks = walk.blocks
    var predictions = InlineArray<4, Int>(repeating: 0)
    var bandRun = 0
    for row in 0..<walk.unitsDown {
      for column in 0..<walk.unitsAcross {
        switch walk.begin(row: row, &reader) {
        case .decode: break
        case .restart:
          predictions = InlineArray(repeating: 0)
          bandRun = 0
        case .skip: continue
        case .end: return
        }
        for part in blocks {
          let across = column * part.stepAcross + part.across, down = row * part.stepDown + part.down
          let start = (down * components[part.component].geometry.paddedAcross + across) * 64
          var target = components[part.component].coefficients.mutableSpan
          switch (scan.first, scan.high) {
          case (0, 0): decodeDC(&reader, tables[part.member], &predictions[part.member], &target[start])
          case (0, _): if reader.takeBit() { target[start] |= 1 << Int16(scan.low) }
          case (_, 0): decodeBand(&reader, &bandRun, &target, start)
          default: refineBand(&reader, &bandRun, &target, start)
          }
        }
        walk.finish(reader)
      }
    }
  }

  private func decodeDC(
    _ reader: inout BitReader, _ table: borrowing HuffmanDecoder, _ prediction: inout Int, _ value: inout Int16
  ) {
    reader.refill()
    let size = reader.takeSymbol(table)
    if size > 0 { prediction &+= reader.takeValue(size) }
    value = Int16(truncatingIfNeeded: prediction &<< scan.low)
  }

  /// The first bits of a band of coefficients (G.1.2.2).
  private func decodeBand(
    _ reader: inout BitReader, _ run: inout Int, _ target: inout MutableSpan<Int16>, _ start: Int
  ) {
    guard run == 0 else { return run -= 1 }
    var index = scan.first
    while index <= scan.last {
      reader.refill()
      let symbol = reader.takeSymbol(tables[0])
      let size = symbol & 15, zeros = symbol >> 4
      guard size > 0 else {
        if zeros < 15 {
          run = (1 << zeros) + (zeros > 0 ? reader.take(zeros) : 0) - 1
          return
        }
        index += 16
        continue
      }
      index += zeros
      target[start + Int(order[index])] = Int16(truncatingIfNeeded: reader.takeValue(size) << scan.low)
      index += 1
    }
  }

  /// One more bit of a band of coefficients (G.1.2.3).
  private func refineBand(
    _ reader: inout BitReader, _ run: inout Int, _ target: inout MutableSpan<Int16>, _ start: Int
  ) {
    var index = scan.first
    if run == 0 {
      while index <= scan.last {
        reader.refill()
        let symbol = reader.takeSymbol(tables[0])
        let zeros = symbol >> 4
        var value: Int16 = 0
        if symbol & 15 > 0 {
          // A coefficient that was zero so far becomes plus or minus one.
          value = reader.takeBit() ? 1 << Int16(scan.low) : -1 << Int16(scan.low)
        } else if zeros < 15 {
          run = (1 << zeros) + (zeros > 0 ? reader.take(zeros) : 0)
          break
        }
        index = refine(&reader, &target, start, from: index, passing: zeros)
        if value != 0 { target[start + Int(order[index])] = value }
        index += 1
      }
    }
    guard run > 0 else { return }
    _ = refine(&reader, &target, start, from: index, passing: 64)
    run -= 1
  }

  /// Reads the next bit of each coefficient that is not zero, up to the zero one behind `zeros` others.
  ///
  /// - Returns: the index of that one; one more than the last where there is none.
  private func refine(
    _ reader: inout BitReader, _ target: inout MutableSpan<Int16>, _ start: Int, from first: Int, passing zeros: Int
  ) -> Int {
    let step = Int16(1) << Int16(scan.low)
    var index = first, zeros = zeros
    while index <= scan.last {
      let at = start + Int(order[index])
      let value = target[at]
      if value == 0 {
        if zeros == 0 { break }
        zeros -= 1
      } else if reader.takeBit(), value & step == 0 {
        target[at] = value &+ (value > 0 ? step : -step)
      }
      index += 1
    }
    return index
  }
}
