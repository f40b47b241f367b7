import LivePhotoCore
import LivePhotoJPEGKernels

/// The tables in force at a place of the file, and the restart interval.
struct DecodingTables {
  /// Divisors by table number, row by row; nil for a table that was not given.
  private(set) var quantizers: [[Int32]?] = Array(repeating: nil, count: 4)
  /// MCUs between restart markers; 0 for none.
  private(set) var restartInterval = 0
  private var dc: [HuffmanTable?] = Array(repeating: nil, count: 4)
  private var ac: [HuffmanTable?] = Array(repeating: nil, count: 4)

  /// A sequential picture that brings no Huffman tables, as a frame of Motion JPEG, uses the standard's examples.
  init(isProgressive: Bool) {
    guard !isProgressive else { return }
    for index in 0..<2 {
      dc[index] = HuffmanTables.standard.dc[index]
      ac[index] = HuffmanTables.standard.ac[index]
    }
  }

  /// Takes what a DQT, DHT or DRI segment says; others say nothing about tables.
  mutating func read(_ segment: JPEGSegment, in source: any ByteSource) throws(ParseError) {
    guard [0xC4, 0xDB, 0xDD].contains(segment.marker) else { return }
    let bytes = try source.parseBytes(segment.payload)
    var cursor = ByteCursor(bytes.span, base: segment.payload.lowerBound)
    do throws(ParseError) {
      switch segment.marker {
      case 0xC4: while !cursor.isAtEnd { try readHuffmanTable(&cursor) }
      case 0xDB: while !cursor.isAtEnd { try readQuantizer(&cursor) }
      default: restartInterval = Int(try cursor.readUInt16())
      }
    } catch {
      throw error.inside(JPEGSegment.name(segment.marker))
    }
  }

  /// One table of a DQT segment (ITU-T T.81, B.2.4.1).
  private mutating func readQuantizer(_ cursor: inout ByteCursor) throws(ParseError) {
    let place = cursor.place
    let head = try cursor.readUInt8()
    guard head & 15 < 4, head >> 4 < 2 else {
      throw .invalid("quantisation table", found: "\(head)", expected: "number 0 to 3 of 8 or 16 bits", at: place)
    }
    var divisors = [Int32](repeating: 0, count: 64)
    for index in Zigzag.natural {
      divisors[Int(index)] = head < 16 ? Int32(try cursor.readUInt8()) : Int32(try cursor.readUInt16())
    }
    quantizers[Int(head & 15)] = divisors
  }

  /// One table of a DHT segment (ITU-T T.81, B.2.4.2).
  private mutating func readHuffmanTable(_ cursor: inout ByteCursor) throws(ParseError) {
    let place = cursor.place
    let head = try cursor.readUInt8()
    guard head & 15 < 4, head >> 4 < 2 else {
      throw .invalid("Huffman table", found: "\(head)", expected: "number 0 to 3, class 0 or 1", at: place)
    }
    let counts = try cursor.readBytes(16)
    let count = counts.reduce(0) { $0 + Int($1) }
    guard count <= 256 else {
      throw .invalid("number of Huffman codes", found: "\(count)", expected: "256 at most", at: place)
    }
    let table = HuffmanTable(counts: counts, symbols: try cursor.readBytes(count))
    if head < 16 { dc[Int(head)] = table } else { ac[Int(head & 15)] = table }
  }

  /// The decoder of DC differences with a number.
  func dcDecoder(_ number: Int, _ place: Place) throws(ParseError) -> HuffmanDecoder {
    let decoder = try HuffmanDecoder(try Self.table(dc, number, "DC", place), place)
    guard decoder.symbols.allSatisfy({ $0 < 16 }) else {
      throw .invalid("symbol of a DC table", found: "16 or more", expected: "0 to 15", at: place)
    }
    return decoder
  }

  /// The decoder of AC coefficients with a number.
  func acDecoder(_ number: Int, _ place: Place) throws(ParseError) -> HuffmanDecoder {
    try HuffmanDecoder(try Self.table(ac, number, "AC", place), place)
  }

  private static func table(_ tables: [HuffmanTable?], _ number: Int, _ kind: String, _ place: Place)
    throws(ParseError) -> HuffmanTable
  {
    guard number < 4, let table = tables[number] else {
      throw .missing("\(kind) Huffman table \(number) (DHT)", at: place)
    }
    return table
  }
}
