#if HEVC
  public import LivePhotoCore
  public import LivePhotoHEIF

  extension HEICDecoder {
    /// Opens an item, the primary one unless told otherwise, to be decoded as it is coded from top to bottom.
    ///
    /// ```swift
    /// var bands = try HEICDecoder(threads: .allCores).bands(of: file)
    /// while let band = try bands.next() { write(band.image, atRow: band.y) }
    /// ```
    ///
    /// A grid comes in bands of a row of tiles each, so that no more of it is in memory; any other picture in one.
    ///
    /// - Throws: ``HEICError``.
    public func bands(of file: HEIFFile, item id: HEIFItem.ID? = nil) throws(HEICError) -> HEICBands {
      let id = try resolve(id, in: file)
      let base = base(of: id, in: file)
      let content: HEICBands.Content
      let size: (width: Int, height: Int)
      if file.isHEVCGrid(base) {
        let grid = try grid(base, of: file)
        (content, size) = (.grid(grid), (grid.layout.width, grid.layout.height))
      } else if let coded = file.codedSize(of: base) {
        (content, size) = (.item, coded)
      } else {
        let image = try decode(file, item: id).image
        (content, size) = (.image(image), (image.width, image.height))
      }
      return HEICBands(
        width: size.width, height: size.height, transforms: transforms(of: id, in: file),
        icc: file.iccProfile(of: id), file: file, item: id, decoder: self, content: content)
    }

    /// The item that holds the samples of an identity item or a tone map.
    func base(of id: HEIFItem.ID, in file: HEIFFile) -> HEIFItem.ID {
      var id = id
      for _ in 0..<limits.derivationDepth where file.item(id)?.type == "iden" || file.item(id)?.type == "tmap" {
        id = file.tiles(of: id).first ?? id
      }
      return id
    }
  }

  /// A picture that is decoded band by band, and how it is to be shown.
  public struct HEICBands: ~Copyable {
    /// Width of the whole picture in luma samples.
    public let width: Int
    /// Height of the whole picture in luma samples.
    public let height: Int
    /// What crops and turns the picture, in the order in which it applies.
    public let transforms: [PictureTransform]
    /// The ICC profile, where the item has one.
    public let icc: [UInt8]?

    fileprivate let file: HEIFFile
    fileprivate let item: HEIFItem.ID
    fileprivate let decoder: HEICDecoder
    /// What is still to be handed out; nil when that is nothing.
    fileprivate var content: Content?
    private var grid: GridDecoder?
    private var row = 0

    fileprivate enum Content {
      case grid(TileGrid)
      case item
      case image(PlanarImage)
    }

    fileprivate init(
      width: Int, height: Int, transforms: [PictureTransform], icc: [UInt8]?, file: HEIFFile, item: HEIFItem.ID,
      decoder: HEICDecoder, content: Content
    ) {
      (self.width, self.height, self.transforms, self.icc) = (width, height, transforms, icc)
      (self.file, self.item, self.decoder, self.content) = (file, item, decoder, content)
    }

    /// The next band: its samples, and the row of the picture that it begins at; nil when there is no more.
    ///
    /// Blocks until the band is decoded. After an error there is nothing more to be had.
    ///
    /// - Throws: ``HEICError``.
    public mutating func next() throws(HEICError) -> (image: PlanarImage, y: Int)? {
      guard let content = content.take() else { return nil }
      guard case .grid(let tiles) = content else { return (try whole(content), 0) }
      let rows = try nextRow(of: tiles)
      guard var image = try grid?.decode(rows: rows) else { return nil }
      image.color = decoder.color(of: item, in: file, coded: image.color)
      return (image, advance(behind: rows, of: tiles))
    }

    /// The next band as RGB, or grey where it has no chroma: the pixels of
    /// ``LivePhotoCore/PlanarImage/raster()`` of what ``next()`` gives, in less time and memory.
    ///
    /// - Throws: ``HEICError``; ``HEICError/unsupported(_:)`` for a colour matrix that cannot be converted.
    public mutating func nextRaster() throws(HEICError) -> (raster: RasterImage, y: Int)? {
      guard let content = content.take() else { return nil }
      guard case .grid(let tiles) = content else { return (try wholeRaster(content), 0) }
      let rows = try nextRow(of: tiles)
      guard let color = grid?.color, let format = grid?.format else { return nil }
      let converter = try HEICDecoder.converter(format, color: decoder.color(of: item, in: file, coded: color))
      guard let raster = try grid?.raster(rows: rows, with: converter) else { return nil }
      return (raster, advance(behind: rows, of: tiles))
    }

    /// What is not a grid.
    private func whole(_ content: Content) throws(HEICError) -> PlanarImage {
      if case .image(let image) = content { return image }
      return try decoder.decode(file, item: item).image
    }

    /// The pixels of what is not a grid.
    private func wholeRaster(_ content: Content) throws(HEICError) -> RasterImage {
      if case .image(let image) = content { return try decoder.raster(of: image) }
      return try decoder.wholeRaster(file, item: item).0
    }

    /// The row of tiles to decode.
    private mutating func nextRow(of tiles: TileGrid) throws(HEICError) -> Range<Int> {
      if grid == nil { grid = try GridDecoder(tiles, of: file, with: decoder) }
      return row..<row + 1
    }

    /// Steps over rows of tiles that are decoded: only then is there more to be had.
    ///
    /// - Returns: the row of the picture that they begin at.
    private mutating func advance(behind rows: Range<Int>, of tiles: TileGrid) -> Int {
      row = rows.upperBound
      if row < tiles.layout.rows { content = .grid(tiles) }
      return tiles.pictureRows(rows).lowerBound
    }
  }
#endif
