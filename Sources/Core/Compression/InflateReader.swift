extension Inflater {
  /// Decompresses the stream that `data` begins with piece by piece, for `body` to read.
  package func read<Result>(_ data: Span<UInt8>, _ body: (inout InflateReader) -> Result) -> Result {
    // SAFETY: the reader and its pointers are used only inside the closure.
    unsafe data.withUnsafeBufferPointer { buffer in
      var reader = unsafe InflateReader(self, buffer)
      return body(&reader)
    }
  }
}

/// Decompresses a stream piece by piece, in memory that hangs on the size of the pieces alone.
@safe package struct InflateReader: ~Copyable {
  /// How far back a match reaches (RFC 1951, 2).
  private static let window = 1 << 15
  /// What the machine may leave free, and what is decompressed ahead.
  private static let slack = 2 * DeflateAlphabet.longestMatch + (1 << 16)

  private let inflater: Inflater
  private let source: UnsafeBufferPointer<UInt8>
  /// Nil where the header is damaged.
  private var machine: InflateMachine?
  private var memory: UnsafeMutablePointer<UInt8>
  private var capacity: Int
  private var outcome = InflateMachine.Outcome.needsRoom
  /// Where what has not been read begins in the memory.
  private var start = 0
  /// The checksum of all that was decompressed, and the number of its bytes.
  private var checksum: UInt32 = 1
  private var inflated = 0
  /// What is wrong with the header.
  private var headerDamage: ParseError?
  /// Bytes that were read.
  package private(set) var count = 0

  fileprivate init(_ inflater: Inflater, _ source: UnsafeBufferPointer<UInt8>) {
    self.inflater = inflater
    unsafe self.source = unsafe source
    capacity = Self.window + Self.slack
    unsafe memory = .allocate(capacity: capacity)
    headerDamage = unsafe inflater.damage(inHeaderOf: source)
    guard headerDamage == nil, let base = source.baseAddress else { return }
    unsafe machine = InflateMachine(
      InflateInput(base + inflater.headerSize, count: source.count - inflater.headerSize))
  }

  // SAFETY: the memory is this value's own.
  deinit { unsafe memory.deallocate() }

  /// Hands out the next `size` bytes, or as many as there are.
  package mutating func next<Result>(_ size: Int, _ body: (Span<UInt8>) -> Result) -> Result {
    fill(size)
    let available = min(size, (machine?.produced ?? 0) - start, inflater.limit - count)
    defer {
      start += available
      count += available
    }
    // SAFETY: the machine has written so many bytes from `start` on.
    return unsafe body(UnsafeBufferPointer(start: memory + start, count: available).span)
  }

  /// Decompresses what is left, and says what is wrong with the stream; nil for a sound one.
  package mutating func finish() -> ParseError? {
    if let headerDamage { return headerDamage }
    guard machine != nil else { return InflatedData.truncated(at: 0).damage }
    while outcome == .needsRoom, inflated <= inflater.limit {
      start = machine?.produced ?? 0
      fill(1)
    }
    let end = inflater.headerSize + (machine?.input.consumed ?? 0)
    if inflated > inflater.limit { return Inflater.tooMuch(inflater.limit, at: end) }
    return unsafe inflater.damage(outcome, checksum: checksum, source, end)
  }

  /// Sees to `size` bytes from `start` on, if there are so many.
  private mutating func fill(_ size: Int) {
    guard var machine, size > machine.produced - start, outcome == .needsRoom else { return }
    slide(&machine, size)
    let former = machine.produced
    // SAFETY: the memory has so many bytes, and those below `produced` are written.
    unsafe outcome = machine.run(memory, capacity: capacity)
    let new = unsafe UnsafeBufferPointer(start: memory + former, count: machine.produced - former)
    if inflater.format == .zlib { unsafe checksum = Adler32.checksum(new.span, from: checksum) }
    inflated += new.count
    self.machine = machine
  }

  /// Moves what may still be needed to the front, of memory that has room for `size` bytes more.
  private mutating func slide(_ machine: inout InflateMachine, _ size: Int) {
    let needed = min(start, max(0, machine.produced - Self.window))
    let kept = machine.produced - needed
    // SAFETY: `kept` bytes follow in the old memory, and fit in the new one, which may be the same.
    if kept + size + Self.slack > capacity {
      capacity = kept + size + Self.slack
      let larger: UnsafeMutablePointer<UInt8> = .allocate(capacity: capacity)
      unsafe larger.update(from: memory + needed, count: kept)
      unsafe memory.deallocate()
      unsafe memory = larger
    } else {
      unsafe memory.update(from: memory + needed, count: kept)
    }
    machine.slide(by: needed)
    start -= needed
  }
}
