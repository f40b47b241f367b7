import LivePhotoBitstream
import LivePhotoCore
import LivePhotoMuxer

/// What a sample description of video and its decoder configuration say.
public struct VideoReport: Sendable, Codable, Equatable {
  /// The profile's name, where the configuration says it.
  public var profile: String?
  /// The level's number, where the configuration says it.
  public var level: String?
  /// Bits a luma sample.
  public var bitDepth: Int?
  /// `4:2:0`, `4:2:2`, `4:4:4` or `4:0:0`.
  public var chroma: String?
  /// How many bytes say the size of a NAL unit: 1, 2 or 4.
  public var lengthBytes: Int?
  /// How the track's matrix turns the picture, 1 to 8 as Exif counts; nil for a matrix that is none of these.
  public var orientation: Int?
  /// The shape of a pixel, such as `4:3`, where the file says it.
  public var pixelAspect: String?
  /// The code points of the colours: the container's, else the video's own.
  public var color: ColorReport?
  /// Whether an ICC profile says the colours too.
  public var hasICCProfile: Bool
  /// The brightest pixel and the brightest average, in candelas a square metre.
  public var contentLight: ContentLightReport?
  /// The display that the video was graded on.
  public var masteringDisplay: MasteringDisplayReport?
  /// The Dolby Vision stream.
  public var dolbyVision: DolbyVisionReport?
  /// Whether there are further views (MV-HEVC).
  public var isMultiview: Bool
}

/// How bright a video's pictures are (CTA-861.3).
public struct ContentLightReport: Sendable, Codable, Equatable {
  /// The brightest pixel, in candelas a square metre.
  public var maximum: Int
  /// The brightest average of a picture, in candelas a square metre.
  public var maximumAverage: Int
}

/// The display that a video was graded on (SMPTE ST 2086).
public struct MasteringDisplayReport: Sendable, Codable, Equatable {
  /// The chromaticities x and y of red.
  public var red: [Double]
  /// The chromaticities x and y of green.
  public var green: [Double]
  /// The chromaticities x and y of blue.
  public var blue: [Double]
  /// The chromaticities x and y of white.
  public var white: [Double]
  /// The highest luminance, in candelas a square metre.
  public var maximumLuminance: Double
  /// The lowest luminance, in candelas a square metre.
  public var minimumLuminance: Double
}

/// A Dolby Vision stream.
public struct DolbyVisionReport: Sendable, Codable, Equatable {
  /// The profile.
  public var profile: Int
  /// The level.
  public var level: Int
  /// What the base layer is to others: 0 nothing, 1 HDR10, 2 SDR, 4 HLG.
  public var compatibility: Int
}

extension VideoReport {
  /// Nil for a description without the fixed fields of video.
  init?(_ description: SampleDescription, of track: Track) {
    guard let video = description.video else { return nil }
    let coded = CodedVideo(video, coding: description.coding)
    let aspect = video.pixelAspectRatio ?? coded.pixelAspect
    self.init(
      profile: coded.profile, level: coded.level, bitDepth: coded.bitDepth, chroma: coded.chroma,
      lengthBytes: coded.lengthBytes, orientation: track.matrix.orientation.map { Int($0.rawValue) },
      pixelAspect: aspect.map { "\($0.horizontalSpacing):\($0.verticalSpacing)" },
      color: Self.color(video, coded).map(ColorReport.init), hasICCProfile: video.hasICCProfile,
      contentLight: video.contentLight.map {
        ContentLightReport(maximum: $0.maximum, maximumAverage: $0.maximumAverage)
      },
      masteringDisplay: video.masteringDisplay.map(MasteringDisplayReport.init),
      dolbyVision: video.dolbyVision.map {
        DolbyVisionReport(profile: $0.profile, level: $0.level, compatibility: $0.compatibility)
      },
      isMultiview: video.isMultiview)
  }

  /// The container's code points, with the video's range where the container says none (`nclc`).
  private static func color(_ video: VideoDescription, _ coded: CodedVideo) -> ColorDescription? {
    for color in video.colors {
      switch color {
      case .nclx(let description): return description
      case .nclc(var description):
        description.isFullRange = coded.color?.isFullRange ?? false
        return description
      case .icc: continue
      }
    }
    return coded.color.flatMap { $0 == .unspecified ? nil : $0 }
  }
}

extension MasteringDisplayReport {
  fileprivate init(_ display: MasteringDisplay) {
    func pair(_ color: MasteringDisplay.Chromaticity) -> [Double] {
      [Double(color.x) / 50_000, Double(color.y) / 50_000]
    }
    self.init(
      red: pair(display.red), green: pair(display.green), blue: pair(display.blue), white: pair(display.white),
      maximumLuminance: Double(display.maximumLuminance) / 10_000,
      minimumLuminance: Double(display.minimumLuminance) / 10_000)
  }
}

extension VideoDescription {
  fileprivate var hasICCProfile: Bool { colors.contains { if case .icc = $0 { true } else { false } } }
}

/// What the decoder configuration of a coding says; all nil where it is not read or damaged.
private struct CodedVideo {
  var profile: String?
  var level: String?
  var bitDepth: Int?
  var chroma: String?
  var lengthBytes: Int?
  var pixelAspect: PixelAspectRatio?
  var color: ColorDescription?

  init(_ video: VideoDescription, coding: FourCC) {
    if let payload = video.configuration("avcC") {
      takeAVC(payload)
    } else if let payload = video.configuration("hvcC") {
      takeHEVC(payload)
    } else if let payload = video.configuration("av1C"), payload.count >= 3 {
      takeAV1(payload)
    } else if let payload = video.configuration("vpcC"), payload.count >= 10 {
      takeVP9(payload)
    }
  }

  private mutating func take(_ format: VideoFormat) {
    bitDepth = format.lumaBitDepth
    chroma = Self.names[Int(format.chroma.rawValue)]
    pixelAspect = format.pixelAspect
    color = format.color
  }

  private mutating func takeAVC(_ payload: [UInt8]) {
    var cursor = ByteCursor(payload.span)
    guard let configuration = try? AVCDecoderConfiguration(parsing: &cursor) else { return }
    lengthBytes = Self.lengthBytes(of: configuration.framing)
    guard let set = try? configuration.sequenceParameterSet() else { return }
    (profile, level) = (set.profileName, set.levelName)
    take(set.format)
  }

  private mutating func takeHEVC(_ payload: [UInt8]) {
    var cursor = ByteCursor(payload.span)
    guard let configuration = try? HEVCDecoderConfiguration(parsing: &cursor) else { return }
    lengthBytes = Self.lengthBytes(of: configuration.framing)
    (profile, level) = (configuration.profileTierLevel.profileName, configuration.profileTierLevel.levelName)
    (bitDepth, chroma) = (configuration.lumaBitDepth, Self.names[Int(configuration.chroma.rawValue)])
    if let set = try? configuration.sequenceParameterSet() { take(set.format) }
  }

  /// AV1 Codec ISO Media File Format Binding, 2.3.3.
  private mutating func takeAV1(_ payload: [UInt8]) {
    let index = Int(payload[1] >> 5), bits = payload[2]
    profile = ["Main", "High", "Professional"].indices.contains(index) ? ["Main", "High", "Professional"][index] : nil
    let number = Int(payload[1] & 31)
    level = "\(2 + number >> 2).\(number & 3)"
    bitDepth = bits >> 6 & 1 == 0 ? 8 : bits >> 5 & 1 == 1 ? 12 : 10
    chroma = bits >> 4 & 1 == 1 ? "4:0:0" : bits >> 3 & 1 == 0 ? "4:4:4" : bits >> 2 & 1 == 1 ? "4:2:0" : "4:2:2"
  }

  /// VP Codec ISO Media File Format Binding, "VP Codec Configuration Box".
  private mutating func takeVP9(_ payload: [UInt8]) {
    profile = "Profile \(payload[4])"
    level = "\(payload[5] / 10).\(payload[5] % 10)"
    bitDepth = Int(payload[6] >> 4)
    chroma = [0: "4:2:0", 1: "4:2:0", 2: "4:2:2", 3: "4:4:4"][payload[6] >> 1 & 7]
    color = ColorDescription(
      primaries: UInt16(payload[7]), transfer: UInt16(payload[8]), matrix: UInt16(payload[9]),
      isFullRange: payload[6] & 1 == 1)
  }

  private static func lengthBytes(of framing: NALFraming) -> Int? {
    if case .lengthPrefixed(let size) = framing { size.rawValue } else { nil }
  }

  private static let names = ["4:0:0", "4:2:0", "4:2:2", "4:4:4"]
}
