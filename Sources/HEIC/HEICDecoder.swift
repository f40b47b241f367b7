#if HEVC
  internal import LivePhotoBitstream
  public import LivePhotoCore
  public import LivePhotoHEIF
  internal import LivePhotoHEVC

  /// Decodes the pictures of a HEIF file into exact planes: the coded YCbCr, without a detour through RGB.
  ///
  /// ```swift
  /// let file = try HEIFFile(parsing: source)
  /// let picture = try HEICDecoder(threads: .allCores).decode(file)
  /// ```
  ///
  /// HEVC items, grids and overlays of them, identity items and the base picture of `tmap` items are decoded here, items
  /// of other kinds by libheif as far as it can. A call blocks until the picture is decoded.
  public struct HEICDecoder: Sendable {
    /// How many tiles are decoded at once; the samples do not depend on it.
    public var threads: Threads
    /// What is accepted from the file.
    public var limits: Limits

    /// A decoder, which uses one thread unless told otherwise.
    public init(threads: Threads = .count(1), limits: Limits = .standard) {
      self.threads = threads
      self.limits = limits
    }

    /// Decodes an item, the primary one unless told otherwise, as it is coded: its crop and turns are left to the
    /// caller, who finds them in the result.
    ///
    /// - Throws: ``HEICError``.
    public func decode(_ file: HEIFFile, item id: HEIFItem.ID? = nil) throws(HEICError) -> HEICPicture {
      let id = try resolve(id, in: file)
      var image = try reconstruct(file, id, depth: 0)
      image.color = color(of: id, in: file, coded: image.color)
      return HEICPicture(image: image, transforms: transforms(of: id, in: file), icc: file.iccProfile(of: id))
    }

    /// The item that a caller means, which is in the file and not too large.
    func resolve(_ id: HEIFItem.ID?, in file: HEIFFile) throws(HEICError) -> HEIFItem.ID {
      guard let id = id ?? file.primaryItem?.id else {
        throw .structure(.missing("primary item", at: Place(offset: 0, path: ["meta", "pitm"])))
      }
      guard file.item(id) != nil else {
        throw .structure(.missing("item \(id)", at: Place(offset: 0, path: ["meta", "iinf"])))
      }
      try check(file.codedSize(of: id), of: id)
      return id
    }

    /// What an item's samples mean: its `colr` where it has code points, else what is coded.
    func color(of id: HEIFItem.ID, in file: HEIFFile, coded: ColorDescription) -> ColorDescription {
      guard var color = file.colorDescription(of: id) else { return coded }
      // RGB, which libheif may have made of something else, stays RGB.
      if coded.matrix == 0 { (color.matrix, color.isFullRange) = (0, coded.isFullRange) }
      return color
    }

    /// Checks a size from the file before anything of that size is allocated.
    func check(_ size: (width: Int, height: Int)?, of id: HEIFItem.ID) throws(HEICError) {
      guard let size else { return }
      let place = Place(offset: 0, path: ["item \(id)", "ispe"])
      guard size.width > 0, size.height > 0 else {
        throw .structure(
          .invalid("size", found: "\(size.width)x\(size.height)", expected: "sides above 0", at: place))
      }
      let side = max(size.width, size.height)
      guard side <= limits.pictureSide else {
        throw .structure(.beyondLimit("side of a picture", found: side, limit: limits.pictureSide, at: place))
      }
      guard size.width * size.height <= limits.pixels else {
        throw .structure(
          .beyondLimit("pixels of a picture", found: size.width * size.height, limit: limits.pixels, at: place))
      }
    }
  }

  extension HEICDecoder {
    /// What is accepted of a coded picture of which `ispe` says the size: writers may pad it and leave that to readers,
    /// but a small one, which a grid can name again and again, is not to cost as much as the largest.
    func limits(ofCoded size: (width: Int, height: Int)?) -> Limits {
      guard let size else { return limits }
      var limits = limits
      limits.codedPixels = min(limits.codedPixels, 4 * max(size.width, 64) * max(size.height, 64))
      return limits
    }
  }

  /// A decoded picture as it is coded, and how it is to be shown.
  public struct HEICPicture: Sendable {
    /// The samples.
    ///
    /// The colour is that of the item's `colr` where it has code points, else of the bitstream.
    public var image: PlanarImage
    /// What crops and turns the picture, in the order in which it applies.
    public var transforms: [PictureTransform]
    /// The ICC profile, where the item has one.
    public var icc: [UInt8]?

    /// How the whole picture is turned to be shown.
    public var orientation: Orientation {
      transforms.reduce(.up) { orientation, transform in
        if case .orient(let next) = transform { orientation.followed(by: next) } else { orientation }
      }
    }
  }

  // MARK: Items

  extension HEICDecoder {
    /// The samples of an item before its own transforms.
    func reconstruct(_ file: HEIFFile, _ id: HEIFItem.ID, depth: Int) throws(HEICError) -> PlanarImage {
      guard depth <= limits.derivationDepth else {
        throw .structure(
          .beyondLimit(
            "derivations inside derivations", found: depth, limit: limits.derivationDepth,
            at: Place(offset: 0, path: ["item \(id)"])))
      }
      try check(file.codedSize(of: id), of: id)
      switch file.item(id)?.type {
      case "hvc1", "hev1":
        var decoder = try coded { () throws(HEVCError) in
          try HEVCDecoder(limits: limits(ofCoded: file.codedSize(of: id)))
        }
        return try decode(file, coded: id, with: &decoder)
      case "grid" where file.isHEVCGrid(id):
        return try decode(file, grid: id)
      case "iden", "tmap":
        guard let base = file.tiles(of: id).first, base != id else {
          throw .structure(
            .missing("picture that item \(id) is made from", at: Place(offset: 0, path: ["meta", "iref"])))
        }
        return try reconstruct(file, base, depth: depth + 1)
      case "iovl" where file.codings(of: id).isSubset(of: ["hvc1", "hev1"]):
        return try decode(file, overlay: id, depth: depth)
      case .some: return try decodeForeign(file, id)
      case nil: throw .structure(.missing("item \(id)", at: Place(offset: 0, path: ["meta", "iinf"])))
      }
    }

    /// What crops and turns an item's samples to be shown: an identity item or a tone map shows its base as that is
    /// shown, then turned by its own properties (ISO/IEC 23008-12, 6.6.1).
    func transforms(of id: HEIFItem.ID, in file: HEIFFile) -> [PictureTransform] {
      var transforms = file.transforms(of: id)
      var item = file.item(id)
      for _ in 0..<limits.derivationDepth where item?.type == "iden" || item?.type == "tmap" {
        item = item.flatMap { file.tiles(of: $0.id).first }.flatMap { file.item($0) }
        transforms = (item.map { file.transforms(of: $0.id) } ?? []) + transforms
      }
      return transforms
    }

    /// Decodes one HEVC item, after those that it is predicted from.
    func decode(_ file: HEIFFile, coded id: HEIFItem.ID, with decoder: inout HEVCDecoder) throws(HEICError)
      -> PlanarImage
    {
      // SAFETY: the samples are copied inside the closure.
      unsafe try lend(file, coded: id, with: &decoder) { unsafe PlanarImage(copying: $0) }
    }

    /// Decodes one HEVC item, after those that it is predicted from, and lends its samples to `body`, for as long as
    /// that runs.
    @unsafe func lend<Result>(
      _ file: HEIFFile, coded id: HEIFItem.ID, with decoder: inout HEVCDecoder, _ body: (PlanarPointers) -> Result
    ) throws(HEICError) -> Result {
      let size = file.codedSize(of: id)
      let fit = { (samples: PlanarPointers) -> Swift.Result<Result, HEICError> in
        // SAFETY: the samples live as long as this closure runs.
        Swift.Result { () throws(HEICError) in unsafe body(try fitted(samples, to: size, of: id)) }
      }
      let sources = try sources(ofPredicted: id, in: file)
      guard sources.isEmpty else {
        let image = try decode(file, sources + [id], with: &decoder)
        guard let result = unsafe image.withPointers(fit) else { throw .coding(.noPicture) }
        return try result.get()
      }
      let item = try CodedItem(id, in: file)
      try item.checkStart()
      let result: Swift.Result<Result, HEICError>
      do {
        result = try unsafe decoder.withStill(
          parameterSets: item.configuration.parameterSets, sample: item.data.span,
          framing: item.configuration.framing, fit)
      } catch { throw .coding(error) }
      return try result.get()
    }

    /// The items whose pictures an item's own is predicted from, in decoding order (`pred`, ISO/IEC 23008-12, 6.4.9).
    private func sources(ofPredicted id: HEIFItem.ID, in file: HEIFFile) throws(HEICError) -> [HEIFItem.ID] {
      let sources = file.targets(of: "pred", from: id)
      guard sources.count <= limits.predictionSources else {
        throw .structure(
          .beyondLimit(
            "pictures that one is predicted from", found: sources.count, limit: limits.predictionSources,
            at: Place(offset: 0, path: ["item \(id)", "pred"])))
      }
      return sources
    }

    /// Decodes items that are predicted from those before them; gives the last one's picture.
    private func decode(_ file: HEIFFile, _ ids: [HEIFItem.ID], with decoder: inout HEVCDecoder) throws(HEICError)
      -> PlanarImage
    {
      decoder.reset()
      for (index, id) in ids.enumerated() {
        let item = try CodedItem(id, in: file)
        if index == 0 { try item.checkStart() }
        do {
          try decoder.decode(item.configuration.parameterSets)
          try decoder.decode(sample: item.data.span, framing: item.configuration.framing, tag: Int64(index))
        } catch { throw .coding(error) }
      }
      do throws(HEVCError) {
        try decoder.finish()
        while let picture = try decoder.nextPicture() {
          if let damage = picture.damage { throw HEVCError.damaged(damage) }
          if picture.tag == ids.count - 1 { return picture.image }
        }
      } catch { throw .coding(error) }
      throw .coding(.noPicture)
    }

    /// The part of a coded picture that `ispe` says it has: writers that pad it may leave the padding to readers.
    private func fitted(_ samples: PlanarPointers, to size: (width: Int, height: Int)?, of id: HEIFItem.ID)
      throws(HEICError) -> PlanarPointers
    {
      // SAFETY: what is given out is a part of what was given, and lives as long.
      guard let size, unsafe size != (samples.width, samples.height) else { return unsafe samples }
      guard unsafe size.width <= samples.width, unsafe size.height <= samples.height else {
        throw unsafe .structure(
          .invalid(
            "'ispe' of item \(id)", found: "\(size.width)x\(size.height)",
            expected: "at most the coded \(samples.width)x\(samples.height)", at: Place(offset: 0, path: ["item \(id)"])
          ))
      }
      return unsafe PlanarPointers(
        width: size.width, height: size.height, format: samples.format, color: samples.color, planes: samples.planes)
    }

    /// Runs what throws the coder's error.
    func coded<Result: ~Copyable>(_ body: () throws(HEVCError) -> Result) throws(HEICError) -> Result {
      do { return try body() } catch { throw .coding(error) }
    }
  }

  /// The bytes of a HEVC item and what is needed to decode them.
  private struct CodedItem {
    let id: HEIFItem.ID
    let configuration: HEVCDecoderConfiguration
    let data: [UInt8]

    init(_ id: HEIFItem.ID, in file: HEIFFile) throws(HEICError) {
      self.id = id
      do throws(ParseError) {
        guard let record = file.hevcConfiguration(of: id) else {
          throw ParseError.missing("'hvcC' property", at: Place(offset: 0, path: ["item \(id)"]))
        }
        var cursor = ByteCursor(record.span)
        configuration = try HEVCDecoderConfiguration(parsing: &cursor)
        data = try file.data(of: id)
      } catch { throw .structure(error) }
    }

    /// Checks that decoding can begin with the item: what refers to other pictures would come out as something else.
    func checkStart() throws(HEICError) {
      do throws(ParseError) {
        for range in try configuration.framing.units(in: data.span) {
          let unit = data.span.extracting(range)
          let header = try HEVCNALUnitHeader(parsing: unit)
          guard header.layerID == 0, header.type.isVCL else { continue }
          if header.type.isIRAP { return }
          if try isIntra(unit) { return }
          throw ParseError.missing("pictures that it is predicted from", at: Place(offset: 0, path: ["item \(id)"]))
        }
      } catch { throw .structure(error) }
    }

    /// Whether a slice is intra coded, as far as the item's configuration tells.
    private func isIntra(_ unit: Span<UInt8>) throws(ParseError) -> Bool {
      let id = try HEVCSliceHeader(parsing: unit).ppsID
      let sets = configuration.parameterSets.lazy.compactMap { try? HEVCPictureParameterSet(parsing: $0.span) }
      guard let set = sets.first(where: { $0.id == id }) else { return true }
      return try HEVCSliceHeader.isIntra(unit, with: set)
    }
  }

  extension HEIFItem {
    /// Whether the item is one coded HEVC picture.
    var isHEVC: Bool { type == "hvc1" || type == "hev1" }
  }

  extension HEIFFile {
    /// Whether an item is a grid of HEVC pictures.
    func isHEVCGrid(_ id: HEIFItem.ID) -> Bool {
      item(id)?.type == "grid" && tiles(of: id).allSatisfy { item($0)?.isHEVC ?? false }
    }
  }
#endif
