extension PlanarImage {
  /// The planes of an RGB or grey picture, of the same depth; alpha is laid over white.
  ///
  /// A chroma sample is the mean of its pixels. Grey pictures have neutral chroma, RGB ones without chroma are made
  /// grey.
  ///
  /// - Returns: nil where `color` has a matrix that is not known here, or the identity with other chroma than 4:4:4.
  public init?(_ raster: RasterImage, chroma: ChromaFormat, color: ColorDescription) {
    self.init(raster, chroma: chroma, color: color, bands: 1) { count, work in
      for index in 0..<count { work(index) }
    }
  }

  /// The same planes, converted in `bands` bands of rows, which `run` may have several threads do.
  ///
  /// - Returns: as ``init(_:chroma:color:)``.
  package init?(_ raster: RasterImage, chroma: ChromaFormat, color: ColorDescription, bands: Int, run: Runner) {
    self.init(opaque: raster.flattened(), chroma: chroma, color: color, bands: bands, run: run)
  }
}
