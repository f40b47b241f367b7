import LivePhotoCore
import LivePhotoHEIF

/// One of the pictures of a HEIF file.
public struct PictureReport: Sendable, Codable, Equatable {
  /// The number of its item.
  public var item: Int
  /// What it is to the picture that the file shows: `primary`, `thumbnail`, `alpha`, `depth`, `gain map`, the name of
  /// a matte, a URN, `tone-mapped form`, or `picture` where it is none of these.
  public var role: String
  /// How it is coded: the type of its item, and of what it is made from.
  public var coding: String
  /// The same in words, such as `a grid of tiles, HEVC`; nil where a type is not known.
  public var codingName: String?
  /// The size as stored.
  public var codedSize: DisplaySize?
  /// The size as shown, where it differs.
  public var displaySize: DisplaySize?
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
  /// What the ICC profile calls itself.
  public var iccProfile: String?
  /// The items that a tone map, an overlay or an identity item is made from.
  public var sources: [Int]?
}

/// An item that describes others: Exif, XMP or anything else.
public struct MetadataItemReport: Sendable, Codable, Equatable {
  /// The number of the item.
  public var item: Int
  /// `Exif`, `XMP`, a MIME type or a URI.
  public var kind: String
  /// The size of its data; nil where it is not all in the file.
  public var bytes: Int?
  /// The items that it describes.
  public var describes: [Int]
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

extension ColorReport {
  init(_ color: ColorDescription) {
    self.init(
      primaries: Int(color.primaries), transfer: Int(color.transfer), matrix: Int(color.matrix),
      isFullRange: color.isFullRange)
  }
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
    let coded = codedSize(of: id), shown = displaySize(of: id)
    let isMade = ["tmap", "iovl", "iden"].contains(type)
    return PictureReport(
      item: Int(id), role: role, coding: source.map { "\(type) of \($0)" } ?? type, codingName: codingName(of: id),
      codedSize: coded.map { DisplaySize(width: $0.width, height: $0.height) },
      displaySize: shown.flatMap { size in
        coded.map { $0 == size } ?? true ? nil : DisplaySize(width: size.width, height: size.height)
      },
      bitsPerChannel: bitsPerChannel(of: id)?.map { Int($0) }, orientation: Int(orientation(of: id).rawValue),
      grid: (try? gridLayout(of: id)).map { layout in
        let tile = first.flatMap { codedSize(of: $0) }.map { DisplaySize(width: $0.width, height: $0.height) }
        return GridReport(rows: layout.rows, columns: layout.columns, tile: tile)
      },
      color: colorDescription(of: id).map(ColorReport.init), hasICCProfile: iccProfile(of: id) != nil,
      iccProfile: iccProfile(of: id).flatMap(ICCProfile.name(of:)),
      sources: isMade ? tiles(of: id).map { Int($0) } : nil)
  }

  /// How a picture is made, and how what it is made from is coded, in words.
  private func codingName(of id: HEIFItem.ID) -> String? {
    guard let item = item(id), let name = item.type.codingName else { return nil }
    guard item.isDerived else { return name }
    let codings = codings(of: id).map { $0.codingName ?? "'\($0)'" }.sorted()
    return ([name] + codings).joined(separator: ", ")
  }

  /// The items that describe others, in file order.
  var metadataReports: [MetadataItemReport] {
    items.filter(\.isMetadata).map { item in
      let kind: String
      switch item.type {
      case "Exif": kind = "Exif"
      case "mime": kind = item.isXMP ? "XMP" : item.contentType ?? "mime"
      default: kind = item.uriType ?? "uri"
      }
      return MetadataItemReport(
        item: Int(item.id), kind: kind, bytes: (try? ranges(of: item.id))?.reduce(0) { $0 + $1.count },
        describes: targets(of: "cdsc", from: item.id).map { Int($0) })
    }
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
    case .alpha: return "alpha"
    case .depth: return "depth"
    case .gainMap: return "gain map"
    case .matte(let name):
      // Apple's names: portraiteffectsmatte, semanticskinmatte, semantichairmatte and so on.
      let part = name.replacing("semantic", with: "").replacing("matte", with: "")
      return part == "portraiteffects" ? "portrait effects matte" : "\(part) matte"
    case .other: break
    }
    let name = urn.split(separator: ":").last.map(String.init) ?? ""
    switch name {
    case "linearthumbnail": return "linear thumbnail"
    case "styledeltamap": return "style delta map"
    default: return urn.isEmpty ? "auxiliary picture" : urn
    }
  }
}
