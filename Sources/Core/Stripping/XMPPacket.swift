/// The text of an XMP packet (ISO 16684-1), edited without changing its length.
public struct XMPPacket: Sendable {
  /// The packet as UTF-8.
  public private(set) var bytes: [UInt8]

  /// A packet as it stands in a file.
  public init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Blanks what `isUnwanted` says of the local name of each property, every comment, and every value and text that
  /// holds a position (``PlaceNames/holdsPosition(_:)``), with spaces.
  ///
  /// - Returns: whether the packet could be read; if not, it is as it was and should be left out as a whole.
  public mutating func blank(_ isUnwanted: @escaping (String) -> Bool) -> Bool {
    // Other encodings than UTF-8 are not read.
    let end = bytes.lastIndex(of: 0x3E) ?? 0
    guard !bytes[..<end].contains(0), !bytes.starts(with: [0xFE, 0xFF]), !bytes.starts(with: [0xFF, 0xFE]) else {
      return false
    }
    var scan = XMPScan(bytes: bytes, isUnwanted: isUnwanted)
    guard scan.run() else { return false }
    for range in scan.unwanted {
      bytes.replaceSubrange(range, with: repeatElement(0x20, count: range.count))
    }
    return true
  }
}

/// Walks the tags of a packet.
private struct XMPScan {
  let bytes: [UInt8]
  let isUnwanted: (String) -> Bool
  private(set) var unwanted: [Range<Int>] = []
  private var position = 0
  private var depth = 0
  /// The unwanted element that is open: where it begins, and its depth.
  private var open: (start: Int, depth: Int)?

  /// Far deeper than any packet.
  private static let deepest = 256

  init(bytes: [UInt8], isUnwanted: @escaping (String) -> Bool) {
    self.bytes = bytes
    self.isUnwanted = isUnwanted
  }

  /// Returns whether all tags are closed.
  mutating func run() -> Bool {
    while let start = bytes[position...].firstIndex(of: 0x3C) {
      leave(position..<start)
      position = start
      guard step() else { return false }
    }
    leave(position..<bytes.count)
    return depth == 0 && open == nil
  }

  /// Passes over a text, which goes where it holds a position.
  private mutating func leave(_ text: Range<Int>) {
    if open == nil, PlaceNames.holdsPosition(bytes[text]) { unwanted.append(text) }
  }

  /// Steps over a tag or what else begins with `<`.
  private mutating func step() -> Bool {
    if begins("<!--") { return skip(to: "-->", isUnwanted: true) }
    if begins("<?") { return skip(to: "?>") }
    if begins("<![CDATA[") {
      let start = position + 9
      guard skip(to: "]]>") else { return false }
      leave(start..<position - 3)
      return true
    }
    if begins("</") { return close() }
    return begins("<!") ? false : element()
  }

  private func begins(_ text: String) -> Bool { bytes[position...].starts(with: text.utf8) }

  private mutating func skip(to end: String, isUnwanted: Bool = false) -> Bool {
    let start = position
    guard let found = bytes[position...].firstRange(of: Array(end.utf8)) else { return false }
    position = found.upperBound
    if isUnwanted, open == nil { unwanted.append(start..<position) }
    return true
  }

  private mutating func close() -> Bool {
    guard depth > 0, let end = bytes[position...].firstIndex(of: 0x3E) else { return false }
    position = end + 1
    depth -= 1
    if let element = open, element.depth == depth {
      unwanted.append(element.start..<position)
      open = nil
    }
    return true
  }

  /// A start tag with its attributes.
  private mutating func element() -> Bool {
    let start = position
    position += 1
    let name = takeName()
    guard !name.isEmpty, depth < Self.deepest else { return false }
    if open == nil, isUnwanted(name) { open = (start, depth) }
    while true {
      skipSpace()
      guard position < bytes.count else { return false }
      switch bytes[position] {
      case 0x3E:
        position += 1
        depth += 1
        return true
      case 0x2F:
        guard begins("/>") else { return false }
        position += 2
        if let element = open, element.depth == depth, element.start == start {
          unwanted.append(start..<position)
          open = nil
        }
        return true
      default:
        guard attribute() else { return false }
      }
    }
  }

  private mutating func attribute() -> Bool {
    let start = position
    let name = takeName()
    skipSpace()
    guard !name.isEmpty, position < bytes.count, bytes[position] == 0x3D else { return false }
    position += 1
    skipSpace()
    guard position < bytes.count, bytes[position] == 0x22 || bytes[position] == 0x27,
      let end = bytes[(position + 1)...].firstIndex(of: bytes[position])
    else { return false }
    let value = bytes[position + 1..<end]
    position = end + 1
    if open == nil, isUnwanted(name) || PlaceNames.holdsPosition(value) { unwanted.append(start..<position) }
    return true
  }

  /// The local part of the name at the position, which is stepped over.
  private mutating func takeName() -> String {
    let ends: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D, 0x2F, 0x3E, 0x3D, 0x22, 0x27, 0x3C]
    let end = bytes[position...].firstIndex { ends.contains($0) } ?? bytes.count
    let name = bytes[position..<end]
    position = end
    // Declarations of namespaces are no properties.
    if name.elementsEqual("xmlns".utf8) || name.starts(with: "xmlns:".utf8) { return "xmlns" }
    let local = name.firstIndex(of: 0x3A).map { name[($0 + 1)...] } ?? name
    return String(decoding: local, as: UTF8.self)
  }

  private mutating func skipSpace() {
    while position < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[position]) { position += 1 }
  }
}

extension XMPPacket {
  /// Blanks the properties that say where something was, and thumbnails, which may have metadata of their own.
  ///
  /// - Returns: whether the packet could be read; if not, it should be left out as a whole.
  public mutating func blankPlaces() -> Bool { blank(Self.namesPlace) }

  /// Whether a property says where something was, or is a thumbnail.
  public static func namesPlace(_ name: String) -> Bool { PlaceNames.matches(name) || name == "Thumbnails" }
}
