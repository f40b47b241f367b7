import LivePhotoCore
import LivePhotoHEIF

/// What accompanies a picture in its file, and what becomes of it when the picture is encoded.
struct Companions {
  /// Each in words, where nothing of it goes along.
  var names: [String] = []
  /// What a HEIC file keeps that shows the picture the same way: as it is coded.
  var carried: PictureCompanions?
  /// In words, what not even that keeps.
  var lost: [String] = []

  /// Whether alpha is among what is kept as it is coded.
  var carriesAlpha: Bool { carried?.auxiliaryImages.contains { $0.kind == .alpha } ?? false }
}

extension Companions {
  /// What accompanies a picture of a HEIF file; alpha, which is encoded anew where it is not carried, has no words.
  init(of id: HEIFItem.ID, in heif: HEIFFile) {
    var companions = PictureCompanions(of: id, in: heif)
    let kinds = companions.auxiliaryImages.map(\.kind) + companions.toneMappedImages.map { _ in .gainMap }
    var others: [String] = []
    let pictures = Self.otherPictures(than: companions)
    if pictures > 0 { others.append(pictures == 1 ? "other picture" : "\(pictures) other pictures") }
    if heif.hasSequence { others.append("image sequence") }
    if heif.hasVideo { others.append("video") }

    let whole = companions.whole(
      among: companions.auxiliaryImages.filter { !$0.urn.isEmpty }.map(\.item.id)
        + (companions.toneMappedImages + companions.thumbnails).map(\.id))
    let isHEVC = { (id: HEIFItem.ID) in heif.codings(of: id).allSatisfy { $0 == "hvc1" || $0 == "hev1" } }
    let isCarried = { (id: HEIFItem.ID) in whole.contains(id) && isHEVC(id) }
    for image in companions.auxiliaryImages where !isCarried(image.item.id) {
      let coding = isHEVC(image.item.id) ? "" : ", coded as \(Self.coding(of: image.item.id, in: heif)),"
      if let phrase = image.kind.phrase { lost.append(coding.isEmpty ? "damaged \(phrase)" : phrase + coding) }
    }
    for form in companions.toneMappedImages where !isCarried(form.id) { lost.append("tone-mapped form") }
    companions.auxiliaryImages.removeAll { !isCarried($0.item.id) }
    companions.toneMappedImages.removeAll { !isCarried($0.id) }
    companions.thumbnails.removeAll { !isCarried($0.id) }
    names =
      Set(kinds.compactMap(\.phrase)).sorted() + companions.metadata.prefix(1).map { _ in "further metadata" } + others
    lost = Set(lost).sorted() + others
    carried = companions.isEmpty ? nil : companions
  }

  private static func coding(of id: HEIFItem.ID, in heif: HEIFFile) -> String {
    heif.codings(of: id).map { $0.codingName ?? "'\($0)'" }.sorted().joined(separator: " and ")
  }

  /// Pictures of the file that are shown by themselves and are no form of this one.
  private static func otherPictures(than companions: PictureCompanions) -> Int {
    let (heif, id) = (companions.file, companions.picture)
    let forms = Set([id] + companions.thumbnails.map(\.id) + companions.toneMappedImages.map(\.id))
    return heif.items.count { item in
      !item.isHidden && !item.isMetadata && heif.codedSize(of: item.id) != nil && !forms.contains(item.id)
        && heif.targets(of: "auxl", from: item.id).isEmpty && heif.targets(of: "thmb", from: item.id).isEmpty
    }
  }
}

extension Companions {
  /// What to say of each that is left out.
  static func losses(_ names: [String]) -> [String] {
    names.map { "its \($0) \($0.hasSuffix("s") ? "were" : "was") left out" }
  }
}

extension AuxiliaryImage.Kind {
  /// How a message calls pictures of a kind; nil for alpha, which is used.
  fileprivate var phrase: String? {
    switch self {
    case .alpha: nil
    case .depth: "depth map"
    case .gainMap: "gain map"
    case .matte: "mattes"
    case .other: "auxiliary pictures"
    }
  }
}
