import LivePhotoBitstream
import LivePhotoCore
import LivePhotoMuxer

/// The frames of a HEVC track that are coded by themselves (IRAP pictures), whose bytes a HEIC can hold as they are.
struct KeyFrames {
  private let file: String
  private let movie: Movie
  private let track: Track
  private let limits: Limits

  /// The key frames of a movie's video.
  ///
  /// - Throws: ``LivePhotoError/noVideo(file:)``, ``LivePhotoError/undecodable(file:codec:remedy:)`` for encrypted video,
  ///   ``LivePhotoError/uncopyable(file:reason:)`` for other codings.
  init(of movie: Movie, file: String, limits: Limits) throws(LivePhotoError) {
    guard let track = movie.videoTrack else { throw .noVideo(file: file) }
    let coding = try FrameSource.coding(of: track, file: file)
    guard coding == .hevc else {
      throw .uncopyable(file: file, reason: "a HEIC holds HEVC, and the clip's video is \(coding.name)")
    }
    self.file = file
    self.movie = movie
    self.track = track
    self.limits = limits
  }

  /// More samples than a group of pictures has.
  private static let mostCandidates = 4096
  /// More units than stand before a picture.
  private static let mostUnits = 64

  /// The key frame that is shown next to a sample's time, and how far from it: negative where it is shown earlier.
  ///
  /// - Throws: ``LivePhotoError/noKeyFrame(file:moment:nearest:tolerance:)`` when none is within `tolerance`.
  func nearest(to wanted: Int, tolerance: RationalTime) throws(LivePhotoError) -> (sample: Int, offset: RationalTime) {
    let timeline = track.timeline()
    guard let moment = timeline.displayInterval(ofSample: wanted)?.lowerBound else { throw .noVideo(file: file) }
    if try isKeyFrame(wanted, isMarked: track.samples.isSync(wanted)) { return (wanted, .zero) }
    let rank = timeline.rank(ofSample: wanted)
    var found: [(sample: Int, offset: RationalTime)] = []
    for ranks in [
      Array((0..<rank).suffix(Self.mostCandidates).reversed()),
      Array((rank + 1..<max(timeline.count, rank + 1)).prefix(Self.mostCandidates)),
    ] {
      for rank in ranks {
        let sample = timeline.sample(atRank: rank)
        guard let shown = timeline.displayInterval(ofSample: sample)?.lowerBound,
          let offset = shown.subtracting(moment)
        else { continue }
        // A movie need not mark each of them, but farther away only those are looked for.
        guard track.samples.isSync(sample) || offset.magnitude <= tolerance else { continue }
        if try isKeyFrame(sample, isMarked: track.samples.isSync(sample)) {
          found.append((sample, offset))
          break
        }
      }
    }
    if let nearest = found.min(by: { $0.offset.magnitude < $1.offset.magnitude }), nearest.offset.magnitude <= tolerance
    {
      return nearest
    }
    throw .noKeyFrame(
      file: file, moment: moment, nearest: found.compactMap { moment.adding($0.offset) }, tolerance: tolerance)
  }

  /// Whether a sample's picture is an IRAP picture, told by its first slice.
  private func isKeyFrame(_ index: Int, isMarked: Bool) throws(LivePhotoError) -> Bool {
    let sample = track.samples[index]
    let size = try configuration(ofSample: index).framing.lengthSize
    do throws(ParseError) {
      var position = 0
      for _ in 0..<Self.mostUnits where position + size + 2 <= sample.size {
        let start = sample.offset + position
        let head = try movie.source.parseBytes(start..<start + size + 2)
        let length = head.prefix(size).reduce(0) { $0 << 8 | Int($1) }
        let type = HEVCNALUnitType(rawValue: head[size] >> 1 & 63)
        if type.isVCL { return type.isIRAP }
        position += size + length
      }
      return false
    } catch { throw .damaged(file: file, error) }
  }

  private func configuration(ofSample index: Int) throws(LivePhotoError) -> VideoConfiguration {
    do { return try VideoConfiguration(of: track.video(ofSample: index), coding: .hevc) } catch {
      throw .damaged(file: file, error)
    }
  }

  /// The coded picture of a key frame.
  ///
  /// - Throws: ``LivePhotoError/damaged(file:_:)``, ``LivePhotoError/uncopyable(file:reason:)``.
  func picture(ofSample index: Int) throws(LivePhotoError) -> CodedKeyFrame {
    let sample = track.samples[index]
    let configuration = try configuration(ofSample: index)
    do throws(ParseError) {
      guard sample.size <= limits.blobBytes else {
        throw .beyondLimit(
          "size of a sample", found: sample.size, limit: limits.blobBytes, at: Place(offset: sample.offset))
      }
      let bytes = try movie.source.parseBytes(sample.range)
      let units = try configuration.framing.units(in: bytes.span, base: sample.offset).map { Array(bytes[$0]) }
      let frame = try CodedKeyFrame(units, known: configuration.parameterSets, limits: limits)
      guard let frame else {
        throw .missing("whole IRAP picture in sample \(index)", at: Place(offset: sample.offset))
      }
      return frame
    } catch { throw .damaged(file: file, error) }
  }
}

extension RationalTime {
  /// The distance from zero.
  fileprivate var magnitude: RationalTime { self < .zero ? RationalTime.zero.subtracting(self) ?? self : self }
}

extension NALFraming {
  /// The number of bytes of a length; start codes have three.
  fileprivate var lengthSize: Int {
    switch self {
    case .annexB: 3
    case .lengthPrefixed(let size): size.rawValue
    }
  }
}
