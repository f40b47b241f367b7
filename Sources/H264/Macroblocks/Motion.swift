import LivePhotoH264Kernels

/// Vectors, predicted and read (ITU-T H.264, 8.4.1).
///
/// Around a macroblock lie the blocks of 4x4 of its neighbours: the working memory holds six columns and five rows, with
/// the macroblock's own blocks from column 1 and row 1 on.
extension SliceDecoder {
  /// Where a block of 4x4 stands in the working memory.
  @inline(__always)
  static func position(_ x: Int, _ y: Int) -> Int { (y + 1) * 8 + x + 1 }

  /// The mode of ``SliceReferences`` for the macroblock.
  var referenceMode: Int { isFieldMacroblock ? 1 + place.structure.parity : 0 }

  /// Brings the motion around the macroblock into the working memory.
  mutating func loadMotion(_ list: Int) {
    let references = work.references[list]
    for row in 1..<5 { references.fill(row * 8 + 1..<row * 8 + 5, with: -2) }
    if near.top >= 0 {
      for x in 0..<4 { load(near.top, 3, x, to: Self.position(x, -1), list) }
    } else {
      references.fill(1..<5, with: -2)
    }
    load(near.topRight, 3, 0, to: Self.position(4, -1), list)
    load(near.topLeft, near.topLeftRow, 3, to: Self.position(-1, -1), list)
    for y in 0..<4 { load(near.left(ofRow: y), Int(near.leftRows[y]), 3, to: Self.position(-1, y), list) }
  }

  /// Brings the sizes of coded differences around the macroblock into the working memory.
  mutating func loadDifferences(_ list: Int) {
    for x in 0..<4 { loadDifference(near.top, 3, x, to: Self.position(x, -1), list) }
    for y in 0..<4 { loadDifference(near.left(ofRow: y), Int(near.leftRows[y]), 3, to: Self.position(-1, y), list) }
  }

  @inline(__always)
  private mutating func load(_ index: Int, _ row: Int, _ column: Int, to position: Int, _ list: Int) {
    guard index >= 0 else {
      work.references[list][position] = -2
      return
    }
    var reference = target.references[list][index * 4 + (row & 2) + column >> 1]
    var vector = target.vectors[list][index * 16 + row * 4 + column]
    if isAdaptive, reference >= 0 {
      let isField = store.kinds[index].isField
      if place.structure.isField, !isField {
        reference <<= 1
        vector.y /= 2
      } else if !place.structure.isField, isField {
        reference >>= 1
        vector.y &*= 2
      }
    }
    work.references[list][position] = reference
    work.vectors[list][position] = vector
  }

  @inline(__always)
  private mutating func loadDifference(_ index: Int, _ row: Int, _ column: Int, to position: Int, _ list: Int) {
    guard index >= 0 else {
      work.differences[list][position] = .zero
      return
    }
    var size = store.differences[list][index * 16 + row * 4 + column]
    if isAdaptive {
      let isField = store.kinds[index].isField
      if place.structure.isField, !isField {
        size.y >>= 1
      } else if !place.structure.isField, isField {
        size.y = UInt8(min(Int(size.y) * 2, 255))
      }
    }
    work.differences[list][position] = size
  }

  /// Sets the motion of blocks of 4x4 in the working memory.
  @inline(__always)
  mutating func setMotion(_ list: Int, x: Int, y: Int, width: Int, height: Int, reference: Int8, vector: SIMD2<Int16>) {
    for row in y..<y + height {
      for column in x..<x + width {
        work.references[list][Self.position(column, row)] = reference
        work.vectors[list][Self.position(column, row)] = vector
      }
    }
  }
}

// MARK: Prediction

extension SliceDecoder {
  /// A neighbouring block's motion.
  struct Motion {
    var reference: Int8
    var vector: SIMD2<Int16>
  }

  @inline(__always)
  mutating func motion(_ list: Int, at position: Int) -> Motion {
    let reference = work.references[list][position]
    return Motion(reference: reference, vector: reference >= 0 ? work.vectors[list][position] : .zero)
  }

  /// The motion to the right above a part, or to the left above it where there is none (8.4.1.3.2).
  @inline(__always)
  mutating func diagonal(_ list: Int, x: Int, y: Int, width: Int) -> Motion {
    let position = Self.position(x, y)
    let right = motion(list, at: position - 8 + width)
    guard right.reference == -2 else { return right }
    if isAdaptive, x == 0, y > 0, near.left.first >= 0,
      store.kinds[near.left.first].isField != place.structure.isField
    {
      return mixedDiagonal(list, y)
    }
    return motion(list, at: position - 9)
  }

  /// The motion to the left above a part inside of a macroblock where fields meet frames (table 6-4).
  private mutating func mixedDiagonal(_ list: Int, _ y: Int) -> Motion {
    let width = geometry.width
    let pair = place.index - (place.index / width & 1) * width
    let left = pair - 1
    let index: Int, row: Int
    if place.structure.isField {
      index = y == 3 ? left + width : left
      row = y == 2 ? 3 : 1
    } else {
      index = left + width
      row = (place.index == pair ? 0 : 2) + (y == 3 ? 1 : 0)
    }
    let reference = target.references[list][index * 4 + (row & 2) + 1]
    guard reference >= 0 else { return Motion(reference: reference, vector: .zero) }
    var vector = target.vectors[list][index * 16 + row * 4 + 3]
    if place.structure.isField {
      vector.y /= 2
      return Motion(reference: reference << 1, vector: vector)
    }
    vector.y &*= 2
    return Motion(reference: reference >> 1, vector: vector)
  }

  /// The vector that a part is predicted to have, from the median of those around (8.4.1.3).
  mutating func predict(_ list: Int, x: Int, y: Int, width: Int, reference: Int8) -> SIMD2<Int16> {
    let position = Self.position(x, y)
    return Self.median(
      motion(list, at: position - 1), motion(list, at: position - 8), diagonal(list, x: x, y: y, width: width),
      reference)
  }

  static func median(_ a: Motion, _ b: Motion, _ c: Motion, _ reference: Int8) -> SIMD2<Int16> {
    if b.reference == -2, c.reference == -2, a.reference != -2 { return a.vector }
    let same = (a.reference == reference, b.reference == reference, c.reference == reference)
    switch same {
    case (true, false, false): return a.vector
    case (false, true, false): return b.vector
    case (false, false, true): return c.vector
    default:
      let low = pointwiseMin(a.vector, b.vector), high = pointwiseMax(a.vector, b.vector)
      return pointwiseMax(low, pointwiseMin(high, c.vector))
    }
  }

  /// The same for a half of 16x8 or 8x16, for which one neighbour goes before (8.4.1.3).
  mutating func predictHalf(_ list: Int, _ shape: MotionShape, part: Int, reference: Int8) -> SIMD2<Int16> {
    if shape == .wide {
      let y = 2 * part
      let first = motion(list, at: part == 0 ? Self.position(0, -1) : Self.position(-1, 2))
      return first.reference == reference
        ? first.vector : predict(list, x: 0, y: y, width: 4, reference: reference)
    }
    let x = 2 * part
    let first = part == 0 ? motion(list, at: Self.position(-1, 0)) : diagonal(list, x: 2, y: 0, width: 2)
    return first.reference == reference ? first.vector : predict(list, x: x, y: 0, width: 2, reference: reference)
  }

  /// The vector of a skipped macroblock of a P slice (8.4.1.1).
  mutating func predictSkipped() -> SIMD2<Int16> {
    let a = motion(0, at: Self.position(-1, 0)), b = motion(0, at: Self.position(0, -1))
    func isStill(_ motion: Motion) -> Bool {
      motion.reference == -2 || motion.reference == 0 && motion.vector == .zero
    }
    guard !isStill(a), !isStill(b) else { return .zero }
    return predict(0, x: 0, y: 0, width: 4, reference: 0)
  }
}

// MARK: Reading

extension SliceDecoder {
  /// Reads the motion of a macroblock that is not divided into quarters.
  mutating func readParts(_ shape: MotionShape, _ one: ListMask, _ two: ListMask) throws(H264Error) {
    let lists = Pair(first: one, second: two)
    let parts = shape == .whole ? 1 : 2
    for list in 0..<(isB ? 2 : 1) {
      for part in 0..<parts {
        let isUsed = lists[part] >> UInt8(list) & 1 == 1
        let reference = isUsed ? try readReference(list, block: shape == .wide ? 2 * part : part) : -1
        switch shape {
        case .wide:
          chosen.set(list, 2 * part, reference)
          chosen.set(list, 2 * part + 1, reference)
        case .tall:
          chosen.set(list, part, reference)
          chosen.set(list, part + 2, reference)
        default: for block in 0..<4 { chosen.set(list, block, reference) }
        }
      }
    }
    for list in 0..<(isB ? 2 : 1) {
      for part in 0..<parts {
        let x = shape == .tall ? 2 * part : 0, y = shape == .wide ? 2 * part : 0
        let width = shape == .tall ? 2 : 4, height = shape == .wide ? 2 : 4
        let reference = chosen[list][(y & 2) + x >> 1]
        guard lists[part] >> UInt8(list) & 1 == 1 else {
          setMotion(list, x: x, y: y, width: width, height: height, reference: -1, vector: .zero)
          setDifference(list, x: x, y: y, width: width, height: height, .zero)
          continue
        }
        let predicted =
          shape == .whole
          ? predict(list, x: 0, y: 0, width: 4, reference: reference)
          : predictHalf(list, shape, part: part, reference: reference)
        readVector(list, x: x, y: y, width: width, height: height, reference: reference, predicted: predicted)
      }
    }
  }

  /// Reads the motion of four blocks of 8x8.
  mutating func readQuarters(refersToFirst: Bool) throws(H264Error) {
    for list in 0..<(isB ? 2 : 1) {
      for block in 0..<4 {
        let isUsed = subTypes[block].lists >> UInt8(list) & 1 == 1
        chosen.set(list, block, !isUsed ? -1 : refersToFirst ? 0 : try readReference(list, block: block))
      }
    }
    for list in 0..<(isB ? 2 : 1) {
      for block in 0..<4 {
        let x = (block & 1) * 2, y = block & 2
        if subTypes[block].isDirect {
          takeDirect(list, block)
          setDifference(list, x: x, y: y, width: 2, height: 2, .zero)
        } else if subTypes[block].lists >> UInt8(list) & 1 == 0 {
          setMotion(list, x: x, y: y, width: 2, height: 2, reference: -1, vector: .zero)
          setDifference(list, x: x, y: y, width: 2, height: 2, .zero)
        } else {
          let size = subTypes[block].shape.size
          let reference = chosen[list][block]
          for py in stride(from: y, to: y + 2, by: size.height) {
            for px in stride(from: x, to: x + 2, by: size.width) {
              let predicted = predict(list, x: px, y: py, width: size.width, reference: reference)
              readVector(
                list, x: px, y: py, width: size.width, height: size.height, reference: reference, predicted: predicted)
            }
          }
        }
      }
    }
  }

  /// Reads a vector's difference and sets the motion of a part.
  @inline(__always)
  private mutating func readVector(
    _ list: Int, x: Int, y: Int, width: Int, height: Int, reference: Int8, predicted: SIMD2<Int16>
  ) {
    let difference: SIMD2<Int>
    if usesCABAC {
      difference = readArithmeticDifference(list, at: Self.position(x, y))
      let sizes = SIMD2(UInt8(min(abs(difference.x), 255)), UInt8(min(abs(difference.y), 255)))
      setDifference(list, x: x, y: y, width: width, height: height, sizes)
    } else {
      let across = bits.signed()
      difference = SIMD2(across, bits.signed())
    }
    let vector =
      predicted
      &+ SIMD2(
        Int16(truncatingIfNeeded: difference.x), Int16(truncatingIfNeeded: difference.y))
    setMotion(list, x: x, y: y, width: width, height: height, reference: reference, vector: vector)
  }

  private mutating func setDifference(_ list: Int, x: Int, y: Int, width: Int, height: Int, _ sizes: SIMD2<UInt8>) {
    guard usesCABAC else { return }
    for row in y..<y + height {
      for column in x..<x + width { work.differences[list][Self.position(column, row)] = sizes }
    }
  }

  private mutating func readReference(_ list: Int, block: Int) throws(H264Error) -> Int8 {
    let count = lists.counts[list] << (isFieldMacroblock ? 1 : 0)
    guard count > 1 else { return 0 }
    let index = usesCABAC ? readArithmeticReference(list, block: block) : bits.truncated(count - 1)
    guard index >= 0, index < count else { throw .damaged("a reference index is out of range") }
    return Int8(index)
  }
}

extension Pair where Element == SIMD4<Int8> {
  /// Sets the index of a block of 8x8.
  @inline(__always)
  mutating func set(_ list: Int, _ block: Int, _ reference: Int8) {
    if list == 0 { first[block] = reference } else { second[block] = reference }
  }
}

// MARK: Keeping

extension SliceDecoder {
  /// Keeps the motion of the macroblock for those that follow, for filtering and for later pictures.
  mutating func storeMotion() {
    let mode = referenceMode
    for list in 0..<2 {
      for y in 0..<4 {
        let position = Self.position(0, y), kept = place.index * 16 + y * 4
        target.vectors[list].copyFour(from: work.vectors[list], at: position, to: kept)
        if usesCABAC { store.differences[list].copyFour(from: work.differences[list], at: position, to: kept) }
      }
      for block in 0..<4 {
        let reference = work.references[list][Self.position((block & 1) * 2, block & 2)]
        target.references[list][place.index * 4 + block] = reference
        guard reference >= 0 else {
          target.identities[list][place.index * 4 + block] = -1
          continue
        }
        let entry = lists.entries[SliceReferences<Sample>.index(mode, list, Int(reference))]
        if entry.isBroken { refersToBroken = true }
        target.identities[list][place.index * 4 + block] = entry.identity
      }
    }
    target.kinds[place.index] = place.structure.isField ? .field : []
  }

  /// Keeps that the macroblock has no motion.
  mutating func storeNoMotion() {
    for list in 0..<2 {
      target.references[list].fill(place.index * 4..<place.index * 4 + 4, with: -1)
      target.identities[list].fill(place.index * 4..<place.index * 4 + 4, with: -1)
      target.vectors[list].fill(place.index * 16..<place.index * 16 + 16, with: .zero)
      if usesCABAC { store.differences[list].fill(place.index * 16..<place.index * 16 + 16, with: .zero) }
    }
    target.kinds[place.index] = place.structure.isField ? [.intra, .field] : .intra
  }
}
