/// Finds what was there before: chains of positions whose next bytes have one hash, newest first.
///
/// Positions are kept as their low 32 bits. A candidate is trusted only after its bytes were compared, so that it does
/// not matter what stands in places that were not filled or belong to long before.
@safe struct DeflateMatcher: ~Copyable {
  /// How hard to look.
  struct Effort {
    /// The shortest match, 4 to 8 bytes; the hash is of as many.
    var shortest: Int
    /// Candidates that are compared, and a quarter of them behind a match of `good` bytes.
    var candidates = 128, good = 8
    /// Lengths from which on the search ends, and from which on no better match is sought one byte later.
    var nice = 128, lazy = 16
  }

  /// A match; a length of 0 is none.
  struct Match {
    var length = 0
    var distance = 0
  }

  private static let hashBits: UInt64 = 15
  private static let mask = DeflateAlphabet.window - 1

  let effort: Effort
  private let start: UnsafePointer<UInt8>
  private let count: Int
  private let heads: UnsafeMutablePointer<UInt32>
  private let chain: UnsafeMutablePointer<UInt32>
  private let hashMask: UInt64

  /// A matcher over `count` bytes from `start` on, which outlive it.
  init(_ start: UnsafePointer<UInt8>, count: Int, effort: Effort) {
    unsafe self.start = start
    self.count = count
    self.effort = effort
    hashMask = effort.shortest == 8 ? .max : 1 << UInt64(8 * effort.shortest) - 1
    unsafe heads = .allocate(capacity: 1 << Self.hashBits)
    unsafe heads.initialize(repeating: 0, count: 1 << Self.hashBits)
    unsafe chain = .allocate(capacity: DeflateAlphabet.window)
    unsafe chain.initialize(repeating: 0, count: DeflateAlphabet.window)
  }

  deinit {
    // SAFETY: `init` allocated both, and nothing else frees them.
    unsafe heads.deallocate()
    unsafe chain.deallocate()
  }

  /// Where matches may begin: eight bytes are read at once.
  var end: Int { max(0, count - 7) }

  @inline(__always)
  private func word(_ position: Int) -> UInt64 {
    // SAFETY: every caller's position is below `end`, or so far below the end of a match.
    unsafe UnsafeRawPointer(start + position).loadUnaligned(as: UInt64.self).littleEndian
  }

  /// Enters a position below ``end``, and returns the one with the same hash before it.
  @inline(__always)
  func insert(_ position: Int) -> UInt32 {
    let hash = Int(((word(position) & hashMask) &* 0x9E37_79B1_85EB_CA87) &>> (64 &- Self.hashBits))
    // SAFETY: the hash has as many bits as there are heads; the chain is as long as the window.
    let before = unsafe heads[hash]
    unsafe heads[hash] = UInt32(truncatingIfNeeded: position)
    unsafe chain[position & Self.mask] = before
    return before
  }

  /// The longest match at a position below ``end`` that is longer than `length`, along the chain from `candidate` on.
  @inline(__always)
  func longest(at position: Int, from candidate: UInt32, longerThan length: Int) -> Match {
    let here = UInt32(truncatingIfNeeded: position)
    let limit = min(DeflateAlphabet.longestMatch, count &- position)
    let first = word(position)
    var best = Match(length: max(length, effort.shortest &- 1))
    guard limit > best.length else { return Match() }
    var candidate = candidate
    var distance = 0
    var left = length >= effort.good ? effort.candidates &>> 2 : effort.candidates
    while left > 0 {
      let next = Int(here &- candidate)
      // Farther than the one before, and in the window and the data: otherwise the chain has ended.
      guard next > distance, next <= min(position, DeflateAlphabet.window) else { break }
      distance = next
      let length = matchLength(position, distance, first, limit, beating: best.length)
      if length > best.length {
        best = Match(length: length, distance: distance)
        if length >= effort.nice || length == limit { break }
      }
      // SAFETY: the chain is as long as the window.
      unsafe candidate = chain[Int(candidate) & Self.mask]
      left &-= 1
    }
    return best.distance > 0 ? best : Match()
  }

  /// How many bytes are the same, where they may be more than `length`; else 0.
  @inline(__always)
  private func matchLength(_ position: Int, _ distance: Int, _ first: UInt64, _ limit: Int, beating length: Int) -> Int
  {
    let before = position &- distance
    // SAFETY: `length` is below the limit, and the limit within the data.
    guard unsafe start[before &+ length] == start[position &+ length] else { return 0 }
    let difference = word(before) ^ first
    if difference != 0 { return min(limit, difference.trailingZeroBitCount &>> 3) }
    var same = 8
    while same &+ 8 <= limit {
      let difference = word(before &+ same) ^ word(position &+ same)
      if difference != 0 { return same &+ difference.trailingZeroBitCount &>> 3 }
      same &+= 8
    }
    // SAFETY: `same` is below the limit.
    while same < limit, unsafe start[before &+ same] == start[position &+ same] { same &+= 1 }
    return min(same, limit)
  }
}
