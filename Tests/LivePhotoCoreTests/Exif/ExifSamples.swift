import LivePhotoCore

/// A small Exif block laid out as cameras do it, by code that shares nothing with the one under test.
struct ExifSample {
  typealias Entry = (tag: UInt16, type: UInt16, count: UInt32, value: [UInt8])

  var order: ByteOrder
  var note: [UInt8] = appleNote()
  var make = "Maker"

  /// All five directories, a thumbnail, two tags that share a value, and a private tag of an unknown type.
  func bytes() -> [UInt8] {
    var block = Layout(order: order)
    let image = block.directory(
      [
        (0x010F, 2, UInt32(make.utf8.count + 1), Array(make.utf8) + [0]),
        (0x0110, 2, 4, Array("M12\0".utf8)),
        (0x0112, 3, 1, short(6) + [0, 0]),
        (0x011A, 5, 1, long(72) + long(1)),
        (0x011B, 5, 1, []),
        (0x0128, 3, 1, short(2) + [0, 0]),
        (0x8769, 4, 1, []),
        (0x8825, 4, 1, []),
        (0xC000, 99, 3, [1, 2, 3, 4]),
      ], sharing: 0x011A, by: 0x011B)
    block.store(image.position, at: 4)
    let exif = block.directory([
      (0x9000, 7, 4, Array("0232".utf8)),
      (0x9003, 2, 20, Array("2001:02:03 04:05:06\0".utf8)),
      (0x927C, 7, UInt32(note.count), note),
      (0x9286, 7, 21, Array("ASCII\0\0\0a user comment".utf8.prefix(21))),
      (0xA005, 4, 1, []),
    ])
    block.store(exif.position, at: image.slots[0x8769] ?? 0)
    let interoperability = block.directory([(0x0001, 2, 4, Array("R98\0".utf8))])
    block.store(interoperability.position, at: exif.slots[0xA005] ?? 0)
    let gps = block.directory([
      (0x0001, 2, 2, Array("S\0".utf8) + [0, 0]),
      (0x0002, 5, 3, [33, 1, 51, 1, 2512, 100].flatMap(long)),
      (0x0003, 2, 2, Array("E\0".utf8) + [0, 0]),
      (0x0004, 5, 3, [151, 1, 12, 1, 5040, 100].flatMap(long)),
      (0x0005, 1, 1, [1, 0, 0, 0]),
      (0x0006, 5, 1, long(125) + long(10)),
    ])
    block.store(gps.position, at: image.slots[0x8825] ?? 0)
    let thumbnail = block.directory([(0x0201, 4, 1, []), (0x0202, 4, 1, long(UInt32(Self.thumbnail.count)))])
    block.store(thumbnail.position, at: image.next)
    block.store(block.bytes.count, at: thumbnail.slots[0x0201] ?? 0)
    return block.bytes + Self.thumbnail
  }

  static let thumbnail: [UInt8] = [0xFF, 0xD8, 0xFF, 0xD9]

  /// A note as phones write them: unaligned data, a 64-bit integer, a property list, more tags after the identifier.
  static func appleNote(
    identifier: String? = "11111111-2222-3333-4444-555555555555", order: ByteOrder = .big
  ) -> [UInt8] {
    let layout = ExifSample(order: order, note: [])
    var entries: [Entry] = [
      (0x0001, 9, 1, layout.long(15)),
      (0x0003, 7, UInt32(runTime.count), runTime),
      (0x0008, 10, 3, [-1, 1000, 2, 3, 5, 7].flatMap { layout.long(UInt32(bitPattern: $0)) }),
    ]
    if let identifier { entries.append((0x0011, 2, UInt32(identifier.utf8.count + 1), Array(identifier.utf8) + [0])) }
    entries.append((0x0017, 16, 1, layout.long(2, before: 0x00502024)))
    entries.append((0x002B, 2, 5, Array("abcd\0".utf8)))
    let start = Array("Apple iOS\0".utf8) + [0, 1] + Array((order == .big ? "MM" : "II").utf8)
    var note = Layout(order: order, bytes: start, alignment: 1)
    note.directory(entries)
    return note.bytes
  }

  /// The property list of 1.5 s, flags 1, epoch 1, as Python's plistlib writes it.
  static let runTime: [UInt8] = [
    0x62, 0x70, 0x6C, 0x69, 0x73, 0x74, 0x30, 0x30, 0xD4, 0x01, 0x02, 0x03, 0x04, 0x05, 0x05, 0x06, 0x07, 0x55,
    0x65, 0x70, 0x6F, 0x63, 0x68, 0x55, 0x66, 0x6C, 0x61, 0x67, 0x73, 0x59, 0x74, 0x69, 0x6D, 0x65, 0x73, 0x63,
    0x61, 0x6C, 0x65, 0x55, 0x76, 0x61, 0x6C, 0x75, 0x65, 0x10, 0x01, 0x12, 0x3B, 0x9A, 0xCA, 0x00, 0x12, 0x59,
    0x68, 0x2F, 0x00, 0x08, 0x11, 0x17, 0x1D, 0x27, 0x2D, 0x2F, 0x34, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x01,
    0x01, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x39,
  ]

  func short(_ value: UInt16) -> [UInt8] {
    order == .big ? [UInt8(value >> 8), UInt8(value & 0xFF)] : short(swapped: value)
  }
  private func short(swapped value: UInt16) -> [UInt8] { [UInt8(value & 0xFF), UInt8(value >> 8)] }
  func long(_ value: UInt32) -> [UInt8] {
    let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> UInt32($0)) }
    return order == .big ? bytes : bytes.reversed()
  }
  /// A 64-bit integer of two halves.
  private func long(_ high: UInt32, before low: UInt32) -> [UInt8] {
    order == .big ? long(high) + long(low) : long(low) + long(high)
  }
}

/// Directories, each followed by its values.
private struct Layout {
  let order: ByteOrder
  var bytes: [UInt8]
  let alignment: Int

  init(order: ByteOrder, bytes: [UInt8]? = nil, alignment: Int = 2) {
    self.order = order
    self.alignment = alignment
    self.bytes = bytes ?? Array((order == .big ? "MM\0*" : "II*\0").utf8) + [0, 0, 0, 0]
  }

  @discardableResult
  mutating func directory(
    _ entries: [ExifSample.Entry], sharing source: UInt16? = nil, by copy: UInt16? = nil
  ) -> (position: Int, slots: [UInt16: Int], next: Int) {
    let sample = ExifSample(order: order, note: [])
    let position = bytes.count
    var slots: [UInt16: Int] = [:]
    bytes += sample.short(UInt16(entries.count))
    for entry in entries {
      bytes += sample.short(entry.tag) + sample.short(entry.type) + sample.long(entry.count)
      slots[entry.tag] = bytes.count
      bytes += entry.value.count == 4 ? entry.value : [0, 0, 0, 0]
    }
    let next = bytes.count
    bytes += [0, 0, 0, 0]
    for entry in entries where entry.value.count > 4 {
      if bytes.count % alignment != 0 { bytes.append(0) }
      store(bytes.count, at: slots[entry.tag] ?? 0)
      if entry.tag == source { store(bytes.count, at: slots[copy ?? 0] ?? 0) }
      bytes += entry.value
    }
    if bytes.count % alignment != 0 { bytes.append(0) }
    return (position, slots, next)
  }

  mutating func store(_ offset: Int, at position: Int) {
    let value = ExifSample(order: order, note: []).long(UInt32(offset))
    bytes.replaceSubrange(position..<position + 4, with: value)
  }
}
