import LivePhotoJPEGKernels

/// Puts bands one behind the other into a file: shifts their bits to where the last ones ended, stuffs, and writes
/// restart markers.
///
/// Sendable by hand: one thread at a time writes, and ``BandQueue`` says which.
final class ScanWriter: @unchecked Sendable {
  private var output: [UInt8] = []
  private let kernels: KernelSet
  private var tail = BitTail()
  private var restarts: UInt8 = 0

  init(kernels: KernelSet) { self.kernels = kernels }

  /// Lets what `body` writes be appended to `output`.
  func write(to output: inout [UInt8], _ body: () -> Void) {
    swap(&self.output, &output)
    body()
    swap(&self.output, &output)
  }

  /// Begins a file: writes all that comes before the entropy-coded data.
  func begin(_ plan: EncodingPlan, _ tables: HuffmanTables?) {
    plan.writeHeader(tables, to: &output)
    tail = BitTail()
    restarts = 0
  }

  /// Gives away the bits that do not fill a byte yet: the next band begins with them.
  func takeTail() -> BitTail {
    defer { tail = BitTail() }
    return tail
  }

  /// Appends a band that is complete.
  func append(_ band: CodedBand) {
    for index in band.pieces.indices {
      if index > 0 { restart() }
      append(band.pieces[index], of: band)
    }
  }

  /// Ends the scan and the file.
  func finish() {
    pad()
    output.append(0xFF)
    output.append(0xD9)
  }

  private func append(_ piece: CodedBand.Piece, of band: CodedBand) {
    let bytes = unsafe band.bytes(of: piece)
    let bits = piece.bits + tail.count
    // SAFETY: a band leaves room behind each piece for the byte that it may grow by, and for whole words.
    if tail.count > 0 { unsafe shift(bytes, to: bits, behind: tail) }
    let whole = bits / 8
    // The array takes what the kernel wants: twice as much as is read, and a word.
    output.append(addingCapacity: whole * 2 + 8) { span in
      unsafe span.withUnsafeMutableBufferPointer { buffer, count in
        guard let start = buffer.baseAddress else { return }
        count = unsafe kernels.stuff(bytes, whole, start) - start
      }
    }
    let left = bits % 8
    let last = left > 0 ? unsafe UInt64(bytes[whole]) << 56 & ~(UInt64.max >> UInt64(left)) : 0
    tail = BitTail(bits: last, count: left)
  }

  /// Moves a string of bits up by the length of `tail`, which is put before it, to `bits` altogether.
  private func shift(_ bytes: UnsafeMutablePointer<UInt8>, to bits: Int, behind tail: BitTail) {
    let raw = UnsafeMutableRawPointer(bytes)
    let count = UInt64(tail.count)
    var carried = tail.bits
    for word in 0..<(bits + 63) / 64 {
      // SAFETY: the caller's string and its room behind it are whole words.
      let value = unsafe UInt64(bigEndian: raw.loadUnaligned(fromByteOffset: word * 8, as: UInt64.self))
      unsafe raw.storeBytes(of: (carried | value &>> count).bigEndian, toByteOffset: word * 8, as: UInt64.self)
      carried = value &<< (64 &- count)
    }
  }

  /// Fills the last byte with ones.
  private func pad() {
    guard tail.count > 0 else { return }
    let last = tail.padded
    output.append(last)
    if last == 0xFF { output.append(0) }
    tail = BitTail()
  }

  /// Ends a restart interval (ITU-T T.81, B.2.1).
  private func restart() {
    pad()
    output.append(0xFF)
    output.append(0xD0 + restarts)
    restarts = (restarts + 1) & 7
  }
}
