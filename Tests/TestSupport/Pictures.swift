import Foundation
public import LivePhotoCore

/// The peak signal-to-noise ratio of two equally long rows of samples in dB; infinite where they are the same.
///
/// - Precondition: both have the same, positive number of samples.
public func psnr<Sample: FixedWidthInteger>(_ a: [Sample], _ b: [Sample], peak: Int) -> Double {
  precondition(a.count == b.count && !a.isEmpty, "\(a.count) samples against \(b.count)")
  var sum = 0
  for index in a.indices {
    let difference = Int(a[index]) - Int(b[index])
    sum += difference * difference
  }
  guard sum > 0 else { return .infinity }
  return 10 * log10(Double(peak * peak) * Double(a.count) / Double(sum))
}

/// The same for two planes of one size, whatever their strides.
public func psnr(_ a: Plane, _ b: Plane, bitDepth: Int) -> Double {
  precondition((a.width, a.height) == (b.width, b.height), "planes of different sizes")
  return psnr(a.packedSamples, b.packedSamples, peak: (1 << bitDepth) - 1)
}

/// The lowest ratio among the planes of two pictures of one size and format.
public func psnr(_ a: PlanarImage, _ b: PlanarImage) -> Double {
  precondition(a.format == b.format, "pictures of different formats")
  return zip(a.planes, b.planes).map { psnr($0, $1, bitDepth: a.format.bitDepth) }.min() ?? .infinity
}

extension Plane {
  /// The samples row by row with nothing between the rows.
  public var packedSamples: [UInt16] {
    (0..<height).flatMap { y -> [UInt16] in
      let row = y * stride..<y * stride + width
      return switch samples {
      case .bytes(let bytes): bytes[row].map { UInt16($0) }
      case .words(let words): Array(words[row])
      }
    }
  }
}

/// One decoded frame of a video or a picture as FFmpeg sees it, the planes one after the other.
///
/// - Parameters:
///   - index: the frame, counted from 0 in display order.
///   - pixelFormat: FFmpeg's name: `yuv420p`, `yuv420p10le`, `rgb24`, …
/// - Throws: ``CommandError``.
public func ffmpegFrame(_ index: Int, of path: String, pixelFormat: String, judge: Judge = .ffmpeg) throws -> [UInt8] {
  // -noautorotate: the samples as they are coded; the caller turns them.
  try judge.ask(
    [
      "-v", "error", "-noautorotate", "-i", path, "-map", "0:v:0", "-vf", "select=eq(n\\,\(index))", "-fps_mode",
      "passthrough",
    ]
      + ["-frames:v", "1", "-f", "rawvideo", "-pix_fmt", pixelFormat, "-"]
  ).output
}
