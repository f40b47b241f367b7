import LivePhotoCore

/// Makes a picture of filtered rows: takes the filters away, and turns what is stored into samples.
struct PixelAssembler {
  private let header: PNGHeader
  private let channels: RasterImage.Channels
  /// The samples of 256 palette entries; those that the file does not have are black.
  private let palette: [UInt8]
  /// The stored samples of the colour that is transparent.
  private let clearColor: [UInt16]?
  private var filtered: [UInt8]
  /// The filter in front of which the picture ends, since there is no such filter.
  private(set) var unknownFilter: UInt8?
  /// The largest palette index that was met.
  private(set) var largestIndex = 0

  /// - Parameter filtered: the rows with their filters; they are changed in place, so nobody else should hold them.
  init(_ header: PNGHeader, palette: [UInt8], transparency: [UInt8]?, filtered: consuming [UInt8]) {
    self.header = header
    self.filtered = filtered
    let hasColor = header.colorType != .gray && header.colorType != .grayAlpha
    let hasAlpha = transparency != nil || header.colorType == .grayAlpha || header.colorType == .rgba
    channels = hasColor ? hasAlpha ? .rgba : .rgb : hasAlpha ? .grayAlpha : .gray
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

  /// The picture; what is missing is 0.
  mutating func assemble() -> RasterImage {
    let count = header.width * header.height * channels.rawValue
    let samples: Plane.Samples
    if header.bitDepth == 16 {
      var words = [UInt16](repeating: 0, count: count)
      forEachRow { assembler, at, goal in assembler.convertWords(at, &words, goal) }
      samples = .words(words)
    } else if header.bitDepth == 8, !header.isInterlaced, header.colorType != .palette, clearColor == nil {
      unfilterInPlace(to: count)
      samples = .bytes(filtered)
      filtered = []
    } else {
      var bytes = [UInt8](repeating: 0, count: count)
      forEachRow { assembler, at, goal in assembler.convertBytes(at, &bytes, goal) }
      samples = .bytes(bytes)
    }
    return RasterImage(
      width: header.width, height: header.height, channels: channels, bitDepth: header.bitDepth == 16 ? 16 : 8,
      samples: samples)
  }

  /// Where a row's pixels go: the first sample of the first, and from pixel to pixel.
  private struct Goal {
    let start: Int, step: Int, width: Int
  }

  /// Takes the filters away, row by row, and hands out where each begins and goes.
  private mutating func forEachRow(_ body: (inout PixelAssembler, Int, Goal) -> Void) {
    var offset = 0
    for pass in header.passes {
      let size = header.rowSize(pass.width)
      for y in 0..<pass.height {
        let at = offset + y * (size + 1)
        guard let filter = filter(ofRowAt: at, size: size) else { return }
        Unfilter.row(
          filter, in: &filtered, at: at + 1, movedTo: at + 1, above: y > 0 ? at - size : nil, count: size,
          distance: header.filterDistance)
        let first = (pass.y + y * pass.stepY) * header.width + pass.x
        let goal = Goal(start: first * channels.rawValue, step: pass.stepX * channels.rawValue, width: pass.width)
        body(&self, at + 1, goal)
      }
      offset += pass.height * (size + 1)
    }
  }

  /// Makes the rows those of a picture of `count` bytes that are stored as they are shown.
  private mutating func unfilterInPlace(to count: Int) {
    let size = header.rowSize(header.width)
    var end = 0
    for y in 0..<header.height {
      let at = y * (size + 1)
      guard let filter = filter(ofRowAt: at, size: size) else { break }
      Unfilter.row(
        filter, in: &filtered, at: at + 1, movedTo: end, above: y > 0 ? end - size : nil, count: size,
        distance: header.filterDistance)
      end += size
    }
    filtered.removeLast(filtered.count - end)
    filtered.append(contentsOf: repeatElement(0, count: count - end))
  }

  /// The filter of a row that is there as a whole.
  private mutating func filter(ofRowAt at: Int, size: Int) -> PNGFilter? {
    guard at + 1 + size <= filtered.count else { return nil }
    guard let filter = PNGFilter(rawValue: filtered[at]) else {
      unknownFilter = filtered[at]
      return nil
    }
    return filter
  }
}

// MARK: Samples

extension PixelAssembler {
  private func convertWords(_ at: Int, _ words: inout [UInt16], _ goal: Goal) {
    let count = header.colorType.sampleCount
    let source = filtered.span
    var output = words.mutableSpan
    for x in 0..<goal.width {
      let from = at &+ x &* count &* 2, to = goal.start &+ x &* goal.step
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

  private mutating func convertBytes(_ at: Int, _ bytes: inout [UInt8], _ goal: Goal) {
    if header.colorType == .palette {
      largestIndex = max(largestIndex, convertIndices(at, &bytes, goal))
    } else if header.bitDepth < 8 {
      convertSmallGray(at, &bytes, goal)
    } else {
      convertPixels(at, &bytes, goal)
    }
  }

  private func convertPixels(_ at: Int, _ bytes: inout [UInt8], _ goal: Goal) {
    let count = header.colorType.sampleCount
    let source = filtered.span
    var output = bytes.mutableSpan
    for x in 0..<goal.width {
      let from = at &+ x &* count, to = goal.start &+ x &* goal.step
      for channel in 0..<count { output[to &+ channel] = source[from &+ channel] }
      if let clearColor {
        let isClear = (0..<count).allSatisfy { UInt16(source[from &+ $0]) == clearColor[$0] }
        output[to &+ count] = isClear ? 0 : 255
      }
    }
  }

  /// - Returns: the largest index.
  private func convertIndices(_ at: Int, _ bytes: inout [UInt8], _ goal: Goal) -> Int {
    let depth = header.bitDepth, count = channels.rawValue
    let source = filtered.span, entries = palette.span
    var output = bytes.mutableSpan
    var largest = 0
    for x in 0..<goal.width {
      let index = Self.value(source, at, x, depth), to = goal.start &+ x &* goal.step
      largest = max(largest, index)
      for channel in 0..<count { output[to &+ channel] = entries[index &* count &+ channel] }
    }
    return largest
  }

  private func convertSmallGray(_ at: Int, _ bytes: inout [UInt8], _ goal: Goal) {
    let depth = header.bitDepth
    let scale = 255 / ((1 << depth) - 1)
    let clear = clearColor.map { Int($0[0]) }
    let source = filtered.span
    var output = bytes.mutableSpan
    for x in 0..<goal.width {
      let value = Self.value(source, at, x, depth), to = goal.start &+ x &* goal.step
      output[to] = UInt8(truncatingIfNeeded: value &* scale)
      if let clear { output[to &+ 1] = value == clear ? 0 : 255 }
    }
  }

  /// Sample `x` of a row of samples of up to 8 bits, the leftmost in the highest bits (PNG, 7.2).
  @inline(__always)
  private static func value(_ source: Span<UInt8>, _ at: Int, _ x: Int, _ depth: Int) -> Int {
    let bit = x &* depth
    return Int(source[at &+ bit &>> 3]) &>> (8 &- depth &- bit & 7) & (1 &<< depth &- 1)
  }
}
