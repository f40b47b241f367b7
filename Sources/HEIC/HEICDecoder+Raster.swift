#if HEVC
  internal import Dispatch
  public import LivePhotoCore
  public import LivePhotoHEIF
  internal import LivePhotoHEVC

  extension HEICDecoder {
    /// Decodes an item, the primary one unless told otherwise, to RGB, or grey where it has no chroma, of its own depth.
    ///
    /// The pixels are those of ``LivePhotoCore/PlanarImage/raster()`` of what ``decode(_:item:)`` gives, in less time and
    /// memory: a tile is converted by the thread that decoded it, and planes of the whole picture are not made.
    ///
    /// - Throws: ``HEICError``; ``HEICError/unsupported(_:)`` for a colour matrix that cannot be converted.
    public func decodeRaster(_ file: HEIFFile, item id: HEIFItem.ID? = nil) throws(HEICError) -> HEICRaster {
      let id = try resolve(id, in: file), base = base(of: id, in: file)
      let (transforms, icc) = (transforms(of: id, in: file), file.iccProfile(of: id))
      guard file.isHEVCGrid(base) else {
        let (raster, color) = try wholeRaster(file, item: id)
        return HEICRaster(raster: raster, color: color, transforms: transforms, icc: icc)
      }
      let grid = try grid(base, of: file)
      var decoder = try GridDecoder(grid, of: file, with: self)
      let color = color(of: id, in: file, coded: decoder.color)
      let raster = try decoder.raster(
        rows: 0..<grid.layout.rows, with: Self.converter(decoder.format, color: color))
      return HEICRaster(raster: raster, color: color, transforms: transforms, icc: icc)
    }

    /// What converts planes to RGB.
    ///
    /// - Throws: ``HEICError/unsupported(_:)``.
    static func converter(_ format: PixelFormat, color: ColorDescription) throws(HEICError) -> RGBConverter {
      if let converter = RGBConverter(format, color: color) { return converter }
      throw .unsupported("conversion to RGB from colour matrix \(color.matrix)")
    }

    /// The pixels of an item that is not a grid, and what its samples meant.
    ///
    /// - Throws: as ``decodeRaster(_:item:)``.
    func wholeRaster(_ file: HEIFFile, item id: HEIFItem.ID) throws(HEICError) -> (RasterImage, ColorDescription) {
      let base = base(of: id, in: file)
      guard file.item(base)?.isHEVC == true else {
        let image = try decode(file, item: id).image
        return (try raster(of: image), image.color)
      }
      try check(file.codedSize(of: base), of: base)
      var decoder = try coded { () throws(HEVCError) in
        try HEVCDecoder(limits: limits(ofCoded: file.codedSize(of: base)))
      }
      // SAFETY: the samples live as long as the closure.
      return try unsafe lend(file, coded: base, with: &decoder) { samples in
        Result { () throws(HEICError) in
          let color = unsafe color(of: id, in: file, coded: samples.color)
          let converter = try unsafe Self.converter(samples.format, color: color)
          return unsafe (raster(samples, with: converter), color)
        }
      }.get()
    }

    /// The pixels of a picture that is decoded already.
    ///
    /// - Throws: ``HEICError/unsupported(_:)`` for a colour matrix that cannot be converted.
    func raster(of image: PlanarImage) throws(HEICError) -> RasterImage {
      let converter = try Self.converter(image.format, color: image.color)
      // SAFETY: the samples live as long as the closure.
      guard let raster = unsafe image.withPointers({ unsafe raster($0, with: converter) }) else {
        throw .coding(.noPicture)
      }
      return raster
    }

    /// The pixels of planes, in bands on several threads.
    private func raster(_ source: PlanarPointers, with converter: RGBConverter) -> RasterImage {
      let (width, height, source) = unsafe (source.width, source.height, Lent(source))
      let bands = max(1, min(threads.number, height / Self.bandHeight))
      // Bands begin where a chroma sample does.
      let band = ((height + bands - 1) / bands + 1) & ~1
      return unsafe RasterImage(width: width, height: height, converter: converter) { pixels in
        // SAFETY: both are alive as long as the closures, and bands share no pixel.
        DispatchQueue.concurrentPerform(iterations: bands) { index in
          let rows = min(index * band, height)..<min((index + 1) * band, height)
          unsafe pixels.place(source.samples.rows(rows), x: 0, y: rows.lowerBound)
        }
      }
    }

    /// Rows for which another thread is worth its while.
    private static let bandHeight = 64
  }

  /// Samples that several threads read.
  @unsafe private struct Lent: @unchecked Sendable {
    let samples: PlanarPointers

    init(_ samples: PlanarPointers) { unsafe self.samples = unsafe samples }
  }

  /// A picture as pixels, as it is coded, and how it is to be shown.
  public struct HEICRaster: Sendable {
    /// The pixels.
    public var raster: RasterImage
    /// What the samples meant that the pixels were made of; their primaries and transfer are also the pixels'.
    public var color: ColorDescription
    /// What crops and turns the picture, in the order in which it applies.
    public var transforms: [PictureTransform]
    /// The ICC profile, where the item has one.
    public var icc: [UInt8]?
  }
#endif
