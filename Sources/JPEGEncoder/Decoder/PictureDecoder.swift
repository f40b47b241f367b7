import LivePhotoCore

/// Walks through a file's segments and decodes its scans one by one.
struct PictureDecoder {
  /// How often each pixel may be visited by the scans of a picture as large as the limit.
  private static let passes = 16

  private let file: JPEGFile
  private let frame: DecodedFrame
  private let limits: Limits
  private var tables: DecodingTables
  private(set) var components: [DecodedComponent]
  private var log: DamageLog
  private var scans = 0
  private var visitedPixels = 0
  /// Where the data of the last scan end.
  private var endOfScan = 0
  /// The last row of MCUs (of all components) that the last scan had data for.
  private var lastGoodRow = 0

  init(_ file: JPEGFile, _ frame: DecodedFrame, _ limits: Limits, isStrict: Bool) {
    self.file = file
    self.frame = frame
    self.limits = limits
    tables = DecodingTables(isProgressive: frame.isProgressive)
    components = frame.components.map { DecodedComponent($0, isProgressive: frame.isProgressive) }
    log = DamageLog(isStrict: isStrict)
  }

  /// Decodes all scans; damage behind the beginning of the first one is noted.
  ///
  /// - Parameter rowsAreDone: told, after each row of MCUs, how many rows of pixels do not change any more, of a picture
  ///   whose only scan holds all components.
  mutating func decode(rowsAreDone: (Int, [DecodedComponent]) -> Void = { _, _ in }) throws(ParseError) {
    do throws(ParseError) {
      for index in file.segments.indices { try readSegment(index, rowsAreDone) }
    } catch {
      // What the scans before have given is a picture, unless the file asks for more than is allowed.
      if case .beyondLimit = error { throw error }
      guard scans > 0 else { throw error }
      try log.note(error)
    }
    if !file.isComplete { try log.note(.missing("end of the picture (EOI)", at: Place(offset: file.source.count))) }
    if frame.isProgressive { transformCoefficients() }
  }

  private mutating func readSegment(
    _ index: Int, _ rowsAreDone: (Int, [DecodedComponent]) -> Void
  ) throws(ParseError) {
    let segment = file.segments[index]
    let place = Place(offset: segment.range.lowerBound)
    switch segment.kind {
    case .tables: try tables.read(segment, in: file.source)
    case .scanHeader: try decodeScan(index, rowsAreDone)
    case .extraneous where place.offset >= endOfScan:
      try log.note(
        .invalid("bytes between segments", found: "\(segment.range.count)", expected: "none", at: place))
    case .frameHeader where segment != file.first(.frameHeader):
      throw .invalid("frame header", found: "a second one", expected: "one", at: place)
    default: break
    }
  }

  private mutating func decodeScan(
    _ index: Int, _ rowsAreDone: (Int, [DecodedComponent]) -> Void
  ) throws(ParseError) {
    let segment = file.segments[index]
    let place = Place(offset: segment.payload.lowerBound, path: ["SOS"])
    let header = try ScanHeader(parsing: try file.source.parseBytes(segment.payload), at: place, frame)
    try countScan(header)
    for component in header.components {
      try components[component.index].latchQuantizer(tables, place)
    }
    let data = try file.source.parseBytes(dataRange(after: index))
    var reader = BitReader(data.span)
    var walk = ScanWalk(header, frame, restartInterval: tables.restartInterval)
    if frame.isProgressive {
      for component in header.components {
        try components[component.index].notePrecision(of: header, isFirstScan: scans == 1, &log)
      }
      try ProgressiveScan(header, tables).decode(&reader, &walk, &components)
    } else {
      let isAll = header.components.count == frame.components.count && hasOneScan
      let unitHeight = 8 * frame.vertical / walk.rowsPerFrameRow
      try SequentialScan(header, tables).decode(&reader, &walk, &components) { row, components in
        if isAll { rowsAreDone((row + 1) * unitHeight, components) }
      }
    }
    lastGoodRow = walk.lastGoodRow
    try noteDamage(reader, walk, Place(offset: segment.range.upperBound, path: ["scan \(scans)"]))
  }

  private var hasOneScan: Bool { file.segments.count { $0.kind == .scanHeader } == 1 }

  /// The data of the scan whose header is at an index.
  ///
  /// A reserved marker among them is damage, not their end.
  private mutating func dataRange(after index: Int) -> Range<Int> {
    let start = file.segments[index].range.upperBound
    let data = file.segments[(index + 1)...].prefix { segment in
      switch segment.kind {
      case .scanData, .extraneous: true
      default: segment.marker < 0xC0 || (0xD0...0xD7).contains(segment.marker)
      }
    }
    endOfScan = data.last?.range.upperBound ?? start
    return start..<endOfScan
  }

  /// Keeps the work that a file asks for within bounds: scans are small, and each may visit every pixel.
  private mutating func countScan(_ header: ScanHeader) throws(ParseError) {
    scans += 1
    guard scans <= limits.scans else {
      throw .beyondLimit("number of scans", found: scans, limit: limits.scans, at: header.place)
    }
    for component in header.components {
      let geometry = frame.components[component.index]
      visitedPixels += geometry.paddedAcross * geometry.paddedDown * 64
    }
    let (limit, overflow) = limits.pixels.multipliedReportingOverflow(by: Self.passes)
    guard overflow || visitedPixels <= limit else {
      throw .beyondLimit("number of pixels in all scans", found: visitedPixels, limit: limit, at: header.place)
    }
  }

  private mutating func noteDamage(_ reader: borrowing BitReader, _ walk: ScanWalk, _ place: Place) throws(ParseError) {
    func note(_ what: String, _ count: Int) throws(ParseError) {
      guard count > 0 else { return }
      try log.note(.invalid(what, found: "\(count)", expected: "0", at: place))
    }
    try note("number of codes that are in no table", reader.badCodes)
    try note("number of missing restart markers", reader.lostRestarts)
    try note("number of MCUs without data", walk.starvedUnits)
    try note("number of bytes behind the scan's last MCU", reader.unusedBytes)
    try note("number of bytes in front of restart markers", reader.skippedBytes)
  }

  private mutating func transformCoefficients() {
    let smoothing = BlockSmoothing(components, lastGoodRow: lastGoodRow, isFirstScan: scans == 1)
    for index in components.indices { components[index].transform(smoothing) }
  }

  /// What is damaged or missing so far.
  var warnings: [ParseError] { log.findings }

  /// What has been decoded.
  consuming func picture(_ coding: JPEGColorCoding) -> JPEGPicture {
    JPEGPicture(
      width: frame.width, height: frame.height, coding: coding, components: components.map(\.result),
      warnings: warnings, file: file)
  }
}
