/// The orders of coefficients as tables: first of frames, then of fields.
@safe struct ScanTables {
  /// Of blocks of 4x4: 2 times 16.
  let small: Table<UInt8>
  /// Of blocks of 8x8: 2 times 64.
  let large: Table<UInt8>
  /// Of the coefficients of a block of 8x8 that are coded as four of 4x4: 2 times 4 times 16.
  let interleaved: Table<UInt8>
  /// Of DC and others whose coefficients are kept as they come.
  let plain: Table<UInt8>

  init() {
    small = Table(BlockOrder.zigzag4x4 + BlockOrder.field4x4)
    large = Table(BlockOrder.zigzag8x8 + BlockOrder.field8x8)
    interleaved = Table(
      [BlockOrder.zigzag8x8, BlockOrder.field8x8].flatMap { scan in
        (0..<4).flatMap { part in (0..<16).map { scan[4 * $0 + part] } }
      })
    plain = Table((0..<64).map { UInt8($0) })
  }

  func free() {
    small.free()
    large.free()
    interleaved.free()
    plain.free()
  }
}
