/// A picture as the scan encoder sees it: rows of samples of each component, in whole blocks.
///
/// Threads of one call share it.
protocol SampleSource: Sendable {
  /// Writes the samples of MCU row `row` to `samples`, laid out as `frame` says and continued to the edges of blocks.
  ///
  /// MCUs before `first`, an even number, need not be written, nor what ``direct(_:blockRow:)`` gives. `scratch` is
  /// 256 bytes for the source's own use.
  func load(
    _ row: Int, from first: Int, _ frame: FrameLayout, to samples: UnsafeMutablePointer<UInt8>,
    scratch: UnsafeMutablePointer<UInt8>)

  /// The pairs of blocks at the start of a block row that can be read where they are.
  func direct(_ component: Int, blockRow: Int) -> DirectRows?
}

/// Eight rows of samples that somebody else owns, `pairs` × 16 wide.
typealias DirectRows = (samples: UnsafePointer<UInt8>, stride: Int, pairs: Int)

extension SampleSource {
  func direct(_ component: Int, blockRow: Int) -> DirectRows? { nil }
}

/// Repeats the last of `count` samples up to the next multiple of 8.
func extendRow(_ row: UnsafeMutablePointer<UInt8>, from count: Int) {
  // SAFETY: rows of the buffers are whole blocks wide, and `count` is at least 1.
  for index in count..<(count + 7) & ~7 { unsafe row[index] = row[count - 1] }
}
