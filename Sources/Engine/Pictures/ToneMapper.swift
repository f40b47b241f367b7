import LivePhotoCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Maps HDR pictures (PQ, HLG) to SDR, for formats that hold nothing else.
///
/// 1. R'G'B' become light: PQ's EOTF (SMPTE ST 2084), or HLG's inverse OETF and OOTF for a display of 1000 cd/m², of gamma
///    1.2 (ITU-R BT.2100-2, tables 4 and 5).
/// 2. The largest of R, G and B is mapped by the EETF of ITU-R BT.2390-10, 5.4.1, from the picture's peak to 203 cd/m², the
///    white of SDR in HDR (ITU-R BT.2408), with black 0; all three are scaled alike, so that hues stay.
/// 3. Light becomes that of BT.709's primaries (from BT.2020's or P3's), cut off at 0 and 1, and sRGB's curve is applied.
struct ToneMapper {
  /// The light of each sample value: cd/m² for PQ, of the scene, 0 to 1, for HLG.
  private let light: [Float]
  private let isHLG: Bool
  /// What light is multiplied by, by the square root of the largest component as a part of the peak.
  private let gains: [Float]
  private let peak: Float
  /// From the picture's primaries to BT.709's, rows of three.
  private let primaries: [Float]
  /// How much of each component is in luminance.
  private let weights: (red: Float, green: Float, blue: Float)

  /// The luminance of SDR's white, and HLG's peak, in cd/m².
  private static let white: Float = 203
  private static let nominalPeak: Float = 1000
  private static let steps = 4096

  /// sRGB's values for light of 0 to 1, in equal steps.
  private static let encoded: [UInt8] = (0...16384).map { step in
    let light = Float(step) / 16384
    let value = light <= 0.003_130_8 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055
    return UInt8(min(max((value * 255).rounded(), 0), 255))
  }

  /// A mapper for pictures of these colours; nil where they are not HDR.
  ///
  /// - Parameter peak: the brightest that a PQ picture gets, in cd/m²; 1000 where it is not known. Brighter is cut off.
  init?(_ color: ColorDescription, bitDepth: Int, peak: Int? = nil) {
    guard color.isHDR else { return nil }
    isHLG = color.transfer == 18
    let peak = isHLG ? Self.nominalPeak : Float(min(max(peak ?? Int(Self.nominalPeak), 204), 10_000))
    self.peak = peak
    let maximum = Float((1 << bitDepth) - 1), isHLG = isHLG
    light = (0..<1 << bitDepth).map { isHLG ? Self.sceneLight(Float($0) / maximum) : Self.light(Float($0) / maximum) }
    gains = (0...Self.steps).map { step in
      let root = Float(max(step, 1)) / Float(Self.steps)
      let brightest = root * root * peak
      return Self.mapped(brightest, from: peak) / brightest / Self.white
    }
    switch color.primaries {
    case 1: (primaries, weights) = ([1, 0, 0, 0, 1, 0, 0, 0, 1], (0.2126, 0.7152, 0.0722))
    case 12:
      primaries = [1.224_940, -0.224_940, 0, -0.042_057, 1.042_057, 0, -0.019_638, -0.078_636, 1.098_274]
      weights = (0.228_975, 0.691_739, 0.079_287)
    default:
      primaries = [
        1.660_491, -0.587_641, -0.072_850, -0.124_550, 1.132_900, -0.008_349, -0.018_151, -0.100_579, 1.118_730,
      ]
      weights = (0.2627, 0.6780, 0.0593)
    }
  }

  /// PQ's EOTF.
  private static func light(_ value: Float) -> Float {
    let root = pow(value, 1 / 78.843_75)
    return 10_000 * pow(max(root - 0.835_937_5, 0) / (18.851_562_5 - 18.6875 * root), 1 / 0.159_301_757_812_5)
  }

  /// PQ's inverse EOTF.
  private static func value(_ light: Float) -> Float {
    let root = pow(max(light, 0) / 10_000, 0.159_301_757_812_5)
    return pow((0.835_937_5 + 18.851_562_5 * root) / (1 + 18.6875 * root), 78.843_75)
  }

  /// HLG's inverse OETF.
  private static func sceneLight(_ value: Float) -> Float {
    value <= 0.5 ? value * value / 3 : (exp((value - 0.559_910_73) / 0.178_832_77) + 0.284_668_92) / 12
  }

  /// BT.2390's EETF, from black and a peak to black and ``white``.
  private static func mapped(_ light: Float, from peak: Float) -> Float {
    let range = value(peak), target = value(white) / range, knee = 1.5 * target - 0.5
    let level = min(value(light) / range, 1)
    guard level > knee else { return light }
    let t = (level - knee) / (1 - knee), square = t * t, cube = square * t
    let spline =
      (2 * cube - 3 * square + 1) * knee + (cube - 2 * square + t) * (1 - knee) + (3 * square - 2 * cube) * target
    return Self.light(spline * range)
  }

  /// The picture in sRGB of 8 bits; grey stays grey.
  ///
  /// - Precondition: its depth is the mapper's, and it has no alpha.
  func map(_ picture: RasterImage) -> RasterImage {
    let samples: [UInt8] =
      switch picture.samples {
      case .bytes(let bytes): map(bytes.span, channels: picture.channels.rawValue)
      case .words(let words): map(words.span, channels: picture.channels.rawValue)
      }
    return RasterImage(
      width: picture.width, height: picture.height, channels: picture.channels, samples: .bytes(samples))
  }

  private func map<Sample: FixedWidthInteger>(_ source: Span<Sample>, channels: Int) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(source.count)
    let light = light.span, gains = gains.span, encoded = Self.encoded.span, m = primaries.span
    func sample(_ light: Float) -> UInt8 { encoded[Int(min(max(light, 0), 1) * 16384 + 0.5)] }
    var index = 0
    while index + channels <= source.count {
      var red = light[Int(source[index])]
      var green = channels == 1 ? red : light[Int(source[index + 1])]
      var blue = channels == 1 ? red : light[Int(source[index + 2])]
      if isHLG {
        let luminance = weights.red * red + weights.green * green + weights.blue * blue
        let scale = peak * pow(luminance, 0.2)
        (red, green, blue) = (red * scale, green * scale, blue * scale)
      }
      let brightest = max(red, green, blue)
      let place = min(brightest / peak, 1).squareRoot() * Float(Self.steps)
      let step = min(Int(place), Self.steps - 1), part = place - Float(step)
      // What is brighter than the peak becomes white.
      let gain = (gains[step] + (gains[step + 1] - gains[step]) * part) * min(peak / max(brightest, 1e-6), 1)
      (red, green, blue) = (red * gain, green * gain, blue * gain)
      if channels == 1 {
        output.append(sample(red))
      } else {
        output.append(sample(m[0] * red + m[1] * green + m[2] * blue))
        output.append(sample(m[3] * red + m[4] * green + m[5] * blue))
        output.append(sample(m[6] * red + m[7] * green + m[8] * blue))
      }
      index += channels
    }
    return output
  }
}

extension ColorDescription {
  /// What is said where a picture of these colours becomes SDR; nil where it is SDR already.
  var toneMappingRemark: String? {
    guard isHDR else { return nil }
    return "it is HDR (\(transfer == 16 ? "PQ" : "HLG")) and was mapped to SDR for JPEG; HEIC keeps it"
  }
}
