/// Builds bytes front to back: integers, boxes whose sizes are computed, and offsets that are known only later.
///
/// ```swift
/// var writer = ByteWriter()
/// writer.box("moov") { writer in
///   writer.fullBox("mvhd", version: 0, flags: 0) { $0.writeUInt32(0) }
/// }
/// ```
public struct ByteWriter: Sendable {
  /// What was written so far.
  public private(set) var bytes: [UInt8] = []

  /// Offsets in ``bytes`` that wait for their anchors to be placed.
  private(set) var pending: [PendingOffsets] = []

  /// An empty writer.
  public init() {}

  /// The number of bytes written so far.
  public var count: Int { bytes.count }

  /// Makes room for `count` further bytes at once.
  public mutating func reserve(_ count: Int) { bytes.reserveCapacity(bytes.count + count) }

  /// Appends a byte.
  public mutating func writeUInt8(_ value: UInt8) { bytes.append(value) }

  /// Appends a signed byte.
  public mutating func writeInt8(_ value: Int8) { bytes.append(UInt8(bitPattern: value)) }

  /// Appends two bytes.
  public mutating func writeUInt16(_ value: UInt16, _ order: ByteOrder = .big) {
    writeInteger(value, order)
  }

  /// Appends two bytes, signed.
  public mutating func writeInt16(_ value: Int16, _ order: ByteOrder = .big) { writeInteger(value, order) }

  /// Appends the low three bytes of `value`, big-endian.
  public mutating func writeUInt24(_ value: UInt32) {
    for shift in [16, 8, 0] as [UInt32] { bytes.append(UInt8(truncatingIfNeeded: value >> shift)) }
  }

  /// Appends four bytes.
  public mutating func writeUInt32(_ value: UInt32, _ order: ByteOrder = .big) { writeInteger(value, order) }

  /// Appends four bytes, signed.
  public mutating func writeInt32(_ value: Int32, _ order: ByteOrder = .big) { writeInteger(value, order) }

  /// Appends eight bytes.
  public mutating func writeUInt64(_ value: UInt64, _ order: ByteOrder = .big) { writeInteger(value, order) }

  /// Appends eight bytes, signed.
  public mutating func writeInt64(_ value: Int64, _ order: ByteOrder = .big) { writeInteger(value, order) }

  /// Appends the low `width` bytes of `value`, big-endian; `width` is 0 to 8.
  public mutating func writeUInt(_ value: UInt64, width: Int) {
    for index in stride(from: width - 1, through: 0, by: -1) {
      bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(8 * index)))
    }
  }

  /// Appends a four-character code.
  public mutating func writeFourCC(_ code: FourCC) { writeUInt32(code.rawValue) }

  /// Appends an IEEE 754 single, big-endian.
  public mutating func writeFloat32(_ value: Float) { writeUInt32(value.bitPattern) }

  /// Appends an IEEE 754 double, big-endian.
  public mutating func writeFloat64(_ value: Double) { writeUInt64(value.bitPattern) }

  /// Appends bytes as they are.
  public mutating func write(_ content: some Sequence<UInt8>) { bytes.append(contentsOf: content) }

  /// Appends text as UTF-8, without a terminator.
  public mutating func writeUTF8(_ text: String) { bytes.append(contentsOf: text.utf8) }

  /// Appends `count` zero bytes.
  public mutating func writeZeros(_ count: Int) { bytes.append(contentsOf: repeatElement(0, count: count)) }

  /// Overwrites four bytes at `position`, which were written before.
  public mutating func patchUInt32(_ value: UInt32, at position: Int) {
    for index in 0..<4 { bytes[position + index] = UInt8(truncatingIfNeeded: value >> UInt32(24 - 8 * index)) }
  }

  private mutating func writeInteger<T: FixedWidthInteger>(_ value: T, _ order: ByteOrder) {
    let ordered = order == .big ? value : value.byteSwapped
    for shift in stride(from: T.bitWidth - 8, through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: ordered >> T(shift)))
    }
  }
}

// MARK: Boxes

extension ByteWriter {
  /// Appends a box: its content is what `content` writes, its size is computed.
  ///
  /// A box of 4 GiB or more cannot be in memory here; payloads of that size are ranges of an ``OutputPlan``.
  public mutating func box<E: Error>(_ type: FourCC, _ content: (inout ByteWriter) throws(E) -> Void) throws(E) {
    let start = count
    writeUInt32(0)
    writeFourCC(type)
    try content(&self)
    patchUInt32(UInt32(truncatingIfNeeded: count - start), at: start)
  }

  /// Appends a box that begins with a version and 24 flags (ISO/IEC 14496-12, 4.2 `FullBox`).
  public mutating func fullBox<E: Error>(
    _ type: FourCC, version: UInt8, flags: UInt32, _ content: (inout ByteWriter) throws(E) -> Void
  ) throws(E) {
    try box(type) { (writer) throws(E) in
      writer.writeUInt8(version)
      writer.writeUInt24(flags)
      try content(&writer)
    }
  }

  /// Appends a box around bytes as they are.
  public mutating func box(_ type: FourCC, _ content: [UInt8]) {
    box(type) { $0.write(content) }
  }
}

// MARK: Offsets known later

/// A place in the output that offsets are counted from before it is known where it will be.
public struct Anchor: Hashable, Sendable {
  let id: Int
}

/// A run of equally wide integers to which an anchor's final position is added.
struct PendingOffsets: Sendable {
  var position: Int
  var count: Int
  var width: Int
  var smallest: Int
  var largest: Int
  var anchor: Anchor
}

extension ByteWriter {
  /// Appends an absolute file offset: `distance` bytes behind `anchor`, in `width` bytes (4 or 8).
  ///
  /// It is filled in by ``OutputPlanBuilder/finish()``, which throws if it does not fit.
  public mutating func writeOffset(from anchor: Anchor, distance: Int, width: Int) {
    writeOffsets(from: anchor, distances: CollectionOfOne(distance), width: width)
  }

  /// Appends a table of absolute file offsets, each counted from the same anchor; distances are not negative.
  public mutating func writeOffsets(from anchor: Anchor, distances: some Collection<Int>, width: Int) {
    precondition(width == 4 || width == 8, "an offset is 4 or 8 bytes wide")
    let run = PendingOffsets(
      position: count, count: distances.count, width: width, smallest: distances.min() ?? 0,
      largest: distances.max() ?? 0, anchor: anchor)
    pending.append(run)
    reserve(distances.count * width)
    for distance in distances { writeUInt(UInt64(bitPattern: Int64(distance)), width: width) }
  }
}
