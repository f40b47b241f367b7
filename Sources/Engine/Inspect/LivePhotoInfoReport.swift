import LivePhotoCore
import LivePhotoMuxer

/// What the samples of a camera's `live-photo-info` track say together.
public struct LivePhotoInfoReport: Sendable, Codable, Equatable {
  /// Samples that were read; others are of another version, or damaged.
  public var samples: Int
  /// The shortest and the longest exposure in seconds.
  public var exposureTime: [Double]?
  /// The smallest and the largest zoom.
  public var zoom: [Double]?
  /// The smallest and the largest gain of the sensor.
  public var gain: [Double]?
  /// The most faces found in a frame.
  public var faces: Int
  /// Frames that were made of their neighbours.
  public var interpolatedFrames: Int
  /// Frames with a transform to their neighbours.
  public var transformedFrames: Int
  /// Seconds on the camera's clock when the first frame was taken.
  public var firstFrameRunTime: Double?
}

extension LivePhotoInfoReport {
  /// Samples that are looked at: more than a Live Photo has.
  private static let mostSamples = 4096
  /// Bytes of samples that are looked at, together: samples may all be at one place.
  private static let mostBytes = 4 << 20

  /// Reads the samples of a track; nil where it is none of the kind.
  init?(_ track: Track, in movie: Movie) {
    guard track.sampleDescriptions.contains(where: { $0.metadataKeys.contains { $0.name == LivePhotoInfo.key } })
    else { return nil }
    var budget = Self.mostBytes
    let infos = track.samples.indices.prefix(Self.mostSamples).compactMap { index -> LivePhotoInfo? in
      budget -= track.samples[index].size
      guard budget >= 0,
        case .data(_, let bytes)? = try? movie.timedMetadata(of: track, sample: index)[LivePhotoInfo.key]
      else { return nil }
      return LivePhotoInfo(bytes)
    }
    func bounds(_ value: (LivePhotoInfo) -> Double?) -> [Double]? {
      let values = infos.compactMap(value).filter(\.isFinite)
      guard let low = values.min(), let high = values.max() else { return nil }
      return [low, high]
    }
    self.init(
      samples: infos.count, exposureTime: bounds(\.exposureTime), zoom: bounds(\.zoom), gain: bounds(\.gain),
      faces: infos.map(\.faces).max() ?? 0, interpolatedFrames: infos.count { $0.isInterpolated },
      transformedFrames: infos.count { $0.homography != nil },
      firstFrameRunTime: infos.first?.timestamp.map { Double($0) / 1e9 })
  }
}
