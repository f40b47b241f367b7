#if HEVC
  package import LivePhotoCore
  internal import LivePhotoHEIC
  internal import LivePhotoHEIF

  /// What a picture is decoded to.
  package enum DecodeOutput: String, Encodable, CaseIterable {
    /// Y, Cb and Cr of 4:2:0.
    case planes
    /// Interleaved RGB of 8 bits.
    case rgb
  }

  /// Our decoder, on all cores.
  package enum OurDecoder {
    package static func decode(_ source: some ByteSource, as output: DecodeOutput) throws {
      switch output {
      case .planes: _ = try decoder.decode(HEIFFile(parsing: source))
      case .rgb: _ = try raster(source)
      }
    }

    package static func raster(_ source: some ByteSource) throws -> RasterImage {
      try decoder.decodeRaster(HEIFFile(parsing: source)).raster
    }

    private static let decoder = HEICDecoder(threads: .allCores)
  }
#endif
