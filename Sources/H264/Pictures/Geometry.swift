import LivePhotoBitstream
import LivePhotoCore

/// The shape of a sequence's pictures.
struct Geometry: Equatable {
  /// The width in macroblocks.
  let width: Int
  /// The height of a frame in macroblocks.
  let height: Int
  /// How many samples of chroma there are, as decoding goes by it.
  let chroma: ChromaFormat
  /// Bits of a sample of luma.
  let lumaDepth: Int
  /// Bits of a sample of chroma.
  let chromaDepth: Int

  init(_ sps: H264SequenceParameterSet) {
    width = sps.widthInMacroblocks
    height = sps.heightInMacroblocks
    chroma = sps.format.chroma
    lumaDepth = sps.format.lumaBitDepth
    chromaDepth = chroma == .yuv400 ? lumaDepth : sps.format.chromaBitDepth
  }

  /// Macroblocks of a frame.
  var macroblocks: Int { width * height }
  /// Planes that are stored.
  var planes: Int { chroma.planeCount }
  /// Samples of a plane's row in a macroblock.
  func blockWidth(_ plane: Int) -> Int { plane == 0 ? 16 : 16 >> chroma.chromaShift.x }
  /// Rows of a plane in a macroblock.
  func blockHeight(_ plane: Int) -> Int { plane == 0 ? 16 : 16 >> chroma.chromaShift.y }
  /// Bits of a sample of a plane.
  func depth(_ plane: Int) -> Int { plane == 0 ? lumaDepth : chromaDepth }
}
