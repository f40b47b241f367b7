import LivePhotoCore

/// What is worth telling about a pair that was made.
enum PairWarnings {
  /// The loss of another maker's note.
  static func makerNote(_ edit: ContentIdentifierEdit, file: String) -> [String] {
    guard case .replacedNote(let owner) = edit else { return [] }
    return ["\(file): the MakerNote of \(owner) was replaced, as Exif holds only one"]
  }

  /// What the rules of a pair say about the source's halves that pairing itself does not mend.
  static func halves(_ photo: PhotoFacts, _ movie: MovieFacts) -> [String] {
    let concerning: Set<Rule> = [.geometryDiffers, .photoCodec, .videoCodec, .movieShort]
    return PairRules(photo: photo, movie: movie).findings
      .filter { concerning.contains($0.rule) }
      .map { "\($0.fact): \($0.why)" }
  }
}
