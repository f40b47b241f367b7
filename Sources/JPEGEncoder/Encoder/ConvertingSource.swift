import LivePhotoCore

/// Planes that need work before they are what JPEG holds: another range, matrix, depth or chroma sampling.
struct ConvertingSource: SampleSource {
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
    for index in frame.components.indices {
      let component = frame.components[index]
      let columns = first * component.horizontal * 8..<component.width
      for line in 0..<8 * component.vertical {
        let y = min(row * 8 * component.vertical + line, component.height - 1)
        // SAFETY: the target is a row of the buffers, at least as wide as the component.
        let target = unsafe samples + component.sampleOffset + line * component.stride
        if index == 0 {
          for x in columns { unsafe target[x] = level(value(0, x, y, isLuma: true)) }
        } else {
          for x in columns { unsafe target[x] = chroma(index, x, y, frame) }
        }
        unsafe extendRow(target, from: component.width)
      }
    }
  }

  /// The unrounded output at a sample of plane `index`: at full size for luma, at the planes' chroma size otherwise.
  @inline(__always)
  private func value(_ output: Int, _ x: Int, _ y: Int, isLuma: Bool) -> Int {
    var sum = 0
    for plane in 0..<count {
      let table = conversion.tables[output][plane]
      guard !table.isEmpty else { continue }
      // Luma takes the chroma sample that it shares; the same model gives the same colours back.
      let isShared = isLuma && plane > 0
      let sample = planes[plane].sample(isShared ? x >> shift.x : x, isShared ? y >> shift.y : y)
      sum += Int(table[min(sample, maximum)])
    }
    return sum
  }

  /// The mean of the source samples that one chroma sample of the frame covers, or the one that covers it.
  private func chroma(_ output: Int, _ x: Int, _ y: Int, _ frame: FrameLayout) -> UInt8 {
    let target = frame.subsampling.chromaShift
    let plane = planes[count - 1]
    let columns = covered(x, target.x - shift.x, plane.width), rows = covered(y, target.y - shift.y, plane.height)
    var sum = 0
    for row in rows {
      for column in columns { sum += value(output, column, row, isLuma: false) }
    }
    let count = columns.count * rows.count
    return level((sum * 2 + count) / (count * 2), rounded: true)
  }

  /// The source positions for one target position, `ratio` times halved (or doubled, if negative).
  private func covered(_ position: Int, _ ratio: Int, _ limit: Int) -> Range<Int> {
    guard ratio > 0 else { return position >> -ratio..<position >> -ratio + 1 }
    let first = min(position << ratio, limit - 1)
    return first..<min(first + 1 << ratio, limit)
  }

  /// A sum as a sample, rounded and kept within 0 to 255.
  private func level(_ sum: Int, rounded: Bool = false) -> UInt8 {
    UInt8(min(255, max(0, (sum + 1 << (ColorConversion.fraction - 1)) >> ColorConversion.fraction)))
  }
}
