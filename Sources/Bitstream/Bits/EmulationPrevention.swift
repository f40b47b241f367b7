/// The bytes of value 3 that keep start codes out of a NAL unit's payload (ITU-T H.265, 7.4.2; ITU-T H.264, 7.4.1).
public enum EmulationPrevention {
  /// The payload without them: each `00 00 03` becomes `00 00`.
  ///
  /// - Complexity: O(*n*), one allocation of at most the payload's size.
  public static func removed(from payload: Span<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(payload.count)
    var runStart = 0
    var index = 0
    while payload.count - index >= 3 {
      let third = payload[index + 2]
      if third == 0 {
        index += 1
        continue
      }
      if third == 3, payload[index] == 0, payload[index + 1] == 0 {
        append(payload.extracting(runStart..<index + 2), to: &result)
        runStart = index + 3
      }
      index += 3
    }
    append(payload.extracting(runStart..<payload.count), to: &result)
    return result
  }

  private static func append(_ run: Span<UInt8>, to result: inout [UInt8]) {
    // SAFETY: the buffer is read only inside the closure, while the borrowed bytes are alive.
    unsafe run.withUnsafeBufferPointer { unsafe result.append(contentsOf: $0) }
  }
}
