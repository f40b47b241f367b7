#if HEVC
  public import LivePhotoCore
  internal import LivePhotoBitstream
  public import LivePhotoHEIF
  public import LivePhotoHEVC

  /// Encodes pictures as HEIC: a value, configured once and used from any thread.
  ///
  /// ```swift
  /// let plan = try HEICEncoder(quality: 80, threads: .allCores).encode(image, orientation: .right)
  /// ```
  ///
  /// x265 codes the samples as they are: no RGB in between, and the `colr` property repeats the picture's own
  /// description. libheif writes the coded items; the item graph puts them together as a grid.
  public struct HEICEncoder: Sendable, Equatable {
    /// 1 (smallest) to 100 (best); 80 is visually lossless at ordinary viewing.
    ///
    /// See ``rateFactor(quality:)``.
    public var quality: Int
    /// Whether every sample comes back as it was; ``quality`` means nothing then.
    ///
    /// RGB stays exact as 4:4:4 planes G, B, R with the identity matrix (``ColorDescription/matrix`` 0).
    public var isLossless: Bool
    /// How much work goes into the picture.
    public var preset: HEVCPreset
    /// How the picture is divided.
    public var tiles: HEICTiles
    /// How many tiles are encoded at once; the bytes do not depend on it.
    public var threads: Threads

    /// An encoder, which uses one thread unless told otherwise.
    public init(
      quality: Int = 80, isLossless: Bool = false, preset: HEVCPreset = .veryfast, tiles: HEICTiles = .standard,
      threads: Threads = .count(1)
    ) {
      self.quality = quality
      self.isLossless = isLossless
      self.preset = preset
      self.tiles = tiles
      self.threads = threads
    }

    /// The constant rate factor of a quality: 18 at 80, 4 at 100, 28.5 at 50, and straight lines between and below.
    public static func rateFactor(quality: Int) -> Double {
      let quality = Double(min(max(quality, 1), 100))
      return quality >= 80 ? 18 - (quality - 80) * 0.7 : 18 + (80 - quality) * 0.35
    }

    /// Encodes a picture; blocks until it is done.
    ///
    /// - Parameters:
    ///   - image: 8, 10 or 12 bits a sample, of any size.
    ///   - orientation: how it is turned to be shown (`irot`, `imir`).
    ///   - cleanAperture: the part that is shown, before it is turned (`clap`); nil for all of it.
    ///   - pixelAspectRatio: the shape of a pixel (`pasp`); nil for square ones.
    ///   - exif: Exif that describes it.
    ///   - xmp: an XMP packet that describes it.
    ///   - icc: an ICC profile, written beside the code points.
    ///   - companions: pictures that belong to it, such as alpha or a thumbnail.
    ///   - carried: what accompanied it in another file, which is taken over as it is coded.
    /// - Returns: the file.
    /// - Throws: ``HEICError``.
    public func encode(
      _ image: PlanarImage, orientation: Orientation = .up, cleanAperture: CleanAperture? = nil,
      pixelAspectRatio: PixelAspectRatio? = nil, exif: ExifBlock? = nil, xmp: [UInt8]? = nil, icc: [UInt8]? = nil,
      companions: [HEICCompanion] = [], carrying carried: PictureCompanions? = nil
    ) throws(HEICError) -> OutputPlan {
      guard image.width > 0, image.height > 0 else { throw .unsupported("an empty picture") }
      for companion in companions { try companion.check(besides: image) }
      var stills: [HEVCStill] = []
      var divisions: [Division] = []
      for picture in [image] + companions.map(\.image) {
        let division = try Division(of: picture, tiles: tiles)
        stills += try encode(picture, divided: division)
        divisions.append(division)
      }
      let presentation = PicturePresentation(
        color: image.color, iccProfile: icc, pixelAspectRatio: pixelAspectRatio, cleanAperture: cleanAperture,
        orientation: orientation)
      return try file(
        of: stills, divisions, presentation: presentation, exif: exif, xmp: xmp, companions: companions,
        size: (image.width, image.height), carrying: carried)
    }

    /// The file of a picture and its companions, which are coded.
    func file(
      of stills: [HEVCStill], _ divisions: [Division], presentation: PicturePresentation, exif: ExifBlock?,
      xmp: [UInt8]?, companions: [HEICCompanion] = [], size: (width: Int, height: Int),
      carrying carried: PictureCompanions? = nil
    ) throws(HEICError) -> OutputPlan {
      let file = try codedItems(stills)
      do {
        var coded = CodedPictures(file: file, divisions: divisions)
        let picture = coded.next()
        var builder = try HEIFBuilder(
          picture: picture.items, of: file, layout: picture.layout, presentation: presentation, exif: exif, xmp: xmp)
        guard let primary = builder.primaryItem else { throw HEIFBuildError.noPrimaryItem }
        for companion in companions {
          try companion.add(coded.next(), of: file, to: &builder, beside: primary, shownAs: presentation, size: size)
        }
        if let carried { try builder.add(carried, to: primary) }
        return try builder.plan()
      } catch let error as ParseError {
        throw .structure(error)
      } catch {
        throw .unsupported("\(error)")
      }
    }

    /// What libheif writes: one item for each coded picture, in their order.
    private func codedItems(_ stills: [HEVCStill]) throws(HEICError) -> HEIFFile {
      let bytes: [UInt8]
      do throws(HEVCError) {
        var writer = try CodedItemWriter()
        for still in stills { try writer.add(still) }
        bytes = try writer.finish()
      } catch { throw .coding(error) }
      do { return try HEIFFile(parsing: MemorySource(bytes)) } catch { throw .structure(error) }
    }
  }

  /// How a picture is divided into coded ones.
  public enum HEICTiles: Sendable, Equatable {
    /// Tiles of 512 × 512, as cameras write them, where the picture is larger.
    case standard
    /// Square tiles with sides of this many samples: a multiple of 64 from 64 to 8192.
    case side(Int)
    /// One coded picture.
    case none
  }
#endif
