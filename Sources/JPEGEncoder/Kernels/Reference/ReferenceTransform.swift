/// Both forward transforms in plain scalar code, block by block.
enum ReferenceTransform {
  /// The 16-bit transform: Arai, Agui and Nakajima's, on samples doubled for one bit of guard.
  static func fast(
    _ samples: UnsafePointer<UInt8>, _ stride: Int, _ pairs: Int, _ table: UnsafePointer<Int16>,
    _ zigzag: UnsafePointer<UInt64>, _ coefficients: UnsafeMutablePointer<Int16>,
    _ bitmaps: UnsafeMutablePointer<UInt64>
  ) {
    // SAFETY: the caller passes eight rows of `pairs * 16` samples, a whole table, and room for as many blocks.
    for block in 0..<pairs * 2 {
      var data = unsafe loadBlock(samples + block * 8, stride, zero: 0).map { Int16($0) * 2 }
      for column in 0..<8 { passFast(&data, from: column, by: 8) }
      for row in 0..<8 { passFast(&data, from: row * 8, by: 1) }
      unsafe store(coefficients + block * 64, bitmaps + block) { u, v in
        let sum = unsafe Int32(data[v * 8 + u] &+ table[u * 16 + v])
        return unsafe Int16(truncatingIfNeeded: (sum * Int32(table[128 + u * 16 + v])) >> 16)
      }
    }
  }

  /// The 32-bit transform: Loeffler, Ligtenberg and Moschytz's, with 13 fractional bits.
  static func accurate(
    _ samples: UnsafePointer<UInt8>, _ stride: Int, _ pairs: Int, _ table: UnsafePointer<Int32>,
    _ zigzag: UnsafePointer<UInt64>, _ coefficients: UnsafeMutablePointer<Int16>,
    _ bitmaps: UnsafeMutablePointer<UInt64>
  ) {
    // SAFETY: as above.
    for block in 0..<pairs * 2 {
      var data = unsafe loadBlock(samples + block * 8, stride, zero: 128)
      for column in 0..<8 { passAccurate(&data, from: column, by: 8, isFirst: true) }
      for row in 0..<8 { passAccurate(&data, from: row * 8, by: 1, isFirst: false) }
      unsafe store(coefficients + block * 64, bitmaps + block) { u, v in
        let value = data[v * 8 + u], divisor = unsafe table[u * 8 + v]
        let magnitude = (abs(value) + divisor / 2) / divisor
        return Int16(value < 0 ? -magnitude : magnitude)
      }
    }
  }

  private static func loadBlock(_ samples: UnsafePointer<UInt8>, _ stride: Int, zero: Int32) -> [Int32] {
    (0..<64).map { unsafe Int32(samples[$0 / 8 * stride + $0 % 8]) - zero }
  }

  private static func store(
    _ coefficients: UnsafeMutablePointer<Int16>, _ bitmap: UnsafeMutablePointer<UInt64>,
    _ quantized: (_ u: Int, _ v: Int) -> Int16
  ) {
    var bits: UInt64 = 0
    for (position, index) in Zigzag.natural.enumerated() {
      let (u, v) = (Int(index) % 8, Int(index) / 8)
      let value = quantized(u, v)
      unsafe coefficients[u * 8 + v] = value
      guard position > 0 else { continue }
      if value != 0 { bits |= 1 << UInt64(position) }
      if !(-64..<64).contains(value) { bits |= 1 }
    }
    unsafe bitmap.pointee = bits
  }

  /// `x` times a constant of 0 to 1 with 16 fractional bits, rounded down.
  private static func multiply(_ x: Int16, _ constant: Int16) -> Int16 {
    Int16(truncatingIfNeeded: (Int32(x) * Int32(constant)) >> 16)
  }

  private static func passFast(_ data: inout [Int16], from start: Int, by step: Int) {
    func at(_ index: Int) -> Int { start + index * step }
    let sums = (0..<4).map { data[at($0)] + data[at(7 - $0)] }
    let differences = (0..<4).map { data[at($0)] - data[at(7 - $0)] }

    let even = (sums[0] + sums[3], sums[1] + sums[2], sums[1] - sums[2], sums[0] - sums[3])
    data[at(0)] = even.0 + even.1
    data[at(4)] = even.0 - even.1
    let z1 = even.2 + even.3 + multiply(even.2 + even.3, FastConstants.c4)
    data[at(2)] = even.3 + z1
    data[at(6)] = even.3 - z1

    let odd = (differences[3] + differences[2], differences[2] + differences[1], differences[1] + differences[0])
    let z5 = multiply(odd.0 - odd.2, FastConstants.c6)
    let z2 = odd.0 + multiply(odd.0, FastConstants.c2MinusC6) + z5
    let z4 = odd.2 + multiply(odd.2, FastConstants.c2PlusC6) + z5
    let z3 = odd.1 + multiply(odd.1, FastConstants.c4)
    let (z11, z13) = (differences[0] + z3, differences[0] - z3)
    data[at(5)] = z13 + z2
    data[at(3)] = z13 - z2
    data[at(1)] = z11 + z4
    data[at(7)] = z11 - z4
  }

  private static func passAccurate(_ data: inout [Int32], from start: Int, by step: Int, isFirst: Bool) {
    func at(_ index: Int) -> Int { start + index * step }
    let sums = (0..<4).map { data[at($0)] + data[at(7 - $0)] }
    let differences = (0..<4).map { data[at($0)] - data[at(7 - $0)] }
    // The first pass keeps two more fractional bits, which the second takes away.
    let shift: Int32 = isFirst ? 11 : 15
    func descaled(_ value: Int32) -> Int32 { (value + 1 << (shift - 1)) >> shift }
    func plain(_ value: Int32) -> Int32 { isFirst ? value << 2 : (value + 2) >> 2 }
    typealias C = AccurateConstants

    let even = (sums[0] + sums[3], sums[1] + sums[2], sums[1] - sums[2], sums[0] - sums[3])
    data[at(0)] = plain(even.0 + even.1)
    data[at(4)] = plain(even.0 - even.1)
    let z1 = (even.2 + even.3) * C.c0541
    data[at(2)] = descaled(z1 + even.3 * C.c0765)
    data[at(6)] = descaled(z1 - even.2 * C.c1847)

    let (d0, d1, d2, d3) = (differences[0], differences[1], differences[2], differences[3])
    let z5 = (d3 + d1 + d2 + d0) * C.c1175
    let (w1, w2) = ((d3 + d0) * C.c0899, (d2 + d1) * C.c2562)
    let (w3, w4) = (z5 - (d3 + d1) * C.c1961, z5 - (d2 + d0) * C.c0390)
    data[at(7)] = descaled(d3 * C.c0298 - w1 + w3)
    data[at(5)] = descaled(d2 * C.c2053 - w2 + w4)
    data[at(3)] = descaled(d1 * C.c3072 - w2 + w3)
    data[at(1)] = descaled(d0 * C.c1501 - w1 + w4)
  }
}
