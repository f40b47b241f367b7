#if HEVC
  internal import LivePhotoCore
  internal import LivePhotoHEIF

  /// How a picture is cut: into the tiles of a grid, or not at all.
  struct Division {
    /// The grid; nil where one coded picture is shown as it is.
    let layout: GridLayout?
    /// The size of each coded picture.
    let tile: (width: Int, height: Int)
    /// Where the coded pictures begin, row by row.
    let origins: [(x: Int, y: Int)]

    /// The fewest rows of 4:2:2 that a coded picture shows: libde265 1.0.11 takes a cropped row of it for two, and
    /// refuses what would then leave nothing of 64.
    private static let fewestRows422 = 33

    /// Divides a picture.
    ///
    /// HEVC cannot say an odd side where chroma is halved. Such a picture is a grid of one tile of the next even size,
    /// for all readers crop a grid to its own size but FFmpeg, which shows the tile; where `clap` crops, FFmpeg loses a
    /// column or row instead, and others tell the size without the crop.
    init(of image: PlanarImage, tiles: HEICTiles) throws(HEICError) {
      try self.init(width: image.width, height: image.height, chroma: image.format.chroma, tiles: tiles)
    }

    /// Divides a picture of which the size is known.
    init(width: Int, height: Int, chroma: ChromaFormat, tiles: HEICTiles) throws(HEICError) {
      let shift = chroma.chromaShift
      let fewestRows = chroma == .yuv422 ? Self.fewestRows422 : 1
      let whole = (
        width: ((width + (1 << shift.x) - 1) >> shift.x) << shift.x,
        height: max(fewestRows, ((height + (1 << shift.y) - 1) >> shift.y) << shift.y)
      )
      let side: Int
      switch tiles {
      case .none: side = .max
      case .standard: side = 512
      case .side(let wanted):
        guard wanted % 64 == 0, (64...8192).contains(wanted) else {
          throw .unsupported("a tile of \(wanted) samples; it is a multiple of 64 from 64 to 8192")
        }
        side = wanted
      }
      if width <= side, height <= side {
        tile = whole
        origins = [(0, 0)]
        layout =
          whole == (width, height)
          ? nil : GridLayout(rows: 1, columns: 1, width: width, height: height)
        return
      }
      guard let layout = GridLayout(covering: width, height, tileWidth: side, tileHeight: side) else {
        throw .unsupported("a grid of more than 256 rows or columns; larger tiles are needed, which")
      }
      tile = (side, side)
      self.layout = layout
      origins = (0..<layout.tileCount).map { ($0 % layout.columns * side, $0 / layout.columns * side) }
    }
  }
#endif
