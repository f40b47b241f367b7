public import LivePhotoCore

/// Checks whether a still and a movie pair, and says why not.
///
/// ```swift
/// let report = try PairVerifier().verify(photo: "IMG_1.HEIC", movie: "IMG_1.MOV")
/// for finding in report.errors { print(finding.fact, finding.remedy) }
/// ```
public struct PairVerifier: Sendable {
  /// What is accepted from the files.
  public var limits: Limits

  /// A verifier.
  public init(limits: Limits = .standard) { self.limits = limits }

  /// Reads both files and applies every rule.
  ///
  /// The halves may be given in either order; nothing is written.
  ///
  /// - Throws: ``LivePhotoError`` when a file cannot be read, or the two are not one photo and one movie.
  public func verify(photo: String, movie: String) throws(LivePhotoError) -> VerificationReport {
    let halves = try OpenedHalves(photo, movie)
    let rules = PairRules(
      photo: PhotoFacts(try StillPhoto(halves.photo, limits: limits)),
      movie: MovieFacts(try halves.movie.movie(limits: limits), of: halves.movie))
    return VerificationReport(findings: rules.findings)
  }
}
