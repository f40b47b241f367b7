/// Where the blocks of a picture lie: components, their sampling, minimum coded units (MCUs; ITU-T T.81, A.2).
struct FrameLayout {
  /// One colour component and its place in the buffers of one MCU row.
  struct Component {
    /// Horizontal and vertical sampling factors.
    let horizontal: Int, vertical: Int
    /// Size in samples.
    let width: Int, height: Int
    /// Blocks that hold samples of the picture.
    let blocksWide: Int, blocksHigh: Int
    /// Blocks in a row of the buffers: whole MCUs, and an even number, since kernels work on pairs.
    let blocksPerRow: Int
    /// The quantisation and Huffman tables: 0 for luma, 1 for chroma.
    let table: Int
    /// The first sample and the first block of this component in the buffers of an MCU row.
    let sampleOffset: Int, blockOffset: Int

    /// Samples from one row of the buffer to the next.
    var stride: Int { blocksPerRow * 8 }
  }

  /// The most blocks that an MCU has here, of 4:2:0 and 4:1:1.
  static let maximumBlocksPerMCU = 6

  let width: Int
  let height: Int
  let subsampling: JPEGSubsampling
  let components: [Component]
  let mcusPerRow: Int
  let mcuRows: Int
  let blocksPerMCU: Int
  /// Samples and blocks in the buffers of an MCU row, all components together.
  let bufferSamples: Int, bufferBlocks: Int

  /// The largest sampling factors, which are luma's.
  var maximumHorizontal: Int { components[0].horizontal }
  var maximumVertical: Int { components[0].vertical }
  /// Luma rows of an MCU row.
  var rowsPerMCU: Int { 8 * maximumVertical }
  /// Where the last MCUs of a row begin that fill pairs of blocks in every component: one MCU, or two.
  var lastPair: Int { (mcusPerRow - 1) & ~1 }

  init(width: Int, height: Int, subsampling: JPEGSubsampling) {
    self.width = width
    self.height = height
    self.subsampling = subsampling
    let shift = subsampling.chromaShift
    let (h, v) = (1 << shift.x, 1 << shift.y)
    mcusPerRow = (width + 8 * h - 1) / (8 * h)
    mcuRows = (height + 8 * v - 1) / (8 * v)
    var components: [Component] = []
    var samples = 0, blocks = 0
    for index in 0..<(subsampling == .gray ? 1 : 3) {
      let sampling = index == 0 ? (h: h, v: v) : (h: 1, v: 1)
      let size = (
        width: (width * sampling.h + h - 1) / h,
        height: (height * sampling.v + v - 1) / v
      )
      let component = Component(
        horizontal: sampling.h, vertical: sampling.v, width: size.width, height: size.height,
        blocksWide: (size.width + 7) / 8, blocksHigh: (size.height + 7) / 8,
        blocksPerRow: (mcusPerRow * sampling.h + 1) & ~1, table: index == 0 ? 0 : 1,
        sampleOffset: samples, blockOffset: blocks)
      samples += component.blocksPerRow * 64 * sampling.v
      blocks += component.blocksPerRow * sampling.v
      components.append(component)
    }
    self.components = components
    blocksPerMCU = components.reduce(0) { $0 + $1.horizontal * $1.vertical }
    bufferSamples = samples
    bufferBlocks = blocks
  }
}
