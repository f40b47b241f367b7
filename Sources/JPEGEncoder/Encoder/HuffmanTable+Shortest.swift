extension HuffmanTable {
  /// The shortest code of up to 16 bits for symbols that occur `counts[symbol]` times (ITU-T T.81, K.2).
  ///
  /// No code consists of ones alone, which F.1.2.3 keeps for padding.
  init(shortestFor counts: [Int]) {
    let sizes = Self.codeSizes(counts)
    var numbers = [Int](repeating: 0, count: sizes.count + 1)
    for size in sizes where size > 0 { numbers[size] += 1 }
    Self.limit(&numbers)
    self.counts = (1...16).map { UInt8(numbers[$0]) }
    // Lengths are limited without changing which symbols are before which.
    let order = (0..<256).filter { sizes[$0] > 0 }.sorted { (sizes[$0], $0) < (sizes[$1], $1) }
    symbols = order.map { UInt8($0) }
  }

  /// The length of each symbol's code, of any length (figure K.1); the last symbol is the one that is all ones.
  private static func codeSizes(_ counts: [Int]) -> [Int] {
    var frequencies = counts + [1]
    var sizes = [Int](repeating: 0, count: frequencies.count)
    // Symbols in one subtree are chained.
    var following = [Int?](repeating: nil, count: frequencies.count)
    func lengthen(_ first: Int) -> Int {
      var symbol = first
      sizes[symbol] += 1
      while let next = following[symbol] {
        symbol = next
        sizes[symbol] += 1
      }
      return symbol
    }
    while let first = rarest(frequencies, except: nil), let second = rarest(frequencies, except: first) {
      frequencies[first] += frequencies[second]
      frequencies[second] = 0
      following[lengthen(first)] = second
      _ = lengthen(second)
    }
    return sizes
  }

  /// The last of the symbols that occur least often.
  private static func rarest(_ frequencies: [Int], except other: Int?) -> Int? {
    var found: Int?
    for symbol in frequencies.indices where frequencies[symbol] > 0 && symbol != other {
      if let best = found, frequencies[best] < frequencies[symbol] { continue }
      found = symbol
    }
    return found
  }

  /// Shortens codes to 16 bits (figure K.3) and takes away the one that is all ones.
  private static func limit(_ numbers: inout [Int]) {
    for size in stride(from: numbers.count - 1, to: 16, by: -1) {
      while numbers[size] > 0 {
        // A pair of the longest codes becomes one that is a bit shorter; the other shares the code of a shorter one.
        var shorter = size - 2
        while numbers[shorter] == 0 { shorter -= 1 }
        numbers[size] -= 2
        numbers[size - 1] += 1
        numbers[shorter + 1] += 2
        numbers[shorter] -= 1
      }
    }
    if let longest = numbers.lastIndex(where: { $0 > 0 }) { numbers[longest] -= 1 }
  }
}
