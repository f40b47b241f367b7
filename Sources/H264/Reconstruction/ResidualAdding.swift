import LivePhotoCore
import LivePhotoH264Kernels

/// In which direction differences add up where neither transform nor scaling is applied (ITU-T H.264, 8.5.15).
enum BypassDirection {
  case none
  case down
  case right

  /// For a mode of luma.
  init(mode: Int) { self = mode == 0 ? .down : mode == 1 ? .right : .none }
}

/// Adding the residual to the prediction (ITU-T H.264, 8.5).
extension SliceDecoder {
  /// Adds the residual of a macroblock that is predicted from other pictures.
  mutating func addResidual() {
    for plane in 0..<(geometry.chroma == .yuv444 ? 3 : 1) where coded[plane] != 0 {
      let whole = block(of: plane)
      if kind.contains(.transform8x8) {
        for index in 0..<4 { add8x8(index, whole.at(8 * (index & 1), 8 * (index >> 1)), plane, bypass: .none) }
      } else {
        for index in 0..<16 {
          let raster = BlockOrder.raster[index]
          add4x4(index, whole.at(4 * (raster & 3), 4 * (raster >> 2)), plane, bypass: .none)
        }
      }
    }
    guard geometry.chroma == .yuv420 || geometry.chroma == .yuv422 else { return }
    for plane in 1...2 where coded[plane] != 0 {
      let whole = block(of: plane)
      for index in 0..<geometry.blockHeight(1) / 2 {
        add4x4(index, whole.at(4 * (index & 1), 4 * (index >> 1)), plane, bypass: .none)
      }
    }
  }

  /// Adds the residual of chroma of 4:2:0 or 4:2:2 of an intra macroblock.
  mutating func addChroma() {
    let direction: BypassDirection = chromaMode == 1 ? .right : chromaMode == 2 ? .down : .none
    for plane in 1...2 { addWhole(plane, blocks: geometry.blockHeight(1) / 2, columns: 2, direction) }
  }

  /// Adds the residual to a plane that was predicted as a whole.
  mutating func addWhole(_ plane: Int, blocks: Int, columns: Int, _ direction: BypassDirection) {
    let whole = block(of: plane)
    // Sums go on from block to block, also through those without differences.
    let isSummed = isBypass && direction != .none
    guard coded[plane] != 0 else { return }
    for index in 0..<blocks {
      let raster = columns == 4 ? BlockOrder.raster[index] : index
      let block = whole.at(4 * (raster % columns), 4 * (raster / columns))
      if isSummed {
        addSummed(block, plane * 256 + index * 16, size: 4, direction, goesOn: true)
      } else {
        add4x4(index, block, plane, bypass: .none)
      }
    }
  }

  /// Adds the residual of a block of 4x4, if it has any.
  @inline(__always)
  mutating func add4x4(_ index: Int, _ block: PixelBlock<Sample>, _ plane: Int, bypass: BypassDirection) {
    guard coded[plane] >> UInt16(index) & 1 == 1 else { return }
    let start = plane * 256 + index * 16
    if isBypass { return addSummed(block, start, size: 4, bypass, goesOn: false) }
    let maximum = maximum(plane)
    // SAFETY: the block is checked to be in its plane; the working memory holds 16 coefficients from there on.
    let pixels = unsafe block.pointer(width: 4, height: 4)
    let coefficients = unsafe work.coefficients.base + start
    if dcOnly[plane] >> UInt16(index) & 1 == 1 {
      unsafe kernels.addDC4x4(pixels, block.stride, coefficients[0], maximum)
      work.coefficients[start] = 0
    } else {
      unsafe kernels.add4x4(pixels, block.stride, coefficients, maximum)
    }
  }

  /// Adds the residual of a block of 8x8, if it has any.
  @inline(__always)
  mutating func add8x8(_ index: Int, _ block: PixelBlock<Sample>, _ plane: Int, bypass: BypassDirection) {
    guard coded[plane] >> UInt16(4 * index) & 1 == 1 else { return }
    let start = plane * 256 + index * 64
    if isBypass { return addSummed(block, start, size: 8, bypass, goesOn: false) }
    let maximum = maximum(plane)
    // SAFETY: the block is checked to be in its plane; the working memory holds 64 coefficients from there on.
    let pixels = unsafe block.pointer(width: 8, height: 8)
    let coefficients = unsafe work.coefficients.base + start
    if dcOnly[plane] >> UInt16(4 * index) & 1 == 1 {
      unsafe kernels.addDC8x8(pixels, block.stride, coefficients[0], maximum)
      work.coefficients[start] = 0
    } else {
      unsafe kernels.add8x8(pixels, block.stride, coefficients, maximum)
    }
  }

  /// Adds differences that are neither scaled nor transformed, in a direction each to that before it.
  ///
  /// - Parameter goesOn: whether the first ones add to the sample outside of the block instead of to the prediction.
  private mutating func addSummed(
    _ block: PixelBlock<Sample>, _ start: Int, size: Int, _ direction: BypassDirection, goesOn: Bool
  ) {
    let maximum = (1 << Sample.bitWidth) - 1
    for y in 0..<size {
      for x in 0..<size {
        let index = start + y * size + x
        switch direction {
        case .none: break
        case .down where y > 0: work.coefficients[index] &+= work.coefficients[index - size]
        case .right where x > 0: work.coefficients[index] &+= work.coefficients[index - 1]
        default: break
        }
      }
    }
    for y in 0..<size {
      for x in 0..<size {
        let base: Int
        switch (direction, goesOn) {
        case (.down, true): base = block[x, -1]
        case (.right, true): base = block[-1, y]
        default: base = block[x, y]
        }
        let value = base + Int(work.coefficients[start + y * size + x])
        block.set(x, y, min(max(value, 0), maximum))
      }
    }
    for index in start..<start + size * size { work.coefficients[index] = 0 }
  }
}
