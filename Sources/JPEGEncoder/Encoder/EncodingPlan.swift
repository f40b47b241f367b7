import LivePhotoCore
import LivePhotoJPEGKernels

/// What a picture is encoded to, apart from its samples: pictures of one kind share an ``EncodingPlan``.
struct PictureKind: Equatable {
  let encoder: JPEGEncoder
  let width: Int, height: Int
  let subsampling: JPEGSubsampling
  let metadata: JPEGMetadata
  /// The format and colour of planes; nil for interleaved pixels.
  var planes: PlaneKind?

  /// How the samples of planes are to be read.
  struct PlaneKind: Equatable {
    let format: PixelFormat
    let color: ColorDescription
  }
}

/// Everything that is checked and built before the first sample of a picture is read; never changed afterwards.
///
/// Sendable by hand: the memory of its transform is written in `init` and only read from then on.
final class EncodingPlan: @unchecked Sendable {
  let kind: PictureKind
  let kernels: KernelSet
  let frame: FrameLayout
  let transform: BlockTransform
  /// From planes to what JPEG holds; nil where the samples are that already.
  let conversion: ColorConversion?
  private let header: FileHeader
  private let opening: [UInt8]
  private let standardScan: [UInt8]
  /// MCUs between restarts; as good as endless without.
  private let restartInterval: Int

  init(_ kind: PictureKind, kernels: KernelSet) throws(JPEGError) {
    let encoder = kind.encoder
    guard (1...100).contains(encoder.quality) else { throw .qualityOutOfRange(encoder.quality) }
    let sides = 1...JPEGEncoder.maximumSide
    guard sides.contains(kind.width), sides.contains(kind.height) else {
      throw .sizeOutOfRange(width: kind.width, height: kind.height)
    }
    self.kind = kind
    self.kernels = kernels
    frame = FrameLayout(width: kind.width, height: kind.height, subsampling: kind.subsampling)
    let quantization = encoder.quantizationTables
    transform = BlockTransform(quantization, kernels: kernels)
    if let planes = kind.planes {
      conversion = try ColorConversion(planes.color, planes.format)
    } else {
      conversion = nil
    }
    let interval = try encoder.restartInterval?.mcus(mcusPerRow: frame.mcusPerRow)
    restartInterval = interval ?? .max
    header = FileHeader(frame: frame, quantization: quantization, restartInterval: interval)
    opening = try header.opening(kind.metadata)
    standardScan = header.scan(.standard)
  }

  /// Appends everything that comes before the entropy-coded data.
  func writeHeader(_ tables: HuffmanTables?, to output: inout [UInt8]) {
    output += opening
    output += tables.map { header.scan($0) } ?? standardScan
  }

  /// Whether a restart comes before MCU `mcu` of the scan.
  func isRestart(_ mcu: Int) -> Bool { mcu > 0 && mcu % restartInterval == 0 }

  /// The MCUs from `mcu` on until the next restart.
  func untilRestart(_ mcu: Int) -> Int { restartInterval - mcu % restartInterval }
}

extension JPEGEncoder {
  /// The tables of luma and chroma.
  fileprivate var quantizationTables: [QuantizationTable] {
    if let quantization {
      return [QuantizationTable(values: quantization.luma), QuantizationTable(values: quantization.chroma)]
    }
    return [.standard(.luma, quality: quality), .standard(.chroma, quality: quality)]
  }
}
