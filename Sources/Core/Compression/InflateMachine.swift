/// Decodes the blocks of a deflate stream (RFC 1951, 3.2.3) into memory, which may grow between calls.
///
/// The memory that is written to before ``produced`` is the window that matches are copied from.
@safe struct InflateMachine {
  /// Why decoding stopped.
  enum Outcome: Equatable {
    /// The last block has ended.
    case finished
    /// The memory is used up, but for less than the longest match.
    case needsRoom
    /// The input ends before the stream does.
    case truncated
    /// The stream is not deflate.
    case damaged(Fault)
  }

  /// What is wrong with a stream.
  enum Fault {
    case blockType, storedLength, codeCounts, lengthCode, repeatedLength, missingEnd, literalCode, distanceCode
    case unusedCode, distance
  }

  private enum Block {
    case none
    case stored(Int)
    case coded
  }

  var input: InflateInput
  /// Bytes written so far.
  private(set) var produced = 0
  private var block = Block.none
  private var isLast = false
  private var literals = InflateTable.fixedLiterals
  private var distances = InflateTable.fixedDistances

  init(_ input: InflateInput) { self.input = input }

  /// Forgets the first `count` bytes, which the caller has moved the others in the place of.
  mutating func slide(by count: Int) { produced -= count }

  /// Decodes until the stream ends or `capacity` bytes of `output` are about to be exceeded.
  mutating func run(_ output: UnsafeMutablePointer<UInt8>, capacity: Int) -> Outcome {
    while true {
      let outcome: Outcome?
      switch block {
      case .none:
        if isLast { return .finished }
        outcome = readHeader()
      case .stored(let count): outcome = unsafe copyStored(count, output, capacity)
      case .coded: outcome = unsafe decode(output, capacity)
      }
      if let outcome { return outcome }
    }
  }

  /// The head of a block, codes included.
  ///
  /// - Returns: why there is none; nil where the block may be decoded.
  private mutating func readHeader() -> Outcome? {
    input.refill()
    let head = input.take(3)
    guard !input.isExhausted else { return .truncated }
    isLast = head & 1 == 1
    switch head >> 1 {
    case 0:
      guard let length = input.takeStoredLength() else { return .truncated }
      guard length.count == ~length.complement & 0xFFFF else { return .damaged(.storedLength) }
      block = .stored(length.count)
    case 1:
      (literals, distances) = (.fixedLiterals, .fixedDistances)
      block = .coded
    case 2:
      if let outcome = readCodes() { return outcome }
      block = .coded
    default: return .damaged(.blockType)
    }
    return nil
  }

  /// The codes of a dynamic block (RFC 1951, 3.2.7).
  private mutating func readCodes() -> Outcome? {
    let literalCount = input.take(5) + 257, distanceCount = input.take(5) + 1, lengthCount = input.take(4) + 4
    guard !input.isExhausted else { return .truncated }
    guard literalCount <= DeflateAlphabet.literalCount, distanceCount <= DeflateAlphabet.distanceCount else {
      return .damaged(.codeCounts)
    }
    var own = [UInt8](repeating: 0, count: DeflateAlphabet.lengthCodeOrder.count)
    for symbol in DeflateAlphabet.lengthCodeOrder.prefix(lengthCount) {
      input.refill()
      own[symbol] = UInt8(input.take(3))
    }
    guard !input.isExhausted else { return .truncated }
    guard let table = InflateTable(.codeLengths, lengths: own) else { return .damaged(.lengthCode) }
    var lengths: [UInt8] = []
    if let outcome = readLengths(literalCount + distanceCount, table, &lengths) { return outcome }
    guard lengths[DeflateAlphabet.endOfBlock] > 0 else { return .damaged(.missingEnd) }
    literals = InflateTable(.literals, lengths: lengths[..<literalCount])
    distances = InflateTable(.distances, lengths: lengths[literalCount...])
    if literals == nil { return .damaged(.literalCode) }
    return distances == nil ? .damaged(.distanceCode) : nil
  }

  private mutating func readLengths(_ count: Int, _ table: InflateTable, _ lengths: inout [UInt8]) -> Outcome? {
    lengths.reserveCapacity(count)
    while lengths.count < count {
      input.refill()
      let entry = table.entries[input.peek(table.bits)]
      _ = input.take(Int(entry & 0xFF))
      let symbol = Int(entry >> 16)
      let run: (value: UInt8?, count: Int) =
        switch symbol {
        case 16: (lengths.last, 3 + input.take(2))
        case 17: (0, 3 + input.take(3))
        case 18: (0, 11 + input.take(7))
        default: (UInt8(symbol), 1)
        }
      guard !input.isExhausted else { return .truncated }
      guard let value = run.value, run.count <= count - lengths.count else { return .damaged(.repeatedLength) }
      lengths += repeatElement(value, count: run.count)
    }
    return nil
  }

  private mutating func copyStored(_ count: Int, _ output: UnsafeMutablePointer<UInt8>, _ capacity: Int) -> Outcome? {
    let part = min(count, capacity - produced)
    // SAFETY: `part` bytes are left of the memory, which `run` was given with its size.
    let copied = unsafe input.copy(part, to: output + produced)
    produced += copied
    block = copied == count ? .none : .stored(count - copied)
    return copied < part ? .truncated : copied < count ? .needsRoom : nil
  }

  /// The symbols of a block: quickly while there is ample input and memory, else with care.
  private mutating func decode(_ output: UnsafeMutablePointer<UInt8>, _ capacity: Int) -> Outcome? {
    guard let literals, let distances else { return .damaged(.literalCode) }
    var kernel = unsafe InflateKernel(input: input, output: output, capacity: capacity, produced: produced)
    // SAFETY: entries point inside their own tables; the kernel looks after input and memory.
    let outcome = unsafe literals.entries.withUnsafeBufferPointer { first in
      unsafe distances.entries.withUnsafeBufferPointer { second in unsafe kernel.run(first, second) }
    }
    input = kernel.input
    produced = kernel.produced
    switch outcome {
    case .endOfBlock: block = .none
    case .stopped(let outcome): return outcome
    }
    return nil
  }
}
