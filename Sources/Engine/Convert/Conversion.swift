/// Which picture of a HEIF file is meant.
public enum PictureItem: Sendable, Equatable {
  /// The primary picture, which every reader shows.
  case primary
  /// Its first thumbnail.
  case thumbnail
  /// Its alpha plane.
  case alpha
  /// Its depth map.
  case depth
  /// Its gain map.
  case gainMap
  /// An item by its number.
  case id(UInt32)
}

/// How many chroma samples a JPEG picture holds for its luma samples.
public enum ChromaSampling: String, Sendable, Equatable, CaseIterable {
  /// Chroma of full size.
  case yuv444 = "444"
  /// Chroma of half width.
  case yuv422 = "422"
  /// Chroma of half width and half height.
  case yuv420 = "420"
  /// Chroma of a quarter of the width.
  case yuv411 = "411"
  /// No chroma.
  case gray
}

/// The kinds of file that ``PictureDecoder`` writes.
public enum DecodedFormat: String, Sendable, Equatable, CaseIterable {
  /// PPM, or PGM for grey: 8 bits, or 16 where the picture has more.
  case ppm
  /// PAM: as ``ppm``, and with the picture's alpha.
  case pam
  /// PNG: 8 bits, or 16 where the picture has more, with the picture's alpha and ICC profile.
  case png
  /// YUV4MPEG2: the planes as they are; every frame of a movie.
  case y4m

  /// Whether alpha is kept.
  var holdsAlpha: Bool { self == .pam || self == .png }
}
