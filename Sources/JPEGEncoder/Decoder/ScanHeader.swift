import LivePhotoCore

/// What a scan holds (ITU-T T.81, B.2.3), checked against the frame.
struct ScanHeader {
  /// One component of the scan.
  struct Component {
    /// Its number in the frame.
    let index: Int
    /// The numbers of its Huffman tables.
    let dc: Int, ac: Int
  }

  let components: [Component]
  /// The first and the last coefficient, in zigzag order.
  let first: Int, last: Int
  /// The bits that earlier scans left out, and those that this one leaves out.
  let high: Int, low: Int
  /// Where it stands in the file.
  let place: Place

  init(parsing bytes: [UInt8], at place: Place, _ frame: DecodedFrame) throws(ParseError) {
    self.place = place
    var cursor = ByteCursor(bytes.span, base: place.offset)
    let count = Int(try cursor.readUInt8())
    guard (1...4).contains(count) else {
      throw .invalid("number of components", found: "\(count)", expected: "1 to 4", at: place)
    }
    var components: [Component] = []
    for _ in 0..<count {
      let identifier = try cursor.readUInt8(), tables = Int(try cursor.readUInt8())
      let index = frame.components.indices.first { index in
        frame.components[index].identifier == identifier && !components.contains { $0.index == index }
      }
      guard let index else {
        throw .invalid("component", found: "\(identifier)", expected: "one of the frame's, once", at: place)
      }
      components.append(Component(index: index, dc: tables >> 4, ac: tables & 15))
    }
    self.components = components
    first = Int(try cursor.readUInt8())
    last = Int(try cursor.readUInt8())
    let approximation = Int(try cursor.readUInt8())
    (high, low) = (approximation >> 4, approximation & 15)
    let blocks = components.reduce(0) {
      $0 + frame.components[$1.index].horizontal * frame.components[$1.index].vertical
    }
    guard count == 1 || blocks <= 10 else {
      throw .invalid("blocks of an MCU", found: "\(blocks)", expected: "10 at most", at: place)
    }
    if frame.isProgressive { try checkProgression() }
  }

  /// The rules of ITU-T T.81, G.1.1.1.
  private func checkProgression() throws(ParseError) {
    let isBand = first == 0 ? last == 0 : first <= last && last < 64 && components.count == 1
    guard isBand, high == 0 || low == high - 1, low <= 13 else {
      throw .invalid(
        "progressive scan", found: "coefficients \(first) to \(last), bits \(high) to \(low)",
        expected: "DC alone or a band of one component, a bit at a time", at: place)
    }
  }
}
