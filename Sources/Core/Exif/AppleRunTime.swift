/// The time at which a still was taken, counted from the start of the phone: tag 0x0003 of Apple's MakerNote, a binary
/// property list of the parts of a `CMTime`.
public struct AppleRunTime: Sendable, Equatable {
  /// The time.
  public let time: RationalTime
  /// 1 when the time is valid; further bits as in `CMTimeFlags`.
  public let flags: Int64
  /// Distinguishes times from before and after a clock was reset; 0 in practice.
  public let epoch: Int64

  /// Reads the property list; nil when it is none or lacks a valid time.
  public init?(propertyList bytes: [UInt8]) {
    guard let values = BinaryPropertyList.integers(inDictionary: bytes),
      let value = values["value"], let timescale = values["timescale"],
      let time = RationalTime(exactly: value, timescale: timescale)
    else { return nil }
    self.time = time
    flags = values["flags"] ?? 1
    epoch = values["epoch"] ?? 0
  }
}

/// Reads the one kind of binary property list that is needed here: a dictionary of integers, by ASCII keys.
///
/// The form is "bplist00", objects, a table of their offsets, and a trailer of 32 bytes.
enum BinaryPropertyList {
  /// The integers of the top dictionary, other values left out; nil when `bytes` is no such list.
  static func integers(inDictionary bytes: [UInt8]) -> [String: Int64]? {
    guard bytes.starts(with: "bplist0".utf8) else { return nil }
    return try? dictionary(ByteCursor(bytes.span))
  }

  private static func dictionary(_ file: borrowing ByteCursor) throws(ParseError) -> [String: Int64]? {
    guard file.count >= 40 else { return nil }
    var trailer = try file.part(file.count - 26..<file.count)
    let offsetWidth = Int(try trailer.readUInt8()), referenceWidth = Int(try trailer.readUInt8())
    let count = try trailer.readUInt64(), top = try trailer.readUInt64(), table = try trailer.readUInt64()
    guard (1...8).contains(offsetWidth), (1...8).contains(referenceWidth), let start = Int(exactly: table),
      let count = Int(exactly: count), start <= file.count, count <= (file.count - start) / offsetWidth
    else { return nil }
    let offsets = try file.part(start..<start + count * offsetWidth)

    guard var object = try self.object(top, offsets, offsetWidth, in: file), object.kind == 0xD, object.size <= 64
    else { return nil }
    var references: [UInt64] = []
    for _ in 0..<2 * object.size { references.append(try object.content.readUInt(width: referenceWidth)) }
    var result: [String: Int64] = [:]
    for index in 0..<object.size {
      guard var key = try self.object(references[index], offsets, offsetWidth, in: file), key.kind == 0x5,
        let value = try self.object(references[object.size + index], offsets, offsetWidth, in: file),
        let integer = value.integer
      else { continue }
      result[try key.content.readUTF8(key.size)] = integer
    }
    return result
  }

  /// An object: its kind, its size (of an integer, the power of two of its width), and what follows.
  private struct Object: ~Escapable {
    var kind: UInt8
    var size: Int
    var content: ByteCursor

    @_lifetime(copy content)
    init(kind: UInt8, size: Int, content: ByteCursor) {
      self.kind = kind
      self.size = size
      self.content = content
    }

    /// The value of an integer of one to eight bytes; only those of eight are signed.
    var integer: Int64? {
      guard kind == 0x1, size <= 3 else { return nil }
      var content = content
      return (try? content.readUInt(width: 1 << size)).map { Int64(bitPattern: $0) }
    }
  }

  @_lifetime(copy file)
  private static func object(
    _ reference: UInt64, _ offsets: borrowing ByteCursor, _ offsetWidth: Int, in file: borrowing ByteCursor
  ) throws(ParseError) -> Object? {
    guard let index = Int(exactly: reference), index < offsets.count / offsetWidth else { return nil }
    var slot = try offsets.part(index * offsetWidth..<(index + 1) * offsetWidth)
    guard let offset = Int(exactly: try slot.readUInt(width: offsetWidth)), offset < file.count else { return nil }
    var content = try file.part(offset..<file.count)
    let marker = try content.readUInt8()
    var size = Int(marker & 0x0F)
    if size == 0x0F, marker >> 4 != 0x1 {
      // A longer size follows as an integer object.
      let width = Int(try content.readUInt8() & 0x03)
      guard let long = Int(exactly: try content.readUInt(width: 1 << width)) else { return nil }
      size = long
    }
    return Object(kind: marker >> 4, size: size, content: content)
  }
}
