/// The inverse transforms in plain scalar code.
///
/// Damaged streams have coefficients of any size: sums wrap around.
enum ReferenceTransform {
  /// Adds a transformed 4x4 block (ITU-T H.264, 8.5.12.2 and 8.5.14); see ``AddTransform``.
  static func add4x4<Sample: KernelSample>(
    _ block: UnsafeMutablePointer<Sample>, _ stride: Int, _ coefficients: UnsafeMutablePointer<Int32>, _ maximum: Int
  ) {
    for row in 0..<4 { unsafe transform4(coefficients + row * 4, 1) }
    for column in 0..<4 { unsafe transform4(coefficients + column, 4) }
    unsafe add(block, stride, coefficients, maximum, size: 4)
  }

  /// Adds a transformed 8x8 block (ITU-T H.264, 8.5.13 and 8.5.14); see ``AddTransform``.
  static func add8x8<Sample: KernelSample>(
    _ block: UnsafeMutablePointer<Sample>, _ stride: Int, _ coefficients: UnsafeMutablePointer<Int32>, _ maximum: Int
  ) {
    for row in 0..<8 { unsafe transform8(coefficients + row * 8, 1) }
    for column in 0..<8 { unsafe transform8(coefficients + column, 8) }
    unsafe add(block, stride, coefficients, maximum, size: 8)
  }

  /// Adds what the transform of a first coefficient alone gives; see ``AddDC``.
  static func addDC<Sample: KernelSample>(
    _ block: UnsafeMutablePointer<Sample>, _ stride: Int, _ dc: Int32, _ maximum: Int, size: Int
  ) {
    let difference = (dc &+ 32) >> 6
    for y in 0..<size {
      for x in 0..<size { unsafe add(difference, to: &block[y * stride + x], maximum) }
    }
  }

  /// Rounds transformed values, adds them, and sets them to zero.
  private static func add<Sample: KernelSample>(
    _ block: UnsafeMutablePointer<Sample>, _ stride: Int, _ values: UnsafeMutablePointer<Int32>, _ maximum: Int,
    size: Int
  ) {
    for y in 0..<size {
      for x in 0..<size {
        // SAFETY: the caller's block and its coefficients are of `size` by `size`; so in all of this.
        unsafe add((values[y * size + x] &+ 32) >> 6, to: &block[y * stride + x], maximum)
        unsafe values[y * size + x] = 0
      }
    }
  }

  private static func add<Sample: KernelSample>(_ difference: Int32, to sample: inout Sample, _ maximum: Int) {
    sample = Sample(truncatingIfNeeded: min(max(Int(sample) + Int(difference), 0), maximum))
  }

  /// Transforms four values (ITU-T H.264, 8-338 to 8-345).
  private static func transform4(_ values: UnsafeMutablePointer<Int32>, _ step: Int) {
    let (a, b, c, d) = unsafe (values[0], values[step], values[2 * step], values[3 * step])
    let e0 = a &+ c, e1 = a &- c, e2 = b >> 1 &- d, e3 = b &+ d >> 1
    unsafe values[0] = e0 &+ e3
    unsafe values[step] = e1 &+ e2
    unsafe values[2 * step] = e1 &- e2
    unsafe values[3 * step] = e0 &- e3
  }

  /// Transforms eight values (ITU-T H.264, 8.5.13).
  private static func transform8(_ values: UnsafeMutablePointer<Int32>, _ step: Int) {
    let (i0, i1, i2, i3) = unsafe (values[0], values[step], values[2 * step], values[3 * step])
    let (i4, i5, i6, i7) = unsafe (values[4 * step], values[5 * step], values[6 * step], values[7 * step])
    let e0 = i0 &+ i4, e2 = i0 &- i4, e4 = i2 >> 1 &- i6, e6 = i2 &+ i6 >> 1
    let e1 = i5 &- i3 &- i7 &- i7 >> 1, e3 = i1 &+ i7 &- i3 &- i3 >> 1
    let e5 = i7 &- i1 &+ i5 &+ i5 >> 1, e7 = i3 &+ i5 &+ i1 &+ i1 >> 1
    let f0 = e0 &+ e6, f2 = e2 &+ e4, f4 = e2 &- e4, f6 = e0 &- e6
    let f1 = e1 &+ e7 >> 2, f3 = e3 &+ e5 >> 2, f5 = e3 >> 2 &- e5, f7 = e7 &- e1 >> 2
    unsafe values[0] = f0 &+ f7
    unsafe values[step] = f2 &+ f5
    unsafe values[2 * step] = f4 &+ f3
    unsafe values[3 * step] = f6 &+ f1
    unsafe values[4 * step] = f6 &- f1
    unsafe values[5 * step] = f4 &- f3
    unsafe values[6 * step] = f2 &- f5
    unsafe values[7 * step] = f0 &- f7
  }
}
