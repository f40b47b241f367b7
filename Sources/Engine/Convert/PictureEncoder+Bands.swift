import LivePhotoCore

#if HEVC
  import LivePhotoHEIC
  import LivePhotoJPEG
  import LivePhotoPNG

  extension PictureEncoder {
    /// Encodes a PNG or JPEG picture to HEIC while it is decoded.
    ///
    /// - Returns: nil for other files, and for pictures that have to be whole before they are encoded: those that are
    ///   turned, and those with alpha.
    func encodeInBands(_ file: OpenedFile, _ encoder: StillEncoder) throws(LivePhotoError) -> Coded? {
      guard case .heic(let quality) = encoder.format else { return nil }
      let heic = encoder.heicEncoder(quality: quality)
      switch file.kind {
      case .png: return try encodePNG(file, encoder, heic)
      case .jpeg: return try encodeJPEG(file, encoder, heic)
      default: return nil
      }
    }

    private func encodePNG(_ file: OpenedFile, _ encoder: StillEncoder, _ heic: HEICEncoder)
      throws(LivePhotoError) -> Coded?
    {
      var reader: PNGBandReader
      do { reader = try PNGBandReader(file.source, limits: limits) } catch {
        throw LivePhotoError(error, file: file.path)
      }
      let description = PNGPictureDescription(reader.metadata, limits: limits)
      guard description.orientation == .up, !reader.channels.hasAlpha else { return nil }
      let (width, height) = (reader.header.width, reader.header.height)
      let depth = min(max(8, reader.header.bitDepth), RasterPicture.encodedDepth(reader.significantBits))
      let coding = try RasterCoding(
        reader.channels, bitDepth: depth, color: description.color, isLossless: encoder.isLossless, file.path)
      var metadata = description.metadata.describing(
        width: width, height: height, orientation: .up, isRedrawn: false)
      let losses = metadata.fit(encoder.format)
      let plan = try encode(with: heic, coding.format, coding.color, width, height, .up, metadata, of: file) {
        (feed) throws(LivePhotoError) in
        var isConverted = true
        do throws(PNGError) {
          try reader.readBands(of: feed.bandHeight) { band in
            let image = PlanarImage(band.reduced(to: coding.bitDepth), chroma: coding.chroma, color: coding.color)
            guard let image, feed.remainingRows > 0 else { return isConverted = image != nil }
            feed.append(image)
          }
        } catch { throw LivePhotoError(error, file: file.path) }
        if !isConverted { throw .codec(file: file.path, reason: "the picture cannot be converted to YCbCr") }
      }
      let remarks = reader.warnings.map(\.description) + description.remarks + losses
      return (plan, width, height, remarks.map { "\(file.path): \($0)" })
    }

    private func encodeJPEG(_ file: OpenedFile, _ encoder: StillEncoder, _ heic: HEICEncoder)
      throws(LivePhotoError) -> Coded?
    {
      // What is wrong with others is told where they are decoded as a whole.
      guard var reader = try? JPEGBandReader(file.source, limits: limits) else { return nil }
      let description = JPEGPictureDescription(reader.file), (width, height) = (reader.width, reader.height)
      let orientation = description.metadata.exif?.orientation ?? .up
      var metadata = description.metadata.describing(
        width: width, height: height, orientation: orientation, isRedrawn: false)
      let losses = Companions.losses(description.companions.names) + metadata.fit(encoder.format)
      let plan = try encode(with: heic, reader.format, .jfif, width, height, orientation, metadata, of: file) {
        (feed) throws(LivePhotoError) in
        do throws(JPEGError) {
          try reader.readBands(of: feed.bandHeight) { if feed.remainingRows > 0 { feed.append($0) } }
        } catch { throw LivePhotoError(error, file: file.path) }
      }
      let remarks = reader.warnings.map(\.description) + description.remarks + losses
      return (plan, width, height, remarks.map { "\(file.path): \($0)" })
    }

    /// The file of a picture whose bands `feed` appends.
    private func encode(
      with encoder: HEICEncoder, _ format: PixelFormat, _ color: ColorDescription, _ width: Int, _ height: Int,
      _ orientation: Orientation, _ metadata: PictureMetadata, of file: OpenedFile,
      feed: (inout HEICBandFeed) throws(LivePhotoError) -> Void
    ) throws(LivePhotoError) -> OutputPlan {
      var failure: LivePhotoError?
      let plan: OutputPlan
      do {
        plan = try encoder.encode(
          width: width, height: height, format: format, color: color, orientation: orientation, exif: metadata.exif,
          xmp: metadata.xmp, icc: metadata.icc
        ) { bands in
          do throws(LivePhotoError) { try feed(&bands) } catch { failure = error }
        }
      } catch { throw failure ?? .codec(file: file.path, reason: error.description) }
      // What is wrong may be found when all rows have been handed out, as rows that are missing are 0.
      if let failure { throw failure }
      return plan
    }
  }
#else
  extension PictureEncoder {
    /// Without HEVC no picture is encoded so.
    func encodeInBands(_ file: OpenedFile, _ encoder: StillEncoder) throws(LivePhotoError) -> Coded? { nil }
  }
#endif
