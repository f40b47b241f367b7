/// Decodes the symbols of one block: literals, and matches copied from what was written before.
@safe struct InflateKernel {
  /// Why decoding stopped.
  enum Outcome {
    case endOfBlock
    case stopped(InflateMachine.Outcome)
  }

  var input: InflateInput
  let output: UnsafeMutablePointer<UInt8>
  let capacity: Int
  var produced: Int

  /// Room that a turn of the fast loop may write to: two literals, a match, and a vector beyond it.
  private static let margin = 2 + DeflateAlphabet.longestMatch + 16

  init(input: InflateInput, output: UnsafeMutablePointer<UInt8>, capacity: Int, produced: Int) {
    self.input = input
    unsafe self.output = output
    self.capacity = capacity
    self.produced = produced
  }

  mutating func run(_ literals: UnsafeBufferPointer<UInt32>, _ distances: UnsafeBufferPointer<UInt32>) -> Outcome {
    if let outcome = unsafe runFast(literals, distances) { return outcome }
    return unsafe runCarefully(literals, distances)
  }

  /// - Returns: nil where input or memory gets scarce.
  private mutating func runFast(
    _ literals: UnsafeBufferPointer<UInt32>, _ distances: UnsafeBufferPointer<UInt32>
  ) -> Outcome? {
    var input = input
    // SAFETY: memory has room for `capacity` bytes, of which the loop leaves the margin free at each turn.
    var goal = unsafe output + produced
    let last = unsafe output + max(0, capacity - Self.margin)
    defer {
      self.input = input
      unsafe produced = goal - output
    }
    guard capacity >= Self.margin else { return nil }
    while unsafe input.isAmple && goal <= last {
      input.refillFast()
      var entry = unsafe literals[input.peek(InflateTable.literalBits)]
      // Of the 56 bits, two literals of the first table take 22 at most, a length 20.
      if entry & InflateTable.literal != 0 {
        unsafe put(entry, &input, &goal)
        unsafe entry = literals[input.peek(InflateTable.literalBits)]
        if entry & InflateTable.literal != 0 {
          unsafe put(entry, &input, &goal)
          unsafe entry = literals[input.peek(InflateTable.literalBits)]
        }
      }
      if entry & InflateTable.exception != 0 {
        if entry & InflateTable.furtherTable != 0 { unsafe entry = follow(entry, literals, &input) }
        if entry & InflateTable.endOfBlock != 0 {
          input.skip(Int(entry & 0xFF))
          return .endOfBlock
        }
        if entry & InflateTable.exception != 0 { return .stopped(.damaged(.unusedCode)) }
      }
      if entry & InflateTable.literal != 0 {
        unsafe put(entry, &input, &goal)
        continue
      }
      let length = Self.value(entry, &input)
      input.refillFast()
      unsafe entry = distances[input.peek(InflateTable.distanceBits)]
      if entry & InflateTable.exception != 0 {
        if entry & InflateTable.furtherTable != 0 { unsafe entry = follow(entry, distances, &input) }
        if entry & InflateTable.exception != 0 { return .stopped(.damaged(.unusedCode)) }
      }
      let distance = Self.value(entry, &input)
      guard unsafe distance <= goal - output else { return .stopped(.damaged(.distance)) }
      unsafe Self.copy(distance, length, goal)
      unsafe goal += length
    }
    return nil
  }

  @inline(__always)
  private func put(_ entry: UInt32, _ input: inout InflateInput, _ goal: inout UnsafeMutablePointer<UInt8>) {
    input.skip(Int(entry & 0xFF))
    // SAFETY: the callers see to the room.
    unsafe goal.pointee = UInt8(truncatingIfNeeded: entry &>> 16)
    unsafe goal += 1
  }

  /// The entry of a further table.
  @inline(__always)
  private func follow(
    _ entry: UInt32, _ table: UnsafeBufferPointer<UInt32>, _ input: inout InflateInput
  ) -> UInt32 {
    input.skip(Int(entry & 0xFF))
    // SAFETY: the table was made with so many entries at this place.
    return unsafe table[Int(entry &>> 16) &+ input.peek(Int(entry &>> 8 & 15))]
  }

  /// A length or distance with its extra bits.
  @inline(__always)
  private static func value(_ entry: UInt32, _ input: inout InflateInput) -> Int {
    let bits = input.peek(Int(entry & 0xFF))
    input.skip(Int(entry & 0xFF))
    return Int(entry &>> 16) &+ bits &>> Int(entry &>> 8 & 15)
  }

  /// Copies a match, and up to 15 bytes beyond it.
  @inline(__always)
  private static func copy(_ distance: Int, _ length: Int, _ goal: UnsafeMutablePointer<UInt8>) {
    // SAFETY: the caller has checked the distance, and left room for the longest match and 16 bytes more.
    var to = UnsafeMutableRawPointer(goal)
    var from = unsafe UnsafeRawPointer(to - distance)
    let end = unsafe to + length
    if distance >= 8 {
      repeat {
        unsafe to.storeBytes(of: from.loadUnaligned(as: UInt64.self), as: UInt64.self)
        unsafe to += 8
        unsafe from += 8
      } while unsafe to < end
    } else if distance == 1 {
      let pattern = unsafe UInt64(from.load(as: UInt8.self)) &* 0x0101_0101_0101_0101
      repeat {
        unsafe to.storeBytes(of: pattern, as: UInt64.self)
        unsafe to += 8
      } while unsafe to < end
    } else {
      // Of the eight bytes only the first `distance` are sure; the next turn writes the others again.
      repeat {
        unsafe to.storeBytes(of: from.loadUnaligned(as: UInt64.self), as: UInt64.self)
        unsafe to += distance
        unsafe from += distance
      } while unsafe to < end
    }
  }

  private mutating func runCarefully(
    _ literals: UnsafeBufferPointer<UInt32>, _ distances: UnsafeBufferPointer<UInt32>
  ) -> Outcome {
    while true {
      let before = input
      input.refill()
      var entry = unsafe literals[input.peek(InflateTable.literalBits)]
      if entry & InflateTable.furtherTable != 0 { unsafe entry = follow(entry, literals, &input) }
      if entry & InflateTable.literal != 0 {
        input.skip(Int(entry & 0xFF))
        guard !input.isExhausted else { return stop(.truncated, before) }
        guard produced < capacity else { return stop(.needsRoom, before) }
        // SAFETY: there is room for one more byte.
        unsafe output[produced] = UInt8(truncatingIfNeeded: entry &>> 16)
        produced += 1
        continue
      }
      if entry & InflateTable.exception != 0 {
        input.skip(Int(entry & 0xFF))
        guard !input.isExhausted else { return stop(.truncated, before) }
        return entry & InflateTable.endOfBlock != 0 ? .endOfBlock : .stopped(.damaged(.unusedCode))
      }
      let length = Self.value(entry, &input)
      input.refill()
      unsafe entry = distances[input.peek(InflateTable.distanceBits)]
      if entry & InflateTable.furtherTable != 0 { unsafe entry = follow(entry, distances, &input) }
      let isUnused = entry & InflateTable.exception != 0
      let distance = Self.value(entry, &input)
      guard !input.isExhausted else { return stop(.truncated, before) }
      if isUnused { return .stopped(.damaged(.unusedCode)) }
      guard distance <= produced else { return .stopped(.damaged(.distance)) }
      guard length <= capacity - produced else { return stop(.needsRoom, before) }
      for index in produced..<produced + length {
        // SAFETY: the match lies in what was written, and there is room for it.
        unsafe output[index] = output[index - distance]
      }
      produced += length
    }
  }

  /// Stops before a symbol that cannot be taken whole.
  private mutating func stop(_ outcome: InflateMachine.Outcome, _ before: InflateInput) -> Outcome {
    input = before
    return .stopped(outcome)
  }
}
