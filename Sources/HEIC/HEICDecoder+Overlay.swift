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
      guard let layout = try layout(of: id, in: file) else {
        throw .structure(.missing("layout of overlay \(id)", at: Place(offset: 0)))
      }
      try check((layout.width, layout.height), of: id)
      var budget = limits.pixels
      try spend(&budget, onSourcesOf: id, of: file, depth: depth)
      var canvas = Canvas(layout)
      for (source, offset) in zip(file.tiles(of: id), layout.offsets) {
        canvas.lay(try shown(source, of: file, depth: depth + 1), at: offset)
      }
      return canvas.image
    }

    /// Takes what a source costs from the pixels that all may have together: a few bytes can name one picture thousands
    /// of times, and overlays of overlays multiply.
    private func spend(
      _ budget: inout Int, on id: HEIFItem.ID, of file: HEIFFile, depth: Int
    ) throws(HEICError) {
      // Decoding refuses what is deeper.
      guard depth <= limits.derivationDepth else { return }
      let base = base(of: id, in: file)
      let layout = try layout(of: base, in: file)
      let size = layout.map { ($0.width, $0.height) } ?? file.codedSize(of: base)
      try check(size, of: base)
      budget -= max(size.map { $0.0 * $0.1 } ?? 0, Self.leastCost)
      guard budget >= 0 else {
        throw .structure(
          .beyondLimit(
            "pixels that an overlay is made of", found: limits.pixels - budget, limit: limits.pixels,
            at: Place(offset: 0, path: ["overlay item \(id)"])))
      }
      if layout != nil { try spend(&budget, onSourcesOf: base, of: file, depth: depth) }
    }

    private func spend(
      _ budget: inout Int, onSourcesOf id: HEIFItem.ID, of file: HEIFFile, depth: Int
    ) throws(HEICError) {
      for source in file.tiles(of: id) {
        try spend(&budget, on: source, of: file, depth: depth + 1)
        if let alpha = alpha(of: source, in: file) { try spend(&budget, on: alpha, of: file, depth: depth + 1) }
      }
    }

    /// Pixels that a picture counts for at least: to begin with one takes as long as some thousand pixels.
    private static var leastCost: Int { 64 * 64 }

    private func layout(of id: HEIFItem.ID, in file: HEIFFile) throws(HEICError) -> OverlayLayout? {
      do { return try file.overlayLayout(of: id) } catch { throw .structure(error) }
    }

    private func alpha(of id: HEIFItem.ID, in file: HEIFFile) -> HEIFItem.ID? {
      file.auxiliaryImages(of: id).first { $0.kind == .alpha }?.item.id
    }

    /// The pixels of an item as it is shown, with its alpha where it has any; 8 bits.
    private func shown(_ id: HEIFItem.ID, of file: HEIFFile, depth: Int) throws(HEICError) -> RasterImage {
      var image = try reconstruct(file, id, depth: depth)
      image.color = color(of: id, in: file, coded: image.color)
      guard image.format.bitDepth == 8, var raster = image.raster() else {
        throw .unsupported("an overlay of a picture that is not of 8 bits, or whose colours are not known,")
      }
      if let alpha = alpha(of: id, in: file) {
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
