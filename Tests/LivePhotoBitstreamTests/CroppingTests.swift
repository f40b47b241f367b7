import LivePhotoBitstream
import LivePhotoCore
import TestSupport
import Testing

@Suite("Conformance windows of HEVC sequence parameter sets")
struct CroppingTests {
  /// An area of a set's pictures that begins and ends between samples of chroma.
  private static func area(of format: VideoFormat, _ generator: inout SplitMix64) -> PictureArea {
    let shift = format.chroma.chromaShift
    func part(_ size: Int, _ shift: Int) -> (start: Int, size: Int) {
      let start = Int.random(in: 0..<size >> shift, using: &generator)
      return (start << shift, Int.random(in: 1...(size >> shift) - start, using: &generator) << shift)
    }
    let x = part(format.codedWidth, shift.x), y = part(format.codedHeight, shift.y)
    return PictureArea(x: x.start, y: y.start, width: x.size, height: y.size)
  }

  @Test("are replaced, and nothing else, to FFmpeg too", .judged(by: .ffmpeg))
  func replacement() throws {
    var random = RandomParameterSets(seed: 12), generator = SplitMix64(seed: 13)
    // FFmpeg reads none of a stream without them.
    var units = (1...7).map { random.vps(subLayers: $0) }
    for index in 0..<60 {
      let unit = random.hevcSPS()
      let set = try HEVCSequenceParameterSet(parsing: unit.span)
      let area = Self.area(of: set.format, &generator)
      let cropped = try HEVCSequenceParameterSet.cropping(unit.span, to: area)
      var expected = set
      expected.format.area = area
      var found = try HEVCSequenceParameterSet(parsing: cropped.span)
      // It is counted from the conformance window.
      (expected.defaultDisplayWindow, found.defaultDisplayWindow) = (nil, nil)
      #expect(found == expected, "set \(index)")
      #expect(!cropped.hasStartCode, "set \(index)")
      units.append(cropped)
      let whole = PictureArea(x: 0, y: 0, width: set.format.codedWidth, height: set.format.codedHeight)
      let isSame =
        try HEVCSequenceParameterSet.cropping(cropped.span, to: whole)
        == HEVCSequenceParameterSet.cropping(unit.span, to: whole)
      #expect(isSame, "set \(index)")
      if set.format.area != whole {
        #expect(try HEVCSequenceParameterSet.cropping(cropped.span, to: set.format.area) == unit, "set \(index)")
      }
    }
    for (index, (unit, trace)) in zip(units, try SyntaxTrace.traces(of: units, codec: "hevc")).enumerated() {
      try expectSame(unit, trace, "set \(index)")
    }
  }

  @Test("that are empty, outside or within a sample of chroma are refused")
  func refusals() throws {
    var random = RandomParameterSets(seed: 14)
    for _ in 0..<20 {
      let unit = random.hevcSPS()
      let format = try HEVCSequenceParameterSet(parsing: unit.span).format
      let (width, height) = (format.codedWidth, format.codedHeight)
      var bad = [
        (0, 0, 0, height), (0, 0, width, 0), (-2, 0, width, height), (0, -2, width, height), (2, 0, width, height),
        (0, 2, width, height), (0, 0, width + 2, height), (0, 0, width, height + 2), (Int.max - 1, 0, 2, 2),
        (0, Int.min, 2, 2), (0, 0, Int.max, Int.max),
      ]
      if format.chroma.chromaShift.x > 0 { bad += [(1, 0, 2, 2), (0, 0, 1, 2)] }
      if format.chroma.chromaShift.y > 0 { bad += [(0, 1, 2, 2), (0, 0, 2, 1)] }
      for (x, y, width, height) in bad {
        #expect(throws: ParseError.self) {
          try HEVCSequenceParameterSet.cropping(
            unit.span, to: PictureArea(x: x, y: y, width: width, height: height))
        }
      }
      for cut in truncations(of: unit, count: 12) {
        _ = try? HEVCSequenceParameterSet.cropping(cut.span, to: PictureArea(x: 0, y: 0, width: 2, height: 2))
      }
    }
  }

  @Test("emulation prevention is put back as the standard asks")
  func emulationPrevention() {
    var generator = SplitMix64(seed: 15)
    for count in 0..<300 {
      let payload = (0..<count).map { _ in UInt8([0, 0, 0, 1, 2, 3, 4, 255].randomElement(using: &generator) ?? 0) }
      let inserted = EmulationPrevention.inserted(into: payload.span)
      #expect(inserted == escaped(payload))
      #expect(!inserted.hasStartCode && inserted.last != 0)
      // The byte behind a zero at the end belongs to no payload that ends in its trailing bits.
      #expect(EmulationPrevention.removed(from: inserted.span).prefix(count) == payload[...])
    }
  }
}

extension [UInt8] {
  /// Whether three bytes in a row are what a NAL unit may not hold.
  fileprivate var hasStartCode: Bool {
    indices.dropLast(2).contains { self[$0] == 0 && self[$0 + 1] == 0 && self[$0 + 2] < 3 }
  }
}
