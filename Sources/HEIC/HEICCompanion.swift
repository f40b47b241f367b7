#if HEVC
  public import LivePhotoCore
  internal import LivePhotoHEIF

  /// A picture that belongs to another one in its file: alpha, a depth map, a gain map, a thumbnail.
  ///
  /// ```swift
  /// let plan = try HEICEncoder().encode(image, companions: [.alpha(opacity), .thumbnail(small)])
  /// ```
  public struct HEICCompanion: Sendable {
    /// The samples, not turned: a companion is turned to be shown as its picture is.
    public var image: PlanarImage
    /// What the picture is for.
    public var role: Role
    /// An XMP packet that describes this picture, not the one that it belongs to.
    public var xmp: [UInt8]?

    /// What a companion is for.
    public enum Role: Hashable, Sendable {
      /// Opacity: one plane of full range, of the size of the picture.
      ///
      /// Whether the colours of the picture are multiplied by it already (`prem`) is said by `isPremultiplied`.
      case alpha(isPremultiplied: Bool)
      /// An auxiliary picture of any other kind, which its URN (or tag URI) tells.
      case auxiliary(urn: String)
      /// A smaller form of the picture.
      case thumbnail
    }

    /// A companion.
    public init(_ image: PlanarImage, role: Role, xmp: [UInt8]? = nil) {
      self.image = image
      self.role = role
      self.xmp = xmp
    }

    /// Opacity; its samples are taken for full range, 0 for what shines through wholly.
    public static func alpha(_ image: PlanarImage, isPremultiplied: Bool = false) -> HEICCompanion {
      var image = image
      image.color = ColorDescription(isFullRange: true)
      return HEICCompanion(image, role: .alpha(isPremultiplied: isPremultiplied))
    }

    /// A depth map.
    public static func depth(_ image: PlanarImage, xmp: [UInt8]? = nil) -> HEICCompanion {
      HEICCompanion(image, role: .auxiliary(urn: "urn:mpeg:hevc:2015:auxid:2"), xmp: xmp)
    }

    /// A gain map as Apple's cameras write it; its XMP tells version and headroom.
    public static func gainMap(_ image: PlanarImage, xmp: [UInt8]) -> HEICCompanion {
      HEICCompanion(image, role: .auxiliary(urn: "urn:com:apple:photo:2020:aux:hdrgainmap"), xmp: xmp)
    }

    /// A smaller form of the picture, for fast display.
    public static func thumbnail(_ image: PlanarImage) -> HEICCompanion { HEICCompanion(image, role: .thumbnail) }
  }

  extension HEICCompanion {
    /// Checks what the standard asks of a companion of `picture` (ISO/IEC 23008-12, 6.5.8 and 6.4.4).
    func check(besides picture: PlanarImage) throws(HEICError) {
      guard image.width > 0, image.height > 0 else { throw .unsupported("an empty picture") }
      switch role {
      case .alpha:
        guard image.format.chroma == .yuv400, image.color.isFullRange else {
          throw .unsupported("alpha that is not one plane of full range")
        }
        guard (image.width, image.height) == (picture.width, picture.height) else {
          let sizes = "\(image.width)x\(image.height) for a picture of \(picture.width)x\(picture.height)"
          throw .unsupported("alpha of \(sizes)")
        }
      case .auxiliary(let urn):
        guard !urn.isEmpty, !urn.utf8.contains(0) else {
          throw .unsupported("an auxiliary picture without a URN, or with a NUL in it,")
        }
      case .thumbnail: break
      }
    }

    /// Adds the coded picture to the graph, shown as the picture `id` is.
    func add(
      _ coded: CodedPictures.Picture, of file: HEIFFile, to builder: inout HEIFBuilder, beside id: HEIFItem.ID,
      shownAs picture: PicturePresentation, size: (width: Int, height: Int)
    ) throws(ParseError) {
      // A crop is said in samples, so it holds for a picture of the same size only.
      let isSameSize = (image.width, image.height) == (size.width, size.height)
      let presentation = PicturePresentation(
        color: image.color, iccProfile: role == .thumbnail ? picture.iccProfile : nil,
        pixelAspectRatio: picture.pixelAspectRatio, cleanAperture: isSameSize ? picture.cleanAperture : nil,
        orientation: picture.orientation)
      let item: HEIFItem.ID
      switch role {
      case .alpha(let isPremultiplied):
        item = try builder.addAuxiliaryPicture(
          coded.items, of: file, layout: coded.layout, presentation: presentation, urn: "urn:mpeg:hevc:2015:auxid:1",
          to: id)
        if isPremultiplied { builder.addReference("prem", from: id, to: [item]) }
      case .auxiliary(let urn):
        item = try builder.addAuxiliaryPicture(
          coded.items, of: file, layout: coded.layout, presentation: presentation, urn: urn, to: id)
      case .thumbnail:
        item = try builder.addThumbnail(
          coded.items, of: file, layout: coded.layout, presentation: presentation, to: id)
      }
      if let xmp { builder.addXMP(xmp, describing: item) }
    }
  }

  /// The coded items of several pictures, dealt out in the order in which they were written.
  struct CodedPictures {
    private var items: ArraySlice<HEIFItem.ID>
    private var divisions: ArraySlice<Division>

    /// The items that one picture is made of.
    struct Picture {
      let items: [HEIFItem.ID]
      /// How they are put together; nil for one that is shown as it is.
      let layout: GridLayout?
    }

    init(file: HEIFFile, divisions: [Division]) {
      items = file.items.filter { $0.type == "hvc1" }.map(\.id)[...]
      self.divisions = divisions[...]
    }

    /// The items of the next picture; none when all were dealt out.
    mutating func next() -> Picture {
      guard let division = divisions.popFirst() else { return Picture(items: [], layout: nil) }
      defer { items = items.dropFirst(division.origins.count) }
      return Picture(items: Array(items.prefix(division.origins.count)), layout: division.layout)
    }
  }
#endif
