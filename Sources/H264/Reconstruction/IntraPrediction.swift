import LivePhotoBitstream
import LivePhotoCore
import LivePhotoH264Kernels

/// Prediction of a macroblock from its own picture (ITU-T H.264, 8.3).
extension SliceDecoder {
  /// What may be used around the macroblock: above, the upper and the lower half of the left, the corner, to the right
  /// above.
  struct IntraSurroundings {
    var top: Bool
    var left: Pair<Bool>
    var corner: Bool
    var right: Bool
  }

  mutating func surroundings() -> IntraSurroundings {
    func isUsable(_ index: Int) -> Bool {
      index >= 0 && (!pps.isConstrainedIntra || store.kinds[index].isIntra)
    }
    var left = Pair(first: isUsable(near.left.first), second: isUsable(near.left.second))
    if isAdaptive, !place.structure.isField, near.left.first >= 0, store.kinds[near.left.first].isField {
      // Each row of a frame lies beside a row of either field.
      let both = left.first && isUsable(near.left.first + geometry.width)
      left = Pair(first: both, second: both)
    }
    return IntraSurroundings(
      top: isUsable(near.top), left: left, corner: isUsable(near.topLeft), right: isUsable(near.topRight))
  }

  /// Predicts blocks of 4x4 or 8x8 one by one and adds to each its residual.
  mutating func predictIntraBlocks() throws(H264Error) {
    let around = surroundings()
    for plane in 0..<(geometry.chroma == .yuv444 ? 3 : 1) {
      let whole = block(of: plane)
      if kind.contains(.transform8x8) {
        for index in 0..<4 { try predict8x8(index, whole, plane, around) }
      } else {
        for index in 0..<16 { try predict4x4(index, whole, plane, around) }
      }
    }
  }

  private mutating func predict4x4(
    _ index: Int, _ whole: PixelBlock<Sample>, _ plane: Int, _ around: IntraSurroundings
  ) throws(H264Error) {
    let raster = BlockOrder.raster[index], x = raster & 3, y = raster >> 2
    var edges = IntraEdges(size: 4)
    edges.hasLeft = x > 0 || around.left[y >> 1]
    edges.hasTop = y > 0 || around.top
    edges.hasCorner =
      x > 0 ? y > 0 || around.top : y > 0 ? around.left[(y - 1) >> 1] : around.corner
    // To the right above lie blocks that come later, but for these.
    let hasRight = y == 0 ? (x < 3 ? around.top : around.right) : Self.hasRight(x, y)
    let block = whole.at(4 * x, 4 * y)
    edges.read(block, hasRight: hasRight)
    let mode = Int(store.intraModes[place.index * 16 + raster])
    guard edges.predict(block, mode: mode, middle: 1 << (geometry.depth(plane) - 1)) else {
      throw .damaged("an intra prediction mode needs samples that are not there")
    }
    add4x4(index, block, plane, bypass: BypassDirection(mode: mode))
  }

  private static func hasRight(_ x: Int, _ y: Int) -> Bool {
    switch y {
    case 2: x < 3
    default: x & 1 == 0
    }
  }

  private mutating func predict8x8(
    _ index: Int, _ whole: PixelBlock<Sample>, _ plane: Int, _ around: IntraSurroundings
  ) throws(H264Error) {
    let x = index & 1, y = index >> 1
    var edges = IntraEdges(size: 8)
    edges.hasLeft = x > 0 || around.left[y]
    edges.hasTop = y > 0 || around.top
    edges.hasCorner = x > 0 ? y > 0 || around.top : y > 0 ? around.left.first : around.corner
    let hasRight = y == 0 ? (x == 0 ? around.top : around.right) : x == 0
    let block = whole.at(8 * x, 8 * y)
    edges.read(block, hasRight: hasRight)
    edges.filter()
    let mode = Int(store.intraModes[place.index * 16 + y * 8 + x * 2])
    guard edges.predict(block, mode: mode, middle: 1 << (geometry.depth(plane) - 1)) else {
      throw .damaged("an intra prediction mode needs samples that are not there")
    }
    add8x8(index, block, plane, bypass: BypassDirection(mode: mode))
  }

  /// Predicts luma as a whole (8.3.3).
  mutating func predictIntra16x16(_ mode: Int) throws(H264Error) {
    let around = surroundings()
    let hasLeft = around.left.first && around.left.second
    for plane in 0..<(geometry.chroma == .yuv444 ? 3 : 1) {
      let block = block(of: plane)
      switch mode {
      case 0 where around.top: WholePrediction.vertical(block, width: 16, height: 16)
      case 1 where hasLeft: WholePrediction.horizontal(block, width: 16, height: 16)
      case 2:
        let value = WholePrediction.mean16x16(
          block, hasTop: around.top, hasLeft: hasLeft, middle: 1 << (geometry.depth(plane) - 1))
        for y in 0..<16 { block.fillRow(y, width: 16, with: value) }
      case 3 where around.top && hasLeft && around.corner:
        WholePrediction.plane(block, width: 16, height: 16, maximum: maximum(plane))
      default: throw .damaged("an intra prediction mode needs samples that are not there")
      }
      addWhole(plane, blocks: 16, columns: 4, BypassDirection(mode: mode))
    }
  }

  /// Predicts chroma of 4:2:0 or 4:2:2 and adds its residual (8.3.4).
  mutating func finishIntra() throws(H264Error) {
    guard geometry.chroma == .yuv420 || geometry.chroma == .yuv422 else { return }
    let around = surroundings()
    let hasLeft = around.left.first && around.left.second
    let height = geometry.blockHeight(1)
    for plane in 1...2 {
      let block = block(of: plane)
      switch chromaMode {
      case 0:
        WholePrediction.chromaDC(
          block, height: height, hasTop: around.top, left: around.left, middle: 1 << (geometry.chromaDepth - 1))
      case 1 where hasLeft: WholePrediction.horizontal(block, width: 8, height: height)
      case 2 where around.top: WholePrediction.vertical(block, width: 8, height: height)
      case 3 where around.top && hasLeft && around.corner:
        WholePrediction.plane(block, width: 8, height: height, maximum: maximum(plane))
      default: throw .damaged("an intra prediction mode needs samples that are not there")
      }
    }
    addChroma()
  }
}

/// Prediction of all of a macroblock's plane (ITU-T H.264, 8.3.3 and 8.3.4).
enum WholePrediction {
  static func vertical<Sample>(_ block: PixelBlock<Sample>, width: Int, height: Int) {
    for x in 0..<width {
      let value = block[x, -1]
      for y in 0..<height { block.set(x, y, value) }
    }
  }

  static func horizontal<Sample>(_ block: PixelBlock<Sample>, width: Int, height: Int) {
    for y in 0..<height { block.fillRow(y, width: width, with: block[-1, y]) }
  }

  static func mean16x16<Sample>(_ block: PixelBlock<Sample>, hasTop: Bool, hasLeft: Bool, middle: Int) -> Int {
    var sum = 0
    if hasTop { for x in 0..<16 { sum += block[x, -1] } }
    if hasLeft { for y in 0..<16 { sum += block[-1, y] } }
    switch (hasTop, hasLeft) {
    case (true, true): return (sum + 16) >> 5
    case (false, false): return middle
    default: return (sum + 8) >> 4
    }
  }

  static func plane<Sample>(_ block: PixelBlock<Sample>, width: Int, height: Int, maximum: Int) {
    let halfWidth = width / 2, halfHeight = height / 2
    var across = 0, down = 0
    for step in 1...halfWidth { across += step * (block[halfWidth - 1 + step, -1] - block[halfWidth - 1 - step, -1]) }
    for step in 1...halfHeight { down += step * (block[-1, halfHeight - 1 + step] - block[-1, halfHeight - 1 - step]) }
    // 5 of 64 for 16 samples, 34 of 64 for 8 (8-66, 8-67, 8-148 to 8-150).
    let b = width == 16 ? (5 * across + 32) >> 6 : (34 * across + 32) >> 6
    let c = height == 16 ? (5 * down + 32) >> 6 : (34 * down + 32) >> 6
    let a = 16 * (block[-1, height - 1] + block[width - 1, -1])
    for y in 0..<height {
      var value = a + b * (1 - halfWidth) + c * (y + 1 - halfHeight) + 16
      for x in 0..<width {
        block.set(x, y, min(max(value >> 5, 0), maximum))
        value += b
      }
    }
  }

  static func chromaDC<Sample>(
    _ block: PixelBlock<Sample>, height: Int, hasTop: Bool, left: Pair<Bool>, middle: Int
  ) {
    for yO in stride(from: 0, to: height, by: 4) {
      let hasLeft = left[2 * yO / height]
      let leftSum = hasLeft ? (0..<4).reduce(0) { $0 + block[-1, yO + $1] } : 0
      for xO in [0, 4] {
        let topSum = hasTop ? (0..<4).reduce(0) { $0 + block[xO + $1, -1] } : 0
        let value: Int
        if hasTop, hasLeft, xO == 0 && yO == 0 || xO > 0 && yO > 0 {
          value = (topSum + leftSum + 4) >> 3
        } else if hasTop, !hasLeft || xO > 0 && yO == 0 {
          value = (topSum + 2) >> 2
        } else if hasLeft {
          value = (leftSum + 2) >> 2
        } else {
          value = middle
        }
        for y in yO..<yO + 4 { block.at(xO, 0).fillRow(y, width: 4, with: value) }
      }
    }
  }
}
