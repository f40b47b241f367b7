import LivePhotoCore

/// A box and the boxes inside it, for people to look at.
public struct BoxNode: Sendable, Codable, Equatable {
  /// The type.
  public var type: String
  /// Where the box begins, in bytes of the file.
  public var offset: Int
  /// The whole box in bytes.
  public var size: Int
  /// The boxes inside; nil for a box that holds none.
  public var children: [BoxNode]?
}

/// Walks the boxes of a file without understanding them.
struct BoxTree {
  /// Boxes that hold boxes, and how many bytes stand before the first of them.
  private static let containers: [FourCC: Int] = [
    "moov": 0, "trak": 0, "mdia": 0, "minf": 0, "stbl": 0, "edts": 0, "dinf": 0, "udta": 0, "gmhd": 0, "tref": 0,
    "mvex": 0, "moof": 0, "traf": 0, "tapt": 0, "iprp": 0, "ipco": 0, "dref": 8, "stsd": 8, "iref": 4, "grpl": 0,
  ]

  let limits: Limits

  /// The boxes of a file's top level, and inside them those of the header boxes that fit into the limits.
  ///
  /// - Throws: ``LivePhotoCore/ParseError`` when the file cannot be read or has too many boxes.
  func nodes(of source: any ByteSource) throws(ParseError) -> [BoxNode] {
    let top = try TopLevelBoxes(of: source, limits: limits)
    var nodes: [BoxNode] = []
    for header in top.boxes {
      var node = BoxNode(header)
      if ["moov", "meta", "moof"].contains(header.type), header.range.count <= limits.metadataBytes {
        let bytes = try source.parseBytes(header.range)
        var cursor = ByteCursor(bytes.span, base: header.range.lowerBound)
        try cursor.skip(header.headerSize)
        node.children = children(of: header.type, &cursor, depth: 1)
      }
      nodes.append(node)
    }
    return nodes
  }

  /// The boxes inside one; nil where what is inside are no boxes.
  private func children(of type: FourCC, _ cursor: inout ByteCursor, depth: Int) -> [BoxNode]? {
    guard depth <= limits.boxDepth, let skipped = Self.prefix(of: type, cursor) else { return nil }
    var nodes: [BoxNode] = []
    do throws(ParseError) {
      try cursor.skip(skipped)
      try cursor.forEachBox(limit: limits.boxesPerContainer) { (header, content) throws(ParseError) in
        var node = BoxNode(header)
        node.children = children(of: header.type, &content, depth: depth + 1)
        nodes.append(node)
      }
    } catch {
      // What could be read is shown; a damaged box is the last of its list.
      return nodes
    }
    return nodes
  }

  /// The bytes before the first inner box: for `meta` as it stands, since QuickTime's has no version.
  private static func prefix(of type: FourCC, _ cursor: borrowing ByteCursor) -> Int? {
    guard type == "meta" else { return containers[type] }
    return cursor.peekFourCC(ahead: 4) == "hdlr" ? 0 : 4
  }
}

extension BoxNode {
  init(_ header: BoxHeader) {
    self.init(
      type: header.type.description, offset: header.range.lowerBound, size: header.range.count, children: nil)
  }
}
