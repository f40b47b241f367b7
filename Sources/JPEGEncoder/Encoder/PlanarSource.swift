/// Planes of 8-bit samples that are already what JPEG holds: read where they are, only the edges are copied.
struct PlanarSource: SampleSource {
  /// One plane of a component's size.
  ///
  /// Sendable by hand: the samples are only read, while their owner lends them.
  @safe struct Plane: @unchecked Sendable {
    /// Samples from row `firstRow` of the plane on.
    let samples: UnsafePointer<UInt8>
    var firstRow: Int = 0
    let width: Int, height: Int, stride: Int

    /// Row `index`, or the last one below the plane.
    func row(_ index: Int) -> UnsafePointer<UInt8> {
      // SAFETY: the index is that of a row of the plane.
      unsafe samples + (min(index, height - 1) - firstRow) * stride
    }
  }

  /// A plane for each component; of a grey picture only the first counts.
  let planes: [3 of Plane]

  func direct(_ component: Int, blockRow: Int) -> DirectRows? {
    let plane = planes[component]
    let pairs = plane.width / 16
    guard pairs > 0, (blockRow + 1) * 8 <= plane.height else { return nil }
    // SAFETY: the eight rows lie in the plane, and so do `pairs * 16` samples of each.
    return unsafe (plane.row(blockRow * 8), plane.stride, pairs)
  }

  func load(
    _ row: Int, from first: Int, _ frame: FrameLayout, to samples: UnsafeMutablePointer<UInt8>,
    scratch: UnsafeMutablePointer<UInt8>
  ) {
    for index in frame.components.indices {
      let component = frame.components[index], plane = planes[index]
      for line in 0..<8 * component.vertical {
        let blockRow = row * component.vertical + line / 8
        let direct = unsafe (direct(index, blockRow: blockRow)?.pairs ?? 0) * 16
        let skipped = max(direct, first * component.horizontal * 8)
        // SAFETY: the source row is one of the plane; the target is a row of the buffers, at least as wide.
        let from = unsafe plane.row(row * 8 * component.vertical + line)
        let to = unsafe samples + component.sampleOffset + line * component.stride
        unsafe (to + skipped).update(from: from + skipped, count: plane.width - skipped)
        unsafe extendRow(to, from: plane.width)
      }
    }
  }
}
