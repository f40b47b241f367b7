import LivePhotoCore

/// Planes that need work before they are what JPEG holds: another range, matrix, depth or chroma sampling.
@safe struct ConvertingSource: SampleSource {
  private let planes: [3 of PlanePointer]
  private let count: Int
  private let shift: (x: Int, y: Int)
  private let conversion: ColorConversion
  private let maximum: Int

  /// The first `count` of `planes`, 1 or 3.
  init(planes: [3 of PlanePointer], count: Int, format: PixelFormat, conversion: ColorConversion) {
    self.planes = planes
    self.count = count
    shift = format.chroma.chromaShift
    self.conversion = conversion
    maximum = format.maximum
  }

  func load(
    _ row: Int, from first: Int, _ frame: FrameLayout, to samples: UnsafeMutablePointer<UInt8>,
    scratch: UnsafeMutablePointer<UInt8>
  ) {
    switch planes[0].samples {
    case .bytes: unsafe load(row, from: first, frame, of: UInt8.self, to: samples)
    case .words: unsafe load(row, from: first, frame, of: UInt16.self, to: samples)
    }
  }

  private func load<Sample: FixedWidthInteger>(
    _ row: Int, from first: Int, _ frame: FrameLayout, of type: Sample.Type, to samples: UnsafeMutablePointer<UInt8>
  ) {
    for index in frame.components.indices {
      let component = frame.components[index]
      let columns = first * component.horizontal * 8..<component.width
      for line in 0..<8 * component.vertical {
        let y = min(row * 8 * component.vertical + line, component.height - 1)
        // SAFETY: the target is a row of the buffers, at least as wide as the component.
        let target = unsafe samples + component.sampleOffset + line * component.stride
        if index == 0 {
          unsafe luma(y, columns, of: type, to: target)
        } else {
          unsafe chroma(index, y, columns, frame.subsampling.chromaShift, of: type, to: target)
        }
        unsafe extendRow(target, from: component.width)
      }
    }
  }

  /// A row of luma, which takes the chroma sample that it shares: the same model gives the same colours back.
  private func luma<Sample: FixedWidthInteger>(
    _ y: Int, _ columns: Range<Int>, of type: Sample.Type, to target: UnsafeMutablePointer<UInt8>
  ) {
    let limit = Sample(truncatingIfNeeded: maximum), shift = shift
    // SAFETY: columns and rows lie in the planes, and a sample no table has is taken for the largest; so below.
    let first = unsafe planes[0].row(y, of: type), table = unsafe conversion.table(0, 0)
    guard count > 1, conversion.mixesLuma else {
      for x in columns { unsafe target[x] = Self.level(Self.entry(table, first[x], limit)) }
      return
    }
    let second = unsafe planes[1].row(y >> shift.y, of: type), third = unsafe planes[2].row(y >> shift.y, of: type)
    let tables = unsafe (conversion.table(0, 1), conversion.table(0, 2))
    for x in columns {
      let shared = x >> shift.x
      let chroma = unsafe Self.entry(tables.0, second[shared], limit) + Self.entry(tables.1, third[shared], limit)
      unsafe target[x] = Self.level(Self.entry(table, first[x], limit) + chroma)
    }
  }

  /// A row of chroma: the mean of the source samples that one sample of the frame covers, or the one that covers it.
  private func chroma<Sample: FixedWidthInteger>(
    _ output: Int, _ y: Int, _ columns: Range<Int>, _ target: (x: Int, y: Int), of type: Sample.Type,
    to samples: UnsafeMutablePointer<UInt8>
  ) {
    let limit = Sample(truncatingIfNeeded: maximum), isRGB = conversion.isRGB
    let tables = unsafe (conversion.table(output, 0), conversion.table(output, 1), conversion.table(output, 2))
    let rows = covered(y, target.y - shift.y, planes[count - 1].height)
    /// The output at a source sample; the first plane has a part in it only as green, which has the others' size.
    @inline(__always)
    func value(_ rows: SourceRows<Sample>, _ x: Int) -> Int {
      let sum = unsafe Self.entry(tables.1, rows.second[x], limit) + Self.entry(tables.2, rows.third[x], limit)
      return isRGB ? unsafe sum + Self.entry(tables.0, rows.first[x], limit) : sum
    }
    let first = SourceRows<Sample>(planes, rows.lowerBound)
    if target.x == shift.x, rows.count == 1 {
      for x in columns { unsafe samples[x] = Self.level(value(first, x)) }
      return
    }
    let last = SourceRows<Sample>(planes, rows.upperBound - 1), width = planes[count - 1].width
    for x in columns {
      let sources = covered(x, target.x - shift.x, width)
      var sum = 0
      for column in sources { sum += value(first, column) }
      // Chroma is halved at most once in height.
      if rows.count > 1 { for column in sources { sum += value(last, column) } }
      let count = rows.count * sources.count
      unsafe samples[x] = Self.level((sum * 2 + count) / (count * 2))
    }
  }

  /// A row of each plane; of the first it counts only where all are of one size.
  @safe private struct SourceRows<Sample> {
    let first: UnsafePointer<Sample>, second: UnsafePointer<Sample>, third: UnsafePointer<Sample>

    init(_ planes: [3 of PlanePointer], _ y: Int) {
      // SAFETY: the caller's row is one of the chroma planes, and none of them is higher than the first.
      unsafe first = planes[0].row(y, of: Sample.self)
      unsafe second = planes[1].row(y, of: Sample.self)
      unsafe third = planes[2].row(y, of: Sample.self)
    }
  }

  /// The entry for a sample.
  @inline(__always)
  private static func entry<Sample: FixedWidthInteger>(
    _ table: UnsafePointer<Int32>, _ sample: Sample, _ limit: Sample
  ) -> Int {
    // SAFETY: tables go up to the limit.
    unsafe Int(table[Int(truncatingIfNeeded: min(sample, limit))])
  }

  /// The source positions for one target position, `ratio` times halved (or doubled, if negative).
  private func covered(_ position: Int, _ ratio: Int, _ limit: Int) -> Range<Int> {
    guard ratio > 0 else { return position >> -ratio..<position >> -ratio + 1 }
    let first = min(position << ratio, limit - 1)
    return first..<min(first + 1 << ratio, limit)
  }

  /// A sum as a sample, rounded and kept within 0 to 255.
  @inline(__always)
  private static func level(_ sum: Int) -> UInt8 {
    UInt8(min(255, max(0, (sum + 1 << (ColorConversion.fraction - 1)) >> ColorConversion.fraction)))
  }
}
