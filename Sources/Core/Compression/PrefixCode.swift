/// A prefix code of deflate, to be written: each symbol's bits and their number.
struct PrefixCode {
  /// The lengths of the codes, 0 for symbols that have none.
  let lengths: [UInt8]
  /// The codes as they are written, first bit lowest.
  let codes: [UInt16]

  /// The shortest code for symbols of these frequencies whose codes have at most `limit` bits.
  ///
  /// At least two symbols get a code, since not every reader takes a code of one symbol.
  init(frequencies: [Int], limit: Int) {
    var frequencies = frequencies
    var used = frequencies.indices.filter { frequencies[$0] > 0 }
    while used.count < 2 {
      let symbol = used == [0] ? 1 : 0
      frequencies[symbol] = 1
      used.append(symbol)
    }
    used.sort { (frequencies[$0], $0) < (frequencies[$1], $1) }
    let counts = Self.limited(Self.depths(used.map { frequencies[$0] }), to: limit)
    var lengths = [UInt8](repeating: 0, count: frequencies.count)
    // The rarest symbols come first and get the longest codes.
    var next = 0
    for length in stride(from: limit, to: 0, by: -1) {
      for symbol in used[next..<next + counts[length]] { lengths[symbol] = UInt8(length) }
      next += counts[length]
    }
    self.init(lengths: lengths)
  }

  /// The code whose symbols have these lengths (RFC 1951, 3.2.2).
  init(lengths: [UInt8]) {
    self.lengths = lengths
    var counts = [Int](repeating: 0, count: DeflateAlphabet.longestCode + 1)
    for length in lengths where length > 0 { counts[Int(length)] += 1 }
    var next = counts.map { _ in 0 }
    for length in 1..<counts.count { next[length] = (next[length - 1] + counts[length - 1]) << 1 }
    codes = lengths.map { length in
      guard length > 0 else { return 0 }
      defer { next[Int(length)] += 1 }
      return (UInt16(truncatingIfNeeded: next[Int(length)]) << (16 - UInt16(length))).bitReversed
    }
  }

  /// The bits that symbols of these frequencies take.
  func size(_ frequencies: [Int]) -> Int {
    zip(lengths, frequencies).reduce(0) { $0 + Int($1.0) * $1.1 }
  }

  /// How many leaves of Huffman's tree are how deep, for weights in rising order.
  private static func depths(_ weights: [Int]) -> [Int] {
    let leaves = weights.count
    var weights = weights
    var parents = [Int](repeating: 0, count: 2 * leaves - 1)
    var leaf = 0, inner = leaves
    func takeLightest(_ node: Int) -> Int {
      if leaf < leaves, inner == node || weights[leaf] <= weights[inner] {
        defer { leaf += 1 }
        return leaf
      }
      defer { inner += 1 }
      return inner
    }
    for node in leaves..<2 * leaves - 1 {
      let first = takeLightest(node), second = takeLightest(node)
      weights.append(weights[first] + weights[second])
      (parents[first], parents[second]) = (node, node)
    }
    var depths = [Int](repeating: 0, count: parents.count)
    for node in stride(from: parents.count - 2, through: 0, by: -1) { depths[node] = depths[parents[node]] + 1 }
    var counts = [Int](repeating: 0, count: leaves + 1)
    for depth in depths[..<leaves] { counts[depth] += 1 }
    return counts
  }

  /// The numbers of codes of each length, none longer than `limit`: codes are lengthened until there is room for those
  /// that are shortened.
  private static func limited(_ counts: [Int], to limit: Int) -> [Int] {
    var limited = [Int](repeating: 0, count: limit + 1)
    for (length, count) in counts.enumerated() { limited[min(length, limit)] += count }
    var room = (1...limit).reduce(0) { $0 + limited[$1] << (limit - $1) } - 1 << limit
    while room > 0 {
      limited[limit] -= 1
      if let length = (1..<limit).last(where: { limited[$0] > 0 }) {
        limited[length] -= 1
        limited[length + 1] += 2
      }
      room -= 1
    }
    return limited
  }
}
