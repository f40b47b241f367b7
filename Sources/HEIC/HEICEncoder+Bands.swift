#if HEVC
  public import LivePhotoCore
  internal import LivePhotoHEIF
  internal import LivePhotoHEVC

  extension HEICEncoder {
    /// Encodes a picture while it is read: `feed` appends its rows band by band, and what is whole is encoded by other
    /// threads meanwhile.
    ///
    /// Memory holds a few bands of the picture, not all of it, where it is divided into tiles. The file is the one that
    /// ``encode(_:orientation:cleanAperture:pixelAspectRatio:exif:xmp:icc:companions:carrying:)`` makes of the whole
    /// picture. Blocks until it is done; `feed` is called once, on the calling thread.
    ///
    /// ```swift
    /// let plan = try encoder.encode(width: 4032, height: 3024, format: .yuv420, color: .jfif) { feed in
    ///   while feed.remainingRows > 0, let band = reader.next(feed.bandHeight) { feed.append(band) }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - width: columns of the picture; so `height`.
    ///   - format: chroma sampling and bits a sample of all bands.
    ///   - color: what the samples mean.
    ///   - orientation: how the picture is turned to be shown (`irot`, `imir`).
    ///   - exif: Exif that describes it.
    ///   - xmp: an XMP packet that describes it.
    ///   - icc: an ICC profile, written beside the code points.
    /// - Returns: the file.
    /// - Throws: ``HEICError``, also where `feed` has not appended all rows.
    public func encode(
      width: Int, height: Int, format: PixelFormat, color: ColorDescription, orientation: Orientation = .up,
      exif: ExifBlock? = nil, xmp: [UInt8]? = nil, icc: [UInt8]? = nil, feed: (inout HEICBandFeed) -> Void
    ) throws(HEICError) -> OutputPlan {
      guard width > 0, height > 0 else { throw .unsupported("an empty picture") }
      let division = try Division(width: width, height: height, chroma: format.chroma, tiles: tiles)
      let stills = try encode(width: width, height: height, divided: division) { queue in
        var bands = HEICBandFeed(queue, division, width: width, height: height, format: format)
        feed(&bands)
      }
      return try file(
        of: stills, [division],
        presentation: PicturePresentation(color: color, iccProfile: icc, orientation: orientation),
        exif: exif, xmp: xmp, size: (width, height))
    }

    /// Encodes the parts of a picture, as many at once as there are threads.
    func encode(_ image: PlanarImage, divided division: Division) throws(HEICError) -> [HEVCStill] {
      try encode(width: image.width, height: image.height, divided: division) { queue in
        queue.append(division.origins.indices.map { division.tile($0, of: image, firstRow: 0) })
      }
    }

    /// Encodes the parts that `feed` appends.
    ///
    /// Each part has an encoder of its own: one that is used again writes bytes that depend on what came before.
    private func encode(
      width: Int, height: Int, divided division: Division, feed: (TileQueue) -> Void
    ) throws(HEICError) -> [HEVCStill] {
      let (isSingle, tile) = (division.origins.count == 1, division.tile)
      let encoder = HEVCEncoder(
        rateFactor: Self.rateFactor(quality: quality), preset: preset, isLossless: isLossless,
        // One large picture is coded row by row at once; whether it is has to hang on the picture alone.
        isWavefront: isSingle && width * height > 512 * 512, threads: isSingle ? threads : .count(1))
      let queue = TileQueue(count: division.origins.count, threads: threads.number) { part in
        let image = part.image.padded(x: part.x, y: part.y, width: tile.width, height: tile.height)
        return Result { () throws(HEVCError) in try encoder.encodeStill(image) }
      }
      let stills: [HEVCStill?]
      do { stills = try queue.run { feed(queue) } } catch { throw .coding(error) }
      let done = stills.compactMap(\.self)
      guard done.count == stills.count else { throw .unsupported("a picture whose last rows are missing") }
      return done
    }
  }

  /// Takes the rows of a picture that is encoded while it is read.
  public struct HEICBandFeed: ~Copyable {
    /// The rows of each band but the last one, which may have fewer.
    public let bandHeight: Int
    /// The rows that are still to come; 0 as well where the encoder needs no more of them because it has failed.
    public var remainingRows: Int { queue.hasFailed ? 0 : size.height - nextRow }

    private let queue: TileQueue
    private let division: Division
    private let size: (width: Int, height: Int)
    private let format: PixelFormat
    private var nextRow = 0

    fileprivate init(_ queue: TileQueue, _ division: Division, width: Int, height: Int, format: PixelFormat) {
      self.queue = queue
      self.division = division
      self.format = format
      size = (width, height)
      bandHeight = min(division.tile.height, height)
    }

    /// Appends the next rows, which may be encoded on the calling thread where many wait already.
    ///
    /// - Precondition: the band has the picture's width and format, and ``bandHeight`` rows or all that are missing.
    public mutating func append(_ band: PlanarImage) {
      precondition(band.width == size.width && band.format == format, "a band is as wide and deep as its picture")
      precondition(band.height == min(bandHeight, size.height - nextRow), "a band has all its rows")
      let columns = (size.width + division.tile.width - 1) / division.tile.width
      let first = nextRow / bandHeight * columns
      queue.append((first..<first + columns).map { division.tile($0, of: band, firstRow: nextRow) })
      nextRow += band.height
      // One band waits while the next is read, unless there are so many threads that more are needed.
      queue.encode(untilWaiting: columns)
    }
  }

  extension Division {
    /// Part `index` of a picture, of which `image` has the rows from `firstRow` on.
    fileprivate func tile(_ index: Int, of image: PlanarImage, firstRow: Int) -> Tile {
      Tile(index: index, image: image, x: origins[index].x, y: origins[index].y - firstRow)
    }
  }
#endif
