import LivePhotoJPEGKernels

/// The entropy-coded bits of some MCU rows, not stuffed yet.
///
/// Restarts divide them into pieces. Every piece begins at a byte of its own, so that only the first one has to be
/// shifted to where the bits before it end.
///
/// Sendable by hand: one thread at a time has it, and ``BandQueue`` hands it over.
final class CodedBand: @unchecked Sendable {
  /// Bits between two restarts: `bits` of them from the byte `start` on.
  struct Piece {
    let start: Int
    let bits: Int
  }

  /// Which band of the picture this is.
  var index = 0
  /// The pieces that have ended.
  private(set) var pieces: [Piece] = []
  private var memory = AlignedBuffer<UInt8>(count: 1 << 14)
  private var start = 0
  private var offset = 0
  private var tail = BitTail()

  /// What kernels may write behind the bits, and a piece that is shifted may grow by.
  private static let margin = 16

  /// The first byte of `piece`.
  func bytes(of piece: Piece) -> UnsafeMutablePointer<UInt8> {
    // SAFETY: the piece is one of this band's.
    unsafe memory.start + piece.start
  }

  /// Forgets what was coded; the first piece begins with the bits of `tail`.
  func begin(_ tail: BitTail) {
    pieces.removeAll(keepingCapacity: true)
    start = 0
    offset = 0
    self.tail = tail
  }

  /// Lets `code` append the bits of up to `blocks` blocks.
  func append(blocks: Int, _ code: (BitPosition) -> BitPosition) {
    reserve(blocks * maximumBlockBytes + Self.margin)
    // SAFETY: there is room for the blocks from `offset` on.
    let end = unsafe code((memory.start + offset, tail.bits, tail.count))
    unsafe offset = end.out - memory.start
    tail = unsafe BitTail(bits: end.bits, count: end.count)
  }

  /// Ends a piece, at a restart or at the end of the band.
  func endPiece() {
    reserve(2 * Self.margin)
    // SAFETY: there is room for a byte at `offset`.
    unsafe memory.start[offset] = tail.byte
    pieces.append(Piece(start: start, bits: (offset - start) * 8 + tail.count))
    start = offset + Self.margin
    offset = start
    tail = BitTail()
  }

  /// Makes room for `count` bytes from `offset` on.
  private func reserve(_ count: Int) {
    guard offset + count > memory.count else { return }
    let larger = AlignedBuffer<UInt8>(count: max(offset + count, memory.count * 2))
    // SAFETY: the larger memory has room for what the smaller one holds.
    unsafe larger.start.update(from: memory.start, count: memory.count)
    memory = larger
  }
}

/// The last bits of a string that do not fill a byte: the top `count` (0 to 7) of `bits`, all others 0.
struct BitTail {
  var bits: UInt64 = 0
  var count = 0

  /// The bits at the top of a byte, zeros below.
  var byte: UInt8 { UInt8(truncatingIfNeeded: bits >> 56) }
  /// The bits at the top of a byte, ones below: how a scan or restart interval ends (ITU-T T.81, F.1.2.3).
  var padded: UInt8 { byte | UInt8(truncatingIfNeeded: 0xFF >> count) }
}
