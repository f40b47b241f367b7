/// Planes of 8-bit samples that are already what JPEG holds: read where they are, only the edges are copied.
struct PlanarSource: SampleSource {
  /// One plane of a component's size.
  @safe struct Plane {
    let samples: UnsafePointer<UInt8>
    let width: Int, height: Int, stride: Int
  }

  let planes: [Plane]

  func direct(_ component: Int, blockRow: Int) -> DirectRows? {
    let plane = planes[component]
    let pairs = plane.width / 16
    guard pairs > 0, (blockRow + 1) * 8 <= plane.height else { return nil }
    // SAFETY: the eight rows lie in the plane, and so do `pairs * 16` samples of each.
    return unsafe (plane.samples + blockRow * 8 * plane.stride, plane.stride, pairs)
  }

  func load(
    _ row: Int, _ frame: FrameLayout, to samples: UnsafeMutablePointer<UInt8>, scratch: UnsafeMutablePointer<UInt8>
  ) {
    for (index, component) in frame.components.enumerated() {
      let plane = planes[index]
      for line in 0..<8 * component.vertical {
        let blockRow = row * component.vertical + line / 8
        let skipped = unsafe (direct(index, blockRow: blockRow)?.pairs ?? 0) * 16
        // SAFETY: the source row is one of the plane; the target is a row of the buffers, at least as wide.
        let from = unsafe plane.samples + min(row * 8 * component.vertical + line, plane.height - 1) * plane.stride
        let to = unsafe samples + component.sampleOffset + line * component.stride
        unsafe (to + skipped).update(from: from + skipped, count: plane.width - skipped)
        unsafe extendRow(to, from: plane.width)
      }
    }
  }
}
