#if HEVC
  internal import CLivePhotoHEVC
  public import LivePhotoBitstream
  public import LivePhotoCore

  /// How much work x265 puts into a picture: its presets by name.
  ///
  /// For stills they are tuned: structural similarity is what counts, and the presets up to ``medium`` code large units
  /// with small transforms. The figures are for stills at equal similarity.
  public enum HEVCPreset: String, Sendable, CaseIterable {
    /// Little more than half the time of ``veryfast``, 3 % more bytes; units of 32 × 32 or more.
    case ultrafast
    /// For stills the same as ``veryfast``.
    case superfast
    /// The best quality that a second of work buys; units of 16 × 16 or more.
    case veryfast
    /// For video; for stills the same as ``veryfast``.
    case faster
    /// For video; for stills the same as ``veryfast``.
    case fast
    /// Nearly twice the time of ``veryfast``, 3 % fewer bytes.
    case medium
    /// Four times the time of ``veryfast``, 6 % fewer bytes; units of 8 × 8 or more.
    case slow
    /// For stills without gain over ``slow``.
    case slower
    /// Slower still.
    case veryslow
    /// Slowest.
    case placebo
  }

  /// Encodes pictures as HEVC (x265): a value, configured once and used from any thread.
  ///
  /// 4:2:0 comes out as Main (8 bit), Main 10, or Main Still Picture (a still of 8 bits), as the brands `heic` and
  /// `hvc1` players ask; 4:0:0, 4:2:2, 4:4:4 and 12 bits as format range extensions, there being no other profile for
  /// them. The bytes do not depend on the number of threads.
  public struct HEVCEncoder: Sendable, Equatable {
    /// How much work goes into a picture.
    public var preset: HEVCPreset
    /// The constant rate factor, 0 (best) to 51: the base quantisation parameter of every picture.
    public var rateFactor: Double
    /// Whether samples come back exactly as they were; there is no rate factor then.
    ///
    /// RGB is coded without loss as 4:4:4 planes G, B, R with the identity matrix (``ColorDescription/matrix`` 0).
    public var isLossless: Bool
    /// Whether rows of coding tree units are coded in parallel (wavefront).
    ///
    /// It costs some bytes and changes them, so it is a choice of its own: the number of threads does not imply it.
    public var isWavefront: Bool
    /// The threads of the wavefront; one without.
    public var threads: Threads

    /// An encoder.
    public init(
      rateFactor: Double, preset: HEVCPreset = .veryfast, isLossless: Bool = false, isWavefront: Bool = false,
      threads: Threads = .count(1)
    ) {
      self.rateFactor = rateFactor
      self.isLossless = isLossless
      self.preset = preset
      self.isWavefront = isWavefront
      self.threads = threads
    }

    /// The smallest width and height that x265 encodes: one coding tree unit.
    public static let smallestSide = 64

    /// Encodes one picture as an IDR picture of its own stream.
    ///
    /// It is encoded as the corner of a picture of whole coding units, to which decoders crop it.
    ///
    /// - Parameter image: of any size, even where chroma has half of the samples; 8, 10 or 12 bits. 4:2:2 of fewer than
    ///   33 rows is more than libde265 1.0.11 decodes.
    /// - Throws: ``HEVCError/unsupported(_:)`` for other pictures, ``HEVCError/library(name:code:text:)``.
    public func encodeStill(_ image: PlanarImage) throws(HEVCError) -> HEVCStill {
      let shift = image.format.chroma.chromaShift
      guard image.width > 0, image.height > 0 else { throw .unsupported("an empty picture") }
      guard image.width & ((1 << shift.x) - 1) == 0, image.height & ((1 << shift.y) - 1) == 0 else {
        throw .unsupported("a side is odd, and chroma has half of it")
      }
      let width = Self.codedSide(image.width), height = Self.codedSide(image.height)
      let isPadded = (width, height) != (image.width, image.height)
      let coded = isPadded ? image.padded(x: 0, y: 0, width: width, height: height) : image
      var config = unsafe configuration(width, height, image.format, image.color)
      unsafe config.still = 1
      var session = try unsafe HEVCEncodingSession(config, preset: preset)
      let offsets =
        isLossless ? [] : AdaptiveQuantization.offsets(of: coded.planes[0], bitDepth: coded.format.bitDepth)
      var units = try session.encode(coded, at: 0, offsets: offsets)
      units += try session.finish()
      guard units.count == 1 else { throw .library(name: "x265", code: 0, text: "one picture became \(units.count)") }
      var still = HEVCStill(
        parameterSets: session.parameterSets, accessUnit: units[0].bytes, width: image.width, height: image.height,
        format: image.format, color: image.color)
      if isPadded { try still.cropToSize() }
      return still
    }

    /// The side of what is encoded for a side of a still: whole coding units, and no less than x265 takes.
    private static func codedSide(_ side: Int) -> Int {
      let unit = LP_STILL_UNIT
      return max((side + unit - 1) / unit * unit, smallestSide)
    }

    /// Begins a stream of pictures of one size and format.
    ///
    /// - Parameters:
    ///   - rate: pictures per second.
    ///   - keyInterval: the most pictures from one IDR picture to the next, at least 2.
    ///   - bPictures: the most B pictures in a row; nil leaves it to the preset, 0 keeps pictures in order.
    /// - Throws: ``HEVCError/unsupported(_:)`` for what x265 does not take.
    public func session(
      width: Int, height: Int, format: PixelFormat, color: ColorDescription = .unspecified,
      rate: (numerator: UInt32, denominator: UInt32), keyInterval: Int = 250, bPictures: Int? = nil
    ) throws(HEVCError) -> HEVCEncodingSession {
      var config = unsafe configuration(width, height, format, color)
      unsafe config.key_interval = Int32(clamping: keyInterval)
      unsafe config.b_frames = Int32(clamping: bPictures ?? -1)
      unsafe config.rate_numerator = rate.numerator
      unsafe config.rate_denominator = rate.denominator
      return try unsafe HEVCEncodingSession(config, preset: preset)
    }

    private func configuration(
      _ width: Int, _ height: Int, _ format: PixelFormat, _ color: ColorDescription
    ) -> lp_encoder_config {
      // SAFETY: a C struct; its only pointer, the preset, is set by the session for the length of a call.
      var config = unsafe lp_encoder_config()
      unsafe config.width = Int32(clamping: width)
      unsafe config.height = Int32(clamping: height)
      unsafe config.bit_depth = Int32(format.bitDepth)
      unsafe config.chroma = lp_chroma(format.chroma)
      unsafe config.color = lp_color(color)
      unsafe config.rate_factor = rateFactor
      unsafe config.lossless = isLossless ? 1 : 0
      unsafe config.wavefront = isWavefront ? 1 : 0
      unsafe config.threads = Int32(clamping: min(threads.number, 1024))
      return unsafe config
    }
  }

  /// One coded picture with its parameter sets.
  public struct HEVCStill: Sendable, Equatable {
    /// VPS, SPS and PPS, headers included.
    public var parameterSets: [[UInt8]]
    /// The slices, each behind its length in four bytes.
    public var accessUnit: [UInt8]
    /// The width in luma samples.
    public var width: Int
    /// The height in luma samples.
    public var height: Int
    /// The layout of the samples.
    public var format: PixelFormat
    /// What the samples mean.
    public var color: ColorDescription

    /// The `hvcC` for the picture.
    ///
    /// - Throws: ``HEVCError/parse(_:)``, which would be a fault of x265's.
    public func configuration() throws(HEVCError) -> HEVCDecoderConfiguration {
      do { return try HEVCDecoderConfiguration(parameterSets: parameterSets) } catch { throw .parse(error) }
    }

    /// Makes decoders show no more than ``width`` × ``height`` samples of a larger coded picture.
    fileprivate mutating func cropToSize() throws(HEVCError) {
      let area = PictureArea(x: 0, y: 0, width: width, height: height)
      do throws(ParseError) {
        for (index, unit) in parameterSets.enumerated() where try HEVCNALUnitHeader(parsing: unit.span).type == .sps {
          parameterSets[index] = try HEVCSequenceParameterSet.cropping(unit.span, to: area)
        }
      } catch { throw .parse(error) }
    }
  }
#endif
