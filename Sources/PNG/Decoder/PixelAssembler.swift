import LivePhotoCore

/// Makes pictures of filtered rows: takes the filters away, and turns what is stored into samples.
struct PixelAssembler {
  let header: PNGHeader
  private let channels: RasterImage.Channels
  /// The samples of 256 palette entries; those that the file does not have are black.
  private let palette: [UInt8]
  /// The stored samples of the colour that is transparent.
  private let clearColor: [UInt16]?
  /// The row that was added last and the one above it, without their filters.
  private var row: [UInt8]
  private var above: [UInt8]
  /// The samples of the rows that were added; one of both is empty.
  private var bytes: [UInt8] = []
  private var words: [UInt16] = []
  /// The filter in front of which the picture ends, since there is no such filter.
  private(set) var unknownFilter: UInt8?
  /// The largest palette index that was met.
  private(set) var largestIndex = 0

  init(_ header: PNGHeader, palette: [UInt8], transparency: [UInt8]?) {
    self.header = header
    row = [UInt8](repeating: 0, count: header.rowSize(header.width) + Unfilter.slack)
    above = row
    channels = header.channels(hasTransparency: transparency != nil)
    if header.colorType == .palette {
      self.palette = Self.entries(palette, alpha: transparency)
      clearColor = nil
    } else {
      self.palette = []
      let mask = UInt16.max >> UInt16(16 - header.bitDepth)
      clearColor = transparency.map { bytes in
        stride(from: 0, to: bytes.count - 1, by: 2).map { (UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])) & mask }
      }
    }
  }

  private static func entries(_ palette: [UInt8], alpha: [UInt8]?) -> [UInt8] {
    (0..<256).flatMap { entry -> [UInt8] in
      let color = entry * 3 < palette.count ? Array(palette[entry * 3..<entry * 3 + 3]) : [0, 0, 0]
      guard let alpha else { return color }
      return color + [entry < alpha.count ? alpha[entry] : 255]
    }
  }

  /// Begins a picture of `height` rows, which are 0 until they are added.
  mutating func begin(height: Int) {
    let count = header.width * height * channels.rawValue
    if header.bitDepth == 16 {
      words = [UInt16](repeating: 0, count: count)
    } else {
      bytes = [UInt8](repeating: 0, count: count)
    }
  }

  /// The picture that was begun, which is handed over.
  mutating func take() -> RasterImage {
    let isWide = header.bitDepth == 16
    let samples = isWide ? Plane.Samples.words(words) : .bytes(bytes)
    (words, bytes) = ([], [])
    let height = samples.count / (header.width * channels.rawValue)
    return RasterImage(
      width: header.width, height: height, channels: channels, bitDepth: isWide ? 16 : 8, samples: samples)
  }

  /// Forgets the row above: a pass begins.
  mutating func beginPass() { above = [UInt8](repeating: 0, count: above.count) }

  /// Adds a row, its filter in front of it, as row `y` of the picture that was begun, with the columns of `pass`.
  ///
  /// - Returns: whether its filter is one; else the picture ends here.
  mutating func add(_ filtered: Span<UInt8>, at y: Int, of pass: PNGPass) -> Bool {
    guard let filter = PNGFilter(rawValue: filtered[0]) else {
      unknownFilter = filtered[0]
      return false
    }
    Unfilter.row(filter, filtered.extracting(1...), above: above, into: &row, distance: header.filterDistance)
    let goal = Goal(
      start: (y * header.width + pass.x) * channels.rawValue, step: pass.stepX * channels.rawValue, width: pass.width)
    if header.bitDepth == 16 {
      convertWords(goal)
    } else if header.colorType == .palette {
      largestIndex = max(largestIndex, convertIndices(goal))
    } else if header.bitDepth < 8 {
      convertSmallGray(goal)
    } else {
      convertPixels(goal)
    }
    swap(&row, &above)
    return true
  }

  /// Where a row's pixels go: the first sample of the first, and from pixel to pixel.
  private struct Goal {
    let start: Int, step: Int, width: Int
  }
}

// MARK: Samples

extension PixelAssembler {
  private mutating func convertWords(_ goal: Goal) {
    let count = header.colorType.sampleCount, clearColor = clearColor
    let row = row
    let source = row.span
    var output = words.mutableSpan
    for x in 0..<goal.width {
      let from = x &* count &* 2, to = goal.start &+ x &* goal.step
      for channel in 0..<count {
        let place = from &+ channel &* 2
        output[to &+ channel] = UInt16(source[place]) &<< 8 | UInt16(source[place &+ 1])
      }
      if let clearColor {
        let isClear = (0..<count).allSatisfy { output[to &+ $0] == clearColor[$0] }
        output[to &+ count] = isClear ? 0 : .max
      }
    }
  }

  private mutating func convertPixels(_ goal: Goal) {
    let count = header.colorType.sampleCount
    if clearColor == nil, goal.step == count {
      bytes.replaceSubrange(goal.start..<goal.start + goal.width * count, with: row[..<(goal.width * count)])
      return
    }
    let row = row, clearColor = clearColor
    let source = row.span
    var output = bytes.mutableSpan
    for x in 0..<goal.width {
      let from = x &* count, to = goal.start &+ x &* goal.step
      for channel in 0..<count { output[to &+ channel] = source[from &+ channel] }
      if let clearColor {
        let isClear = (0..<count).allSatisfy { UInt16(source[from &+ $0]) == clearColor[$0] }
        output[to &+ count] = isClear ? 0 : 255
      }
    }
  }

  /// - Returns: the largest index.
  private mutating func convertIndices(_ goal: Goal) -> Int {
    let depth = header.bitDepth, count = channels.rawValue
    let row = row, palette = palette
    let source = row.span, entries = palette.span
    var output = bytes.mutableSpan
    var largest = 0
    for x in 0..<goal.width {
      let index = Self.value(source, x, depth), to = goal.start &+ x &* goal.step
      largest = max(largest, index)
      for channel in 0..<count { output[to &+ channel] = entries[index &* count &+ channel] }
    }
    return largest
  }

  private mutating func convertSmallGray(_ goal: Goal) {
    let depth = header.bitDepth
    let scale = 255 / ((1 << depth) - 1)
    let clear = clearColor.map { Int($0[0]) }
    let row = row
    let source = row.span
    var output = bytes.mutableSpan
    for x in 0..<goal.width {
      let value = Self.value(source, x, depth), to = goal.start &+ x &* goal.step
      output[to] = UInt8(truncatingIfNeeded: value &* scale)
      if let clear { output[to &+ 1] = value == clear ? 0 : 255 }
    }
  }

  /// Sample `x` of a row of samples of up to 8 bits, the leftmost in the highest bits (PNG, 7.2).
  @inline(__always)
  private static func value(_ source: Span<UInt8>, _ x: Int, _ depth: Int) -> Int {
    let bit = x &* depth
    return Int(source[bit &>> 3]) &>> (8 &- depth &- bit & 7) & (1 &<< depth &- 1)
  }
}
