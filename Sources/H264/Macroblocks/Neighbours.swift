/// The macroblocks around one that may be used for it; negative where there is none (ITU-T H.264, 6.4.9 to 6.4.12).
struct Neighbours {
  /// The macroblock above: B.
  var top = -1
  /// Above to the left: D.
  var topLeft = -1
  /// The row of blocks of ``topLeft`` that touches.
  var topLeftRow = 3
  /// Above to the right: C.
  var topRight = -1
  /// The macroblocks to the left of the upper and of the lower half, A, which differ where fields meet frames.
  var left = Pair(first: -1, second: -1)
  /// The row of blocks to the left of each row of blocks, in the macroblock to the left of its half.
  var leftRows: SIMD4<UInt8> = [0, 1, 2, 3]

  /// The macroblock to the left of a row of blocks.
  @inline(__always)
  func left(ofRow row: Int) -> Int { left[row >> 1] }
}

/// Where a macroblock lies in its picture.
struct MacroblockPlace {
  /// Its number, as ``MacroblockStore`` counts.
  var index = 0
  /// Its column, in macroblocks.
  var x = 0
  /// Its row in samples of luma, of the frame or of the field that it belongs to.
  var y = 0
  /// The field, or both.
  var structure = PictureStructure.frame
}

/// Finds neighbours in pictures of one kind of macroblock, and in adaptive ones.
struct NeighbourFinder {
  let width: Int
  /// From a macroblock to the one above it: a row, or two where fields take turns.
  let rowStep: Int
  let isAdaptive: Bool
  let slices: Table<Int32>
  let kinds: Table<MacroblockKind>

  /// The neighbours of a macroblock that belong to `slice`.
  func neighbours(of place: MacroblockPlace, slice: Int32) -> Neighbours {
    isAdaptive ? adaptive(place, slice) : plain(place, slice)
  }

  @inline(__always)
  private func checked(_ index: Int, _ slice: Int32) -> Int {
    index >= 0 && slices[index] == slice ? index : -1
  }

  @inline(__always)
  private func plain(_ place: MacroblockPlace, _ slice: Int32) -> Neighbours {
    var result = Neighbours()
    let above = place.index - rowStep
    if place.x > 0 {
      let left = checked(place.index - 1, slice)
      result.left = Pair(first: left, second: left)
      result.topLeft = checked(above - 1, slice)
    }
    result.top = checked(above, slice)
    if place.x + 1 < width { result.topRight = checked(above + 1, slice) }
    return result
  }

  /// Of a macroblock of a pair (6.4.12.2, table 6-4).
  private func adaptive(_ place: MacroblockPlace, _ slice: Int32) -> Neighbours {
    var result = Neighbours()
    let row = place.index / width, isBottom = row & 1 == 1
    let isField = place.structure.isField
    let pair = place.index - (isBottom ? width : 0)
    let above = pair - 2 * width
    let a = place.x > 0 ? checked(pair - 1, slice) : -1
    let b = checked(above, slice)
    let c = place.x + 1 < width ? checked(above + 1, slice) : -1
    let d = place.x > 0 ? checked(above - 1, slice) : -1
    /// The macroblock of a pair above that touches: the lower one, but for the top field over a pair of fields.
    func touching(_ other: Int) -> Int {
      guard other >= 0 else { return -1 }
      return isField && !isBottom && kinds[other].isField ? other : other + width
    }
    if isBottom && !isField {
      result.top = pair
      // What is to the right above is not decoded yet.
      if a >= 0 {
        result.topLeft = kinds[a].isField ? a + width : a
        result.topLeftRow = kinds[a].isField ? 1 : 3
      }
    } else {
      result.top = touching(b)
      result.topRight = touching(c)
      result.topLeft = touching(d)
    }
    guard a >= 0 else { return result }
    switch (isField, kinds[a].isField) {
    case (true, true), (false, false):
      let left = isBottom ? a + width : a
      result.left = Pair(first: left, second: left)
    case (false, true):
      result.left = Pair(first: a, second: a)
      result.leftRows = isBottom ? [2, 2, 3, 3] : [0, 0, 1, 1]
    case (true, false):
      result.left = Pair(first: a, second: a + width)
      result.leftRows = [0, 2, 0, 2]
    }
    return result
  }
}
