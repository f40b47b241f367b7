import LivePhotoCore
import LivePhotoHEIF

/// One of the pictures of a HEIF file.
public struct PictureReport: Sendable, Codable, Equatable {
  /// The number of its item.
  public var item: Int
  /// What it is to the picture that the file shows: `primary`, `thumbnail`, `alpha`, `depth`, `gain map`, a URN,
  /// `tone-mapped form`, or `picture` where it is none of these.
  public var role: String
  /// How it is coded: the type of its item, and of what it is made from.
  public var coding: String
  /// The size as stored.
  public var codedSize: DisplaySize?
  /// Bits of each channel.
  public var bitsPerChannel: [Int]?
  /// How it is turned to be shown: 1 to 8, as Exif counts.
  public var orientation: Int
  /// The rows, columns and tile size of a grid.
  public var grid: GridReport?
  /// The code points of its colours.
  public var color: ColorReport?
  /// Whether an ICC profile says its colours.
  public var hasICCProfile: Bool
}

/// Code points of colours (ITU-T H.273).
public struct ColorReport: Sendable, Codable, Equatable {
  /// Colour primaries: 1 BT.709, 9 BT.2020, 12 P3, 2 unspecified.
  public var primaries: Int
  /// Transfer characteristics: 1 BT.709, 13 sRGB, 16 PQ, 18 HLG, 2 unspecified.
  public var transfer: Int
  /// Matrix coefficients: 0 RGB, 1 BT.709, 6 BT.601, 9 BT.2020, 2 unspecified.
  public var matrix: Int
  /// Whether samples use the full range of values.
  public var isFullRange: Bool
}

/// Items of a HEIF file that belong together (ISO/IEC 14496-12, 8.18).
public struct GroupReport: Sendable, Codable, Equatable {
  /// How they do: `altr` for alternatives, `ster` for a stereo pair, and so on.
  public var type: String
  /// The numbers of the items.
  public var items: [Int]
}

extension HEIFFile {
  /// The pictures of the file: the one it shows, what accompanies that, and others that are not hidden.
  var pictureReports: [PictureReport] {
    guard let primary = primaryItem?.id else { return [] }
    let role = role(of: primary)
    var reports = [report(of: primary, as: role == "picture" ? "primary" : "primary, \(role)")]
    reports += thumbnails(of: primary).map { report(of: $0.id, as: "thumbnail") }
    reports += auxiliaryImages(of: primary).map { report(of: $0.item.id, as: $0.kind.phrase(urn: $0.urn)) }
    reports += toneMappedImages(of: primary).map { report(of: $0.id, as: "tone-mapped form") }
    let seen = Set(reports.map(\.item))
    let others = items.filter { item in
      !item.isHidden && !seen.contains(Int(item.id)) && codedSize(of: item.id) != nil
    }
    return reports + others.map { report(of: $0.id, as: self.role(of: $0.id)) }
  }

  /// What a picture is to some picture other than the primary one.
  private func role(of id: HEIFItem.ID) -> String {
    if !targets(of: "thmb", from: id).isEmpty { return "thumbnail of item \(targets(of: "thmb", from: id)[0])" }
    for target in targets(of: "auxl", from: id) {
      for image in auxiliaryImages(of: target) where image.item.id == id {
        return "\(image.kind.phrase(urn: image.urn)) of item \(target)"
      }
    }
    return "picture"
  }

  private func report(of id: HEIFItem.ID, as role: String) -> PictureReport {
    let type = item(id)?.type.description ?? "nothing"
    let first = tiles(of: id).first
    let source = first.flatMap { item($0)?.type.description }
    return PictureReport(
      item: Int(id), role: role, coding: source.map { "\(type) of \($0)" } ?? type,
      codedSize: codedSize(of: id).map { DisplaySize(width: $0.width, height: $0.height) },
      bitsPerChannel: bitsPerChannel(of: id)?.map { Int($0) }, orientation: Int(orientation(of: id).rawValue),
      grid: (try? gridLayout(of: id)).map { layout in
        let tile = first.flatMap { codedSize(of: $0) }.map { DisplaySize(width: $0.width, height: $0.height) }
        return GridReport(rows: layout.rows, columns: layout.columns, tile: tile)
      },
      color: colorDescription(of: id).map { color in
        ColorReport(
          primaries: Int(color.primaries), transfer: Int(color.transfer), matrix: Int(color.matrix),
          isFullRange: color.isFullRange)
      }, hasICCProfile: iccProfile(of: id) != nil)
  }

  /// The groups of items.
  var groupReports: [GroupReport] {
    groups.map { GroupReport(type: $0.type.description, items: $0.members.map { Int($0) }) }
  }
}

extension AuxiliaryImage.Kind {
  /// The word for it, or its URN.
  fileprivate func phrase(urn: String) -> String {
    switch self {
    case .alpha: "alpha"
    case .depth: "depth"
    case .gainMap: "gain map"
    default: urn
    }
  }
}
