/// The divisors of the 16-bit transform, as the reciprocals its kernels multiply by.
///
/// The AAN transform leaves coefficient (u, v) `16 · scale[u] · scale[v]` times too large. A kernel quantises with
/// `(x + offset) * reciprocal >> 16`, where the floor of the shift rounds to nearest since `offset` is half a divisor.
/// The multiplications inside the transform round down too; what that takes away on average is in `offset` as well.
/// So is the middle of the samples, which the kernels take as unsigned numbers.
package enum FastQuantizer {
  /// Values of a table: eight rows of 16 offsets, then eight of 16 reciprocals, each row twice the eight of one u.
  package static let count = 256

  /// The table for quantisers in natural order.
  ///
  /// - Returns: nil where 16 bits are too few for a reciprocal: it does not fit, or rounding changes it by over 3.5 %.
  package static func table(for quantizers: [UInt8]) -> [Int16]? {
    var table = [Int16](repeating: 0, count: count)
    for u in 0..<8 {
      for v in 0..<8 {
        let divisor = Double(quantizers[v * 8 + u]) * 16 * scale[u] * scale[v]
        let reciprocal = (65536 / divisor).rounded()
        guard reciprocal <= 32767, abs(reciprocal * divisor / 65536 - 1) <= 0.035 else { return nil }
        let middle = u == 0 && v == 0 ? 64.0 * 2 * 128 : 0
        let offset = (divisor / 2 - bias[u] - (u == 0 ? 8 * bias[v] : 0)).rounded() - middle
        for lane in [v, v + 8] {
          table[u * 16 + lane] = Int16(offset)
          table[128 + u * 16 + lane] = Int16(reciprocal)
        }
      }
    }
    return table
  }

  /// cos(k π/16) · √2, and 1 for k = 0: how much too large the one-dimensional transform leaves frequency k.
  private static let scale = [
    1.0, 1.387039845322148, 1.306562964876377, 1.175875602419359,
    1.0, 0.785694958387102, 0.541196100146197, 0.275899379282943,
  ]

  /// The mean error of one pass, in units of its output: one half for each floor on the way.
  private static let bias = [0, -1.5, -0.5, 1.5, 0, -0.5, 0.5, 0.5]
}
