internal import Dispatch
import LivePhotoCore

extension PlanarImage {
  /// The planes of an RGB or grey picture, as ``LivePhotoCore/PlanarImage/init(_:chroma:color:)`` makes them, in bands of
  /// rows on several threads.
  init?(_ raster: RasterImage, chroma: ChromaFormat, color: ColorDescription, threads: Threads) {
    let bands = min(threads.number, raster.height / Self.bandHeight)
    self.init(raster, chroma: chroma, color: color, bands: bands) {
      DispatchQueue.concurrentPerform(iterations: $0, execute: $1)
    }
  }

  /// Rows for which another thread is worth its while.
  private static let bandHeight = 64
}
