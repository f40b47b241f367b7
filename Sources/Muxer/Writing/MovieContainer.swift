import LivePhotoCore

/// The two kinds of file that a movie is written as, which share their boxes.
public enum MovieContainer: String, Sendable, CaseIterable {
  /// QuickTime (`.mov`): brand `qt  `.
  case quickTime
  /// MPEG-4 (`.mp4`): brands of ISO/IEC 14496-12 and -14.
  case mp4
}

extension MovieContainer {
  /// The brands, as a whole box: the source's own where they are of this kind.
  func fileType(for movie: Movie) throws(MovieWriteError) -> [UInt8] {
    var writer = ByteWriter()
    guard var own = movie.fileType, own.isQuickTime == (self == .quickTime), let box = movie.topLevel.first("ftyp")
    else {
      (self == .quickTime ? FileType.quickTime : mp4Brands(for: movie)).write(to: &writer)
      return writer.bytes
    }
    guard movie.isFragmented, self == .mp4 else {
      do { return try movie.source.read(box.range) } catch { throw .header(.source(error)) }
    }
    if Self.fragmentBrands.contains(own.majorBrand) { (own.majorBrand, own.minorVersion) = ("mp42", 0) }
    own.compatibleBrands.removeAll { Self.fragmentBrands.contains($0) }
    if !own.compatibleBrands.contains(own.majorBrand) { own.compatibleBrands.insert(own.majorBrand, at: 0) }
    own.write(to: &writer)
    return writer.bytes
  }

  /// Brands that promise fragments or segments (ISO/IEC 23009-1, 23000-19).
  private static let fragmentBrands: Set<FourCC> = [
    "dash", "msdh", "msix", "sims", "risx", "lmsg", "cmfc", "cmf2", "cmff", "cmfl", "cmfs",
  ]

  private func mp4Brands(for movie: Movie) -> FileType {
    var brands: [FourCC] = ["mp42", "isom", "iso2"]
    if movie.tracks.contains(where: { $0.codec == "avc1" }) { brands.append("avc1") }
    if movie.tracks.contains(where: { track in track.edits.contains { $0.rate != 0x10000 } || track.hasSignedOffsets })
    {
      brands.append("iso4")
    }
    return FileType(majorBrand: "mp42", minorVersion: 0, compatibleBrands: brands)
  }
}

extension Track {
  /// Whether samples are composed before they are decoded, which takes version 1 of `ctts` (ISO/IEC 14496-12, 8.6.1.3).
  var hasSignedOffsets: Bool { samples.compositionRuns.contains { $0.offset < 0 } }
}
