#if HEVC
  import LivePhotoCore
  import LivePhotoFiles
  import LivePhotoHEIC
  import LivePhotoHEIF
  import LivePhotoPNG

  extension PictureDecoder {
    /// Decodes a picture of a HEIF file to Netpbm, each band of it written before the next one is decoded.
    ///
    /// - Returns: nil where the whole picture has to be in memory: its rows change places when it is turned, or it has
    ///   alpha that the format keeps.
    /// - Throws: ``LivePhotoError``; nothing is then written.
    func decodeBands(
      of file: OpenedFile, item: PictureItem, as format: DecodedFormat, to goal: String, overwrite: Bool
    ) throws(LivePhotoError) -> DecodedReport? {
      let heif = try file.heif(limits: limits)
      if item == .primary, format.holdsAlpha, let id = heif.primaryItem?.id,
        heif.auxiliaryImages(of: id).contains(where: { $0.kind == .alpha })
      {
        return nil
      }
      let reader = HEICPictureReader(limits: limits, threads: threads)
      var bands = try reader.bands(of: file, item: item)
      guard let shown = ShownRows(bands.width, bands.height, turnsPixels ? bands.transforms : []) else { return nil }
      try OutputFile.write(to: goal, overwrite: overwrite) { (sink) throws(LivePhotoError) in
        var isFirst = true
        while true {
          let next: (raster: RasterImage, y: Int)?
          do throws(HEICError) { next = try bands.nextRaster() } catch { throw LivePhotoError(error, file: file.path) }
          guard let next else { return }
          let raster = shown.part(of: next.raster, at: next.y)
          let netpbm = format == .pam ? NetpbmFormat.pam : raster.channels.hasColor ? .ppm : .pgm
          do {
            if isFirst { try sink.append(try raster.netpbmHeader(netpbm, height: shown.rows.count)) }
            try sink.append(raster.netpbmSamples(netpbm))
          } catch let error as FileError { throw .file(error) } catch {
            throw .codec(file: file.path, reason: "\(error)")
          }
          isFirst = false
        }
      }
      return DecodedReport(
        file: goal, width: shown.columns.count, height: shown.rows.count, frames: 1,
        warnings: try reader.warnings(of: file, item: item))
    }

    /// Decodes a picture of a HEIF file to YUV4MPEG2, each band of it written to its places in the three planes.
    ///
    /// - Throws: ``LivePhotoError``; nothing is then written.
    func decodePlanes(
      of file: OpenedFile, item: PictureItem, to goal: String, overwrite: Bool
    ) throws(LivePhotoError) -> DecodedReport {
      let reader = HEICPictureReader(limits: limits, threads: threads)
      var bands = try reader.bands(of: file, item: item)
      try OutputFile.write(to: goal, overwrite: overwrite) { (sink) throws(LivePhotoError) in
        while true {
          let next: (image: PlanarImage, y: Int)?
          do throws(HEICError) { next = try bands.next() } catch { throw LivePhotoError(error, file: file.path) }
          guard let (image, y) = next else { return }
          let header = Y4MHeader(
            width: bands.width, height: bands.height, format: image.format, color: image.color)
          do {
            let head = try header.bytes() + Y4MHeader.frameLine
            if y == 0 { try sink.append(head) }
            let shift = image.format.chroma.chromaShift.y
            for (index, plane) in image.planes.enumerated() {
              let row = index == 0 ? y : y >> shift
              try sink.write(plane.packedBytes, at: head.count + header.offset(ofPlane: index, row: row))
            }
          } catch let error as FileError { throw .file(error) } catch {
            throw .codec(file: file.path, reason: "\(error)")
          }
        }
      }
      return DecodedReport(
        file: goal, width: bands.width, height: bands.height, frames: 1,
        warnings: try reader.warnings(of: file, item: item))
    }

    /// A picture of a HEIF file, made pixels as it is decoded.
    ///
    /// - Throws: ``LivePhotoError``.
    func decodePixels(of file: OpenedFile, item: PictureItem, as format: DecodedFormat) throws(LivePhotoError)
      -> (parts: [[UInt8]], width: Int, height: Int, warnings: [String])
    {
      let reader = HEICPictureReader(limits: limits, threads: threads)
      let picture = try reader.raster(of: file, item: item)
      let metadata = PNGMetadata(icc: picture.icc, colorOf: picture.color), transforms = picture.transforms
      var shown = picture.raster
      if item == .primary, format.holdsAlpha { shown = try reader.addingAlpha(of: file, to: shown) }
      if turnsPixels { shown = transforms.reduce(shown) { $1.applied(to: $0) } }
      return (
        try write(shown, format, metadata, of: file), shown.width, shown.height,
        try reader.warnings(of: file, item: item)
      )
    }
  }

  /// The part of a picture that is shown, where its rows stay in their order.
  private struct ShownRows {
    var columns: Range<Int>
    var rows: Range<Int>
    /// What remains to be done to each row: nothing, or to mirror it.
    var orientation = Orientation.up

    /// - Returns: nil where rows change places, or the picture is cropped after it is turned.
    init?(_ width: Int, _ height: Int, _ transforms: [PictureTransform]) {
      (columns, rows) = (0..<width, 0..<height)
      for (index, transform) in transforms.enumerated() {
        switch transform {
        case .orient(let next): orientation = orientation.followed(by: next)
        case .crop(let aperture):
          guard index == 0 else { return nil }
          if let area = aperture.rectangle(inWidth: width, height: height) {
            (columns, rows) = (area.x..<area.x + area.width, area.y..<area.y + area.height)
          }
        }
      }
      guard orientation == .up || orientation == .upMirrored else { return nil }
    }

    /// What is shown of a band that begins at row `y`; it may have no rows.
    func part(of band: RasterImage, at y: Int) -> RasterImage {
      let rows = rows.clamped(to: y..<y + band.height)
      guard columns.count < band.width || rows.count < band.height else { return band.turned(orientation) }
      return band.cropped(columns: columns, rows: rows.lowerBound - y..<rows.upperBound - y).turned(orientation)
    }
  }
#endif
