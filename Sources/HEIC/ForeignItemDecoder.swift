#if HEVC
  internal import CLivePhotoHEVC
  internal import LivePhotoCore
  internal import LivePhotoHEIF
  internal import LivePhotoHEVC

  extension HEICDecoder {
    /// Decodes an item that the item graph does not, such as AVIF or an overlay, through libheif and whatever decoders
    /// it was built with.
    ///
    /// libheif wants the whole file in memory, reads its structure by itself, and may give RGB instead of the coded
    /// samples: it is the last resort.
    func decodeForeign(_ file: HEIFFile, _ id: HEIFItem.ID) throws(HEICError) -> PlanarImage {
      guard file.source.count <= limits.blobBytes else {
        throw .structure(
          .beyondLimit(
            "size of a file with a picture for libheif", found: file.source.count, limit: limits.blobBytes,
            at: Place(offset: 0)))
      }
      guard let size = file.codedSize(of: id), size.width > 0, size.height > 0 else {
        throw .structure(.missing("'ispe' property", at: Place(offset: 0, path: ["item \(id)"])))
      }
      let bytes: [UInt8]
      do throws(ParseError) {
        // The AV1 decoder behind libheif complains of nothing on standard error.
        guard try !file.ranges(of: id).isEmpty || !file.tiles(of: id).isEmpty else {
          throw ParseError.missing("data of item \(id)", at: Place(offset: 0, path: ["meta", "iloc"]))
        }
        bytes = try file.source.parseBytes(0..<file.source.count)
      } catch { throw .structure(error) }
      let image: PlanarImage
      do {
        image = try Self.decode(bytes, item: id, side: max(size.width, size.height))
      } catch {
        if file.codings(of: id).isSubset(of: ["av01", "hvc1", "hev1"]) { throw .coding(error) }
        throw Self.refusal(of: id, in: file)
      }
      // libheif may give the coded size or that of `ispe`; `clap` and turns are off.
      guard image.width >= size.width, image.height >= size.height else {
        throw .structure(
          .invalid(
            "'ispe' of item \(id)", found: "\(size.width)x\(size.height)",
            expected: "at most the coded \(image.width)x\(image.height)", at: Place(offset: 0, path: ["item \(id)"])))
      }
      return image.cropped(x: 0, y: 0, width: size.width, height: size.height)
    }

    /// Why a picture cannot be had, by the codings that libheif does not know, in words.
    private static func refusal(of id: HEIFItem.ID, in file: HEIFFile) -> HEICError {
      let codings = file.codings(of: id).map { type in
        type.codingName.map { "\($0) ('\(type)')" } ?? "type '\(type)'"
      }
      // SAFETY: libheif's version is a constant of its own.
      let version = unsafe String(cString: lp_heif_version())
      return .unsupported(
        "item \(id), a picture coded as \(codings.sorted().joined(separator: " and ")), which libheif \(version) does not "
          + "decode,")
    }

    private static func decode(_ file: [UInt8], item id: HEIFItem.ID, side: Int)
      throws(HEVCError) -> PlanarImage
    {
      var owner: OpaquePointer?
      var picture = lp_picture()
      // SAFETY: libheif uses the bytes during the call only; the samples last until their owner is closed below.
      try unsafe bridged { error in
        unsafe file.withUnsafeBufferPointer { bytes in
          unsafe lp_heif_decode(
            bytes.baseAddress, bytes.count, id, Int32(clamping: side), &owner, &picture, error)
        }
      }
      defer { unsafe lp_heif_image_close(owner) }
      return try PlanarImage(picture)
    }
  }
#endif
