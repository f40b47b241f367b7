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

  /// The payload with them: a 3 before each byte of 0 to 3 that follows two zeros, and behind a zero at the end.
  ///
  /// - Complexity: O(*n*).
  public static func inserted(into payload: Span<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(payload.count + payload.count / 64 + 1)
    var zeros = 0
    for index in payload.indices {
      let byte = payload[index]
      if zeros == 2, byte <= 3 {
        result.append(3)
        zeros = 0
      }
      result.append(byte)
      zeros = byte == 0 ? zeros + 1 : 0
    }
    if zeros > 0 { result.append(3) }
    return result
  }

  private static func append(_ run: Span<UInt8>, to result: inout [UInt8]) {
    // SAFETY: the buffer is read only inside the closure, while the borrowed bytes are alive.
    unsafe run.withUnsafeBufferPointer { unsafe result.append(contentsOf: $0) }
  }
}
