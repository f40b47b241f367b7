/// What a file will hold: literal bytes and ranges copied from sources, in order.
///
/// Writers of movies and pictures return a plan instead of bytes, so that the samples of a large movie are
/// copied from file to file without being in memory.
public struct OutputPlan: Sendable {
  /// One stretch of the output.
  public enum Piece: Sendable {
    /// Bytes that the plan holds.
    case bytes([UInt8])
    /// A range of a source, copied when the plan is carried out.
    case copy(Range<Int>, from: any ByteSource)
  }

  /// The pieces in the order of the output.
  public let pieces: [Piece]

  /// The size of the output in bytes.
  public let count: Int

  /// A plan of the given pieces.
  public init(_ pieces: [Piece]) {
    self.pieces = pieces
    count = pieces.reduce(0) { sum, piece in
      switch piece {
      case .bytes(let bytes): sum + bytes.count
      case .copy(let range, _): sum + range.count
      }
    }
  }

  /// The whole output in memory: for pictures and tests; a movie goes to a file piece by piece.
  ///
  /// - Throws: ``SourceError`` when a range cannot be read.
  public func materialized() throws(SourceError) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(count)
    for piece in pieces {
      switch piece {
      case .bytes(let bytes): output += bytes
      case .copy(let range, let source): output += try source.read(range)
      }
    }
    return output
  }
}

/// Why a plan could not be completed.
public enum LayoutError: Error, Equatable, Sendable {
  /// An offset is too large for the width it was given, or a distance is negative.
  case offsetTooLarge(Int, width: Int)
  /// An offset is counted from an anchor that was never placed.
  case anchorNotPlaced
}

extension LayoutError: CustomStringConvertible {
  /// The cause in one line.
  public var description: String {
    switch self {
    case .offsetTooLarge(let offset, let width): "offset \(offset) does not fit in \(width) bytes"
    case .anchorNotPlaced: "an offset is counted from a place that the output does not have"
    }
  }
}

/// Assembles an ``OutputPlan``: appends bytes and ranges, places anchors, then fills in the offsets.
///
/// This is the one mechanism for offsets that must be known before their target is placed: chunk offsets of
/// movies and item locations of pictures both use it.
public struct OutputPlanBuilder: Sendable {
  private var pieces: [OutputPlan.Piece] = []
  private var pending: [(piece: Int, offsets: PendingOffsets)] = []
  private var positions: [Anchor: Int] = [:]
  private var anchors = 0

  /// The size of the output so far, in bytes.
  public private(set) var count = 0

  /// An empty plan.
  public init() {}

  /// A new anchor, to be placed once.
  public mutating func makeAnchor() -> Anchor {
    defer { anchors += 1 }
    return Anchor(id: anchors)
  }

  /// Says that `anchor` stands at the current end of the output, `offset` bytes on.
  public mutating func place(_ anchor: Anchor, offset: Int = 0) { positions[anchor] = count + offset }

  /// Appends what `writer` wrote, with its offsets still open.
  public mutating func append(_ writer: ByteWriter) {
    guard writer.count > 0 else { return }
    pending += writer.pending.map { (pieces.count, $0) }
    pieces.append(.bytes(writer.bytes))
    count += writer.count
  }

  /// Appends bytes as they are.
  public mutating func append(_ bytes: [UInt8]) {
    guard !bytes.isEmpty else { return }
    pieces.append(.bytes(bytes))
    count += bytes.count
  }

  /// Appends a range of `source`.
  public mutating func append(_ range: Range<Int>, of source: any ByteSource) {
    guard !range.isEmpty else { return }
    pieces.append(.copy(range, from: source))
    count += range.count
  }

  /// The finished plan, every offset filled in.
  ///
  /// - Throws: ``LayoutError`` when an anchor was not placed or an offset does not fit.
  public func finish() throws(LayoutError) -> OutputPlan {
    var pieces = pieces
    for (index, offsets) in pending {
      guard let position = positions[offsets.anchor] else { throw .anchorNotPlaced }
      guard case .bytes(var bytes) = pieces[index] else { continue }
      pieces[index] = .bytes([])
      try offsets.resolve(in: &bytes, position: position)
      pieces[index] = .bytes(bytes)
    }
    return OutputPlan(pieces)
  }
}

extension PendingOffsets {
  /// Adds the anchor's position to each integer of the run.
  func resolve(in bytes: inout [UInt8], position anchorPosition: Int) throws(LayoutError) {
    guard smallest >= 0 else { throw .offsetTooLarge(smallest, width: width) }
    let (furthest, overflow) = anchorPosition.addingReportingOverflow(largest)
    guard !overflow, width == 8 || furthest <= UInt32.max else { throw .offsetTooLarge(furthest, width: width) }
    for index in 0..<count {
      let at = position + index * width
      let distance = bytes[at..<at + width].reduce(0) { $0 << 8 | Int($1) }
      let offset = anchorPosition + distance
      for byte in 0..<width {
        bytes[at + byte] = UInt8(truncatingIfNeeded: offset >> (8 * (width - 1 - byte)))
      }
    }
  }
}
