import Foundation
import LivePhotoCore
import LivePhotoJPEG

/// How near a JPEG file is to the picture it was made of.
enum Fidelity {
  /// The peak signal-to-noise ratio over all samples of the input, in decibels; decoded as libjpeg's accurate settings
  /// do.
  static func psnr(_ bytes: [UInt8], of subject: Subject, _ input: Input) throws -> Double {
    let picture = try JPEGDecoder(isStrict: true).decode(bytes)
    switch input {
    case .rgb:
      guard case .bytes(let rgb) = try picture.raster().samples else { return 0 }
      return decibels([(rgb, subject.rgb)])
    case .planar:
      guard let image = picture.planarImage() else { return 0 }
      return decibels(
        zip(image.planes, subject.planes).map { plane, samples in
          if case .bytes(let bytes) = plane.samples { (bytes, samples) } else { ([], samples) }
        })
    }
  }

  private static func decibels(_ pairs: [(decoded: [UInt8], original: [UInt8])]) -> Double {
    var sum = 0, count = 0
    for pair in pairs {
      guard pair.decoded.count == pair.original.count else { return 0 }
      for index in pair.decoded.indices {
        let difference = Int(pair.decoded[index]) - Int(pair.original[index])
        sum += difference * difference
      }
      count += pair.decoded.count
    }
    return sum == 0 ? 99 : 10 * log10(255 * 255 * Double(count) / Double(sum))
  }
}
