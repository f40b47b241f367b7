#if HEVC
  internal import LivePhotoCore
  internal import LivePhotoHEIF

  extension HEICDecoder {
    /// Lays the pictures of an overlay over each other (ISO/IEC 23008-12, 6.6.2.2): RGB as planes G, B, R of 8 bits.
    ///
    /// Each is laid as it is shown, with its alpha; that of the canvas is not kept.
    ///
    /// - Parameter depth: the derivations that this one is inside of.
    /// - Throws: ``HEICError``.
    func decode(_ file: HEIFFile, overlay id: HEIFItem.ID, depth: Int) throws(HEICError) -> PlanarImage {
      let layout: OverlayLayout?
      do { layout = try file.overlayLayout(of: id) } catch { throw .structure(error) }
      guard let layout else { throw .structure(.missing("layout of overlay \(id)", at: Place(offset: 0))) }
      try check((layout.width, layout.height), of: id)
      try checkSources(of: id, in: file)
      var canvas = Canvas(layout)
      for (source, offset) in zip(file.tiles(of: id), layout.offsets) {
        canvas.lay(try shown(source, of: file, depth: depth + 1), at: offset)
      }
      return canvas.image
    }

    /// Bounds what one small item can make a reader decode.
    private func checkSources(of id: HEIFItem.ID, in file: HEIFFile) throws(HEICError) {
      var pixels = 0
      for source in file.tiles(of: id) {
        try check(file.codedSize(of: source), of: source)
        pixels += file.codedSize(of: source).map { $0.width * $0.height } ?? 0
        guard pixels <= limits.pixels else {
          throw .structure(
            .beyondLimit(
              "pixels that an overlay is made of", found: pixels, limit: limits.pixels,
              at: Place(offset: 0, path: ["overlay item \(id)"])))
        }
      }
    }

    /// The pixels of an item as it is shown, with its alpha where it has any; 8 bits.
    private func shown(_ id: HEIFItem.ID, of file: HEIFFile, depth: Int) throws(HEICError) -> RasterImage {
      var image = try reconstruct(file, id, depth: depth)
      image.color = color(of: id, in: file, coded: image.color)
      guard image.format.bitDepth == 8, var raster = image.raster() else {
        throw .unsupported("an overlay of a picture that is not of 8 bits, or whose colours are not known,")
      }
      if let alpha = file.auxiliaryImages(of: id).first(where: { $0.kind == .alpha })?.item.id {
        let plane = try reconstruct(file, alpha, depth: depth)
        raster =
          raster.withAlpha(
            plane.planes[0], bitDepth: plane.format.bitDepth,
            isPremultiplied: file.targets(of: "prem", from: id).contains(alpha)) ?? raster
      }
      return transforms(of: id, in: file).reduce(raster) { $1.applied(to: $0) }
    }
  }

  /// What pictures are laid over.
  private struct Canvas {
    private let width: Int
    private let height: Int
    /// Red, green and blue of each pixel.
    private var pixels: [UInt8]

    init(_ layout: OverlayLayout) {
      (width, height) = (layout.width, layout.height)
      let fill = layout.fill.prefix(3).map { UInt8($0 >> 8) }
      pixels = [UInt8](repeating: 0, count: width * height * 3)
      for index in pixels.indices { pixels[index] = fill[index % 3] }
    }

    /// Lays a picture over what there is; what reaches beyond the canvas is left out.
    mutating func lay(_ picture: RasterImage, at offset: OverlayLayout.Offset) {
      guard case .bytes(let samples) = picture.samples else { return }
      let channels = picture.channels.rawValue, colors = picture.channels.hasColor ? 3 : 1
      let columns = (offset.x..<offset.x + picture.width).clamped(to: 0..<width)
      for y in (offset.y..<offset.y + picture.height).clamped(to: 0..<height) {
        for x in columns {
          let source = ((y - offset.y) * picture.width + x - offset.x) * channels
          let target = (y * width + x) * 3
          let alpha = picture.channels.hasAlpha ? Int(samples[source + colors]) : 255
          for channel in 0..<3 {
            let above = Int(samples[source + min(channel, colors - 1)]), below = Int(pixels[target + channel])
            pixels[target + channel] = UInt8((above * alpha + below * (255 - alpha) + 127) / 255)
          }
        }
      }
    }

    /// The canvas as planes G, B, R.
    var image: PlanarImage {
      let planes = [1, 2, 0].map { channel in
        Plane(
          width: width, height: height,
          samples: .bytes(stride(from: channel, to: pixels.count, by: 3).map { pixels[$0] }))
      }
      return PlanarImage(
        width: width, height: height, format: PixelFormat(.yuv444),
        color: ColorDescription(primaries: 1, transfer: 13, matrix: 0, isFullRange: true), planes: planes)
    }
  }
#endif
