import LivePhotoBitstream
import LivePhotoH264Kernels

/// Motion taken from neighbours or from another picture (ITU-T H.264, 8.4.1.2).
extension SliceDecoder {
  /// Where direct prediction finds the motion of one block.
  private struct Colocated {
    /// The macroblock; negative where it was predicted from its own picture.
    var reference: Int8
    var identity: Int32
    var vector: SIMD2<Int16>
    /// Whether it belongs to a field while the current macroblock is of a frame.
    var isFieldToFrame: Bool
    /// The reverse.
    var isFrameToField: Bool

    static var none: Colocated {
      Colocated(reference: -1, identity: -1, vector: .zero, isFieldToFrame: false, isFrameToField: false)
    }
  }

  /// Derives the motion of the blocks of 8x8 that are predicted directly; the others keep theirs.
  mutating func predictDirectly() {
    if header.isDirectSpatial { predictSpatially() } else { predictTemporally() }
  }

  /// Sets the motion of a block of 8x8 to that derived directly.
  mutating func takeDirect(_ list: Int, _ block: Int) {
    let reference = directReferences[list][block]
    for part in 0..<4 {
      let x = (block & 1) * 2 + part & 1, y = (block & 2) + part >> 1
      setMotion(
        list, x: x, y: y, width: 1, height: 1, reference: reference, vector: work.directVectors[list][y * 4 + x])
    }
  }

  @inline(__always)
  private mutating func isDirect(_ block: Int) -> Bool { directMask >> UInt8(block) & 1 == 1 }

  // MARK: Spatial

  private mutating func predictSpatially() {
    var references = SIMD2<Int8>(repeating: -1)
    var predicted = Pair(first: SIMD2<Int16>.zero, second: SIMD2<Int16>.zero)
    for list in 0..<2 {
      let a = motion(list, at: Self.position(-1, 0)), b = motion(list, at: Self.position(0, -1))
      let c = diagonal(list, x: 0, y: 0, width: 4)
      let candidates = [a.reference, b.reference, c.reference].filter { $0 >= 0 }
      guard let least = candidates.min() else { continue }
      references[list] = least
      let vector = Self.median(a, b, c, least)
      if list == 0 { predicted.first = vector } else { predicted.second = vector }
    }
    let isZero = references[0] < 0 && references[1] < 0
    if isZero { references = .zero }
    let mayStandStill = !lists.entries[SliceReferences<Sample>.index(0, 1, 0)].isLongTerm
    for block in 0..<4 where isDirect(block) {
      for list in 0..<2 { directReferences.set(list, block, references[list]) }
      for part in 0..<4 {
        let x = (block & 1) * 2 + part & 1, y = (block & 2) + part >> 1
        let isStill = !isZero && mayStandStill && isColocatedStill(x, y)
        for list in 0..<2 {
          let stays = isZero || references[list] < 0 || references[list] == 0 && isStill
          work.directVectors[list][y * 4 + x] = stays ? .zero : predicted[list]
        }
      }
    }
  }

  private mutating func isColocatedStill(_ x: Int, _ y: Int) -> Bool {
    let found = colocated(x, y)
    return found.reference == 0 && (-1...1).contains(found.vector.x) && (-1...1).contains(found.vector.y)
  }

  // MARK: Temporal

  private mutating func predictTemporally() {
    let mode = referenceMode
    let isField = place.structure.isField
    for block in 0..<4 where isDirect(block) {
      directReferences.set(1, block, 0)
      for part in 0..<4 {
        let x = (block & 1) * 2 + part & 1, y = (block & 2) + part >> 1
        let found = colocated(x, y)
        var vector = found.vector
        var reference = 0
        if found.reference >= 0 {
          // A frame's field is the one of the current parity; a frame macroblock refers to whole frames.
          let identity =
            !isField
            ? found.identity & ~3
            : found.identity & 3 == 0 ? found.identity | Int32(place.structure.rawValue) : found.identity
          reference = index(of: identity, mode: mode)
          if found.isFrameToField { vector.y /= 2 }
          if found.isFieldToFrame { vector.y &*= 2 }
        }
        directReferences.set(0, block, Int8(reference))
        let first = lists.entries[SliceReferences<Sample>.index(mode, 0, reference)]
        let second = lists.entries[SliceReferences<Sample>.index(mode, 1, 0)]
        let scaled: SIMD2<Int16>
        if !first.isLongTerm,
          let factor = MotionScale.factor(current: lists.orders[mode], from: Int(first.order), to: Int(second.order))
        {
          scaled = SIMD2(
            Int16(truncatingIfNeeded: (factor * Int(vector.x) + 128) >> 8),
            Int16(truncatingIfNeeded: (factor * Int(vector.y) + 128) >> 8))
          work.directVectors.second[y * 4 + x] = scaled &- vector
        } else {
          scaled = vector
          work.directVectors.second[y * 4 + x] = .zero
        }
        work.directVectors.first[y * 4 + x] = scaled
      }
    }
  }

  /// The first index of list 0 that refers to a picture.
  private mutating func index(of identity: Int32, mode: Int) -> Int {
    let count = lists.counts.first << (mode > 0 ? 1 : 0)
    for index in 0..<min(count, SliceReferences<Sample>.capacity)
    where lists.entries[SliceReferences<Sample>.index(mode, 0, index)].identity == identity {
      return index
    }
    return 0
  }

  // MARK: The other picture

  /// The motion that a block of 4x4 takes over (8.4.1.2.1).
  private mutating func colocated(_ x: Int, _ y: Int) -> Colocated {
    guard lists.hasColocated else { return .none }
    let width = geometry.width, isField = place.structure.isField
    // The corners stand for all of a block of 8x8.
    let column = sps.isDirect8x8 ? x >> 1 * 3 : x
    var row = sps.isDirect8x8 ? y >> 1 * 3 : y
    var index = place.index
    let isLower = index / width & 1
    let pair = index - isLower * width
    var isFieldToFrame = false, isFrameToField = false
    if lists.colocated.kinds[index].contains(.field) {
      if !isField {
        index = pair + lists.colocatedParity * width
        row = 2 * isLower + y >> 1
        isFieldToFrame = true
      } else if header.structure.isField, !lists.isColocatedAdaptive {
        index = pair + lists.colocatedStructure.parity * width
      }
    } else if isField {
      index = pair + (y >> 1) * width
      row = y >> 1 * 2
      isFrameToField = true
    }
    guard !lists.colocated.kinds[index].contains(.intra) else { return .none }
    let block = index * 4 + (row & 2) + column >> 1
    let list = lists.colocated.references.first[block] >= 0 ? 0 : 1
    return Colocated(
      reference: lists.colocated.references[list][block], identity: lists.colocated.identities[list][block],
      vector: lists.colocated.vectors[list][index * 16 + row * 4 + column], isFieldToFrame: isFieldToFrame,
      isFrameToField: isFrameToField)
  }
}
