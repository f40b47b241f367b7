#if HEVC
  internal import LivePhotoCore
  internal import LivePhotoHEIF

  extension HEICDecoder {
    /// Decodes the tiles of a grid, as many at once as there are threads, and puts them together
    /// (ISO/IEC 23008-12, 6.6.2.3).
    func decode(_ file: HEIFFile, grid id: HEIFItem.ID) throws(HEICError) -> PlanarImage {
      let grid = try grid(id, of: file)
      var decoder = try GridDecoder(grid, of: file, with: self)
      return try decoder.decode(rows: 0..<grid.layout.rows)
    }

    /// What is known of a grid before its tiles are decoded.
    ///
    /// - Throws: ``HEICError/structure(_:)`` when its parts do not fit together or it is beyond the limits.
    func grid(_ id: HEIFItem.ID, of file: HEIFFile) throws(HEICError) -> TileGrid {
      let layout: GridLayout?
      do { layout = try file.gridLayout(of: id) } catch { throw .structure(error) }
      let tiles = file.tiles(of: id)
      guard let layout, let first = tiles.first else {
        throw .structure(.missing("tiles of grid item \(id)", at: Place(offset: 0, path: ["meta", "iref"])))
      }
      try check((layout.width, layout.height), of: id)
      let place = Place(offset: 0, path: ["grid item \(id)"])
      guard let size = file.codedSize(of: first), size.width > 0, size.height > 0 else {
        throw .structure(.missing("'ispe' of the tiles", at: place))
      }
      // Tiles have to cover the grid, and none may be superfluous.
      let covers = layout.columns * size.width >= layout.width && layout.rows * size.height >= layout.height
      let isTight = (layout.columns - 1) * size.width < layout.width && (layout.rows - 1) * size.height < layout.height
      guard covers, isTight else {
        throw .structure(
          .invalid(
            "size of the grid", found: "\(layout.width)x\(layout.height)",
            expected: "what \(layout.columns) x \(layout.rows) tiles of \(size.width)x\(size.height) cover", at: place))
      }
      return TileGrid(layout: layout, tiles: tiles, tileWidth: size.width, tileHeight: size.height)
    }
  }

  /// A grid whose tiles, all of one size, cover it and are all needed.
  struct TileGrid: Sendable {
    let layout: GridLayout
    /// The tiles row by row.
    let tiles: [HEIFItem.ID]
    let tileWidth: Int
    let tileHeight: Int

    /// The rows of the picture that some rows of tiles cover.
    func pictureRows(_ rows: Range<Int>) -> Range<Int> {
      rows.lowerBound * tileHeight..<min(rows.upperBound * tileHeight, layout.height)
    }

    /// Checks that, where chroma is halved, no chroma sample belongs to two tiles.
    ///
    /// - Throws: ``HEICError/unsupported(_:)``.
    func check(_ chroma: ChromaFormat) throws(HEICError) {
      let shift = chroma.chromaShift
      guard tileWidth & ((1 << shift.x) - 1) == 0 || layout.columns == 1,
        tileHeight & ((1 << shift.y) - 1) == 0 || layout.rows == 1
      else { throw .unsupported("a grid of tiles with odd sides (\(tileWidth)x\(tileHeight)) and halved chroma") }
    }
  }
#endif
