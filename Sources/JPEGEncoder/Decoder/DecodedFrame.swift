import LivePhotoCore

/// The sizes of a frame and of its components (ITU-T T.81, A.1.1), checked against the limits.
struct DecodedFrame {
  let width: Int
  let height: Int
  let isProgressive: Bool
  /// The largest sampling factors of all components.
  let horizontal: Int, vertical: Int
  let components: [Component]

  /// The geometry of one component.
  struct Component {
    let identifier: UInt8
    /// Blocks of an MCU of several components, across and down.
    let horizontal: Int, vertical: Int
    /// The number of its quantisation table.
    let table: Int
    /// Its size in samples.
    let width: Int, height: Int
    /// The blocks that hold samples of the picture.
    let blocksAcross: Int, blocksDown: Int
    /// Blocks across and down in whole MCUs.
    let paddedAcross: Int, paddedDown: Int
  }

  /// MCUs of several components, across and down.
  var unitsAcross: Int { width.dividedUp(by: 8 * horizontal) }
  var unitsDown: Int { height.dividedUp(by: 8 * vertical) }

  init(_ file: JPEGFile, _ limits: Limits) throws(ParseError) {
    let header = file.frame
    let place = Place(offset: file.first(.frameHeader)?.range.lowerBound ?? 0, path: ["SOF\(header.process)"])
    switch header.process {
    case 0, 1, 2: break
    case 9...: throw .unsupported("arithmetic coding (SOF\(header.process))", at: place)
    default: throw .unsupported("lossless or hierarchical coding (SOF\(header.process))", at: place)
    }
    guard header.precision == 8 else { throw .unsupported("\(header.precision) bits a sample", at: place) }
    guard [1, 3, 4].contains(header.components.count) else {
      throw .unsupported("a picture of \(header.components.count) components", at: place)
    }
    for component in header.components {
      guard (1...4).contains(component.horizontal), (1...4).contains(component.vertical), component.table < 4 else {
        throw .invalid(
          "component", found: "sampling \(component.horizontal)x\(component.vertical), table \(component.table)",
          expected: "sampling of 1 to 4, table 0 to 3", at: place)
      }
    }
    width = header.width
    height = header.height > 0 ? header.height : try Self.statedHeight(file)
    isProgressive = header.process == 2
    horizontal = header.components.map(\.horizontal).max() ?? 1
    vertical = header.components.map(\.vertical).max() ?? 1
    let size = (width, height, horizontal, vertical)
    components = header.components.map { Component($0, of: size) }
    try check(limits, place)
  }

  /// The number of lines that a DNL segment states behind the first scan (ITU-T T.81, B.2.5).
  private static func statedHeight(_ file: JPEGFile) throws(ParseError) -> Int {
    let place = Place(offset: file.trailer.lowerBound)
    guard let segment = file.segments.first(where: { $0.marker == 0xDC }) else {
      throw .missing("height, in the frame header or a DNL segment", at: place)
    }
    let bytes = try file.source.parseBytes(segment.payload)
    var cursor = ByteCursor(bytes.span, base: segment.payload.lowerBound)
    let height = Int(try cursor.readUInt16())
    guard height > 0 else { throw .invalid("height", found: "0", expected: "a height", at: cursor.place) }
    return height
  }

  private func check(_ limits: Limits, _ place: Place) throws(ParseError) {
    guard max(width, height) <= limits.pictureSide else {
      throw .beyondLimit("side", found: max(width, height), limit: limits.pictureSide, at: place)
    }
    guard width * height <= limits.pixels else {
      throw .beyondLimit("number of pixels", found: width * height, limit: limits.pixels, at: place)
    }
    // A sample takes a byte, a coefficient two, a pixel of the result one or three.
    let samples = components.reduce(0) { $0 + $1.paddedAcross * $1.paddedDown * 64 }
    let bytes = samples * (isProgressive ? 3 : 1) + width * height * (components.count == 1 ? 1 : 3)
    guard bytes <= limits.decodedBytes else {
      throw .beyondLimit("memory for the picture in bytes", found: bytes, limit: limits.decodedBytes, at: place)
    }
  }
}

extension DecodedFrame.Component {
  fileprivate init(
    _ component: JPEGFrame.Component, of frame: (width: Int, height: Int, horizontal: Int, vertical: Int)
  ) {
    identifier = component.identifier
    horizontal = component.horizontal
    vertical = component.vertical
    table = component.table
    width = (frame.width * horizontal).dividedUp(by: frame.horizontal)
    height = (frame.height * vertical).dividedUp(by: frame.vertical)
    blocksAcross = (frame.width * horizontal).dividedUp(by: frame.horizontal * 8)
    blocksDown = (frame.height * vertical).dividedUp(by: frame.vertical * 8)
    paddedAcross = frame.width.dividedUp(by: frame.horizontal * 8) * horizontal
    paddedDown = frame.height.dividedUp(by: frame.vertical * 8) * vertical
  }
}

extension Int {
  /// The quotient, rounded up; both are positive.
  func dividedUp(by divisor: Int) -> Int { (self + divisor - 1) / divisor }
}
