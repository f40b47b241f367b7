import LivePhotoBitstream
import LivePhotoCore
import TestSupport
import Testing

/// What ffprobe says of a video stream, and whether a parameter set says the same.
struct ProbedStream {
  let fields: [String: String]

  /// The video streams of a file.
  static func videos(of path: String) throws -> [ProbedStream] {
    try streams(of: path).filter { $0["codec_type"] == "video" }.map(ProbedStream.init(fields:))
  }

  /// Checks all that a parameter set says; colour and shape of a sample only where no container may say otherwise.
  func expectSame(_ format: VideoFormat, profile: String, level: UInt8, hasContainer: Bool, _ comment: Comment) {
    #expect(fields["width"] == "\(format.width)", comment)
    #expect(fields["height"] == "\(format.height)", comment)
    #expect(fields["profile"] == Self.name(ofProfile: profile), comment)
    #expect(fields["level"] == "\(level)", comment)
    guard !hasContainer else {
      #expect(fields["pix_fmt"]?.replacing("yuvj", with: "yuv") == name(of: format, withRange: false), comment)
      return
    }
    #expect(fields["pix_fmt"] == name(of: format, withRange: true), comment)
    let aspect = format.pixelAspect.map { Self.reduced($0) }
    #expect(fields["sample_aspect_ratio"].flatMap { $0 == "N/A" ? nil : $0 } == aspect, comment)
    let color = format.color
    #expect(fields["color_primaries"] == Self.primaries[color.primaries], comment)
    #expect(fields["color_transfer"] == Self.transfers[color.transfer], comment)
    #expect(fields["color_space"] == Self.matrices[color.matrix], comment)
    if color.isFullRange { #expect(fields["color_range"] == "pc", comment) }
    if let location = format.chromaLocation {
      #expect(
        fields["chroma_location"] == ["left", "center", "topleft", "top", "bottomleft", "bottom"][location], comment)
    }
  }

  private func name(of format: VideoFormat, withRange: Bool) -> String {
    let isSmall = format.lumaBitDepth == 8
    let depth = isSmall ? "" : "\(format.lumaBitDepth)le"
    // FFmpeg decodes an H.264 picture of luma only into one with neutral chroma.
    let hasChroma = format.chroma != .yuv400 || fields["codec_name"] == "h264" && isSmall
    guard hasChroma else { return "gray\(depth)" }
    if format.color.matrix == 0 { return "gbrp\(depth)" }
    let letters = withRange && isSmall && format.color.isFullRange ? "yuvj" : "yuv"
    return "\(letters)\(["420", "420", "422", "444"][Int(format.chroma.rawValue)])p\(depth)"
  }

  /// FFmpeg's shorter name of a profile.
  private static func name(ofProfile name: String) -> String {
    switch name {
    case "Format Range Extensions": "Rext"
    case "Progressive High", "Constrained High": "High"
    case "CAVLC 4:4:4 Intra": "CAVLC 4:4:4"
    default: name
    }
  }

  private static func reduced(_ aspect: PixelAspectRatio) -> String {
    var (a, b) = (aspect.horizontalSpacing, aspect.verticalSpacing)
    while b != 0 { (a, b) = (b, a % b) }
    return "\(aspect.horizontalSpacing / a):\(aspect.verticalSpacing / a)"
  }

  private static let primaries: [UInt16: String] = [
    1: "bt709", 2: "unknown", 5: "bt470bg", 6: "smpte170m", 9: "bt2020", 12: "smpte432",
  ]
  private static let transfers: [UInt16: String] = [
    1: "bt709", 2: "unknown", 6: "smpte170m", 13: "iec61966-2-1", 14: "bt2020-10", 16: "smpte2084", 18: "arib-std-b67",
  ]
  private static let matrices: [UInt16: String] = [
    0: "gbr", 1: "bt709", 2: "unknown", 5: "bt470bg", 6: "smpte170m", 9: "bt2020nc",
  ]
}
