import LivePhotoBitstream
import LivePhotoCore
import LivePhotoMuxer

/// Decodes frames of a movie's video track, reading only the samples that they need.
///
/// No more than what the decoder holds for reference, and one sample, is in memory at a time.
struct FrameSource {
  let file: String
  let movie: Movie
  let track: Track
  private let threads: Threads
  private let limits: Limits
  private let coding: VideoCoding

  /// A source over a movie's track.
  ///
  /// - Throws: ``LivePhotoError/undecodable(file:codec:remedy:)`` for samples that are encrypted or of a coding that is
  ///   not decoded here.
  init(file: String, movie: Movie, track: Track, threads: Threads, limits: Limits) throws(LivePhotoError) {
    coding = try Self.coding(of: track, file: file)
    self.file = file
    self.movie = movie
    self.track = track
    self.threads = threads
    self.limits = limits
  }

  /// The coding of a track's video.
  ///
  /// - Throws: as ``init(file:movie:track:threads:limits:)``.
  static func coding(of track: Track, file: String) throws(LivePhotoError) -> VideoCoding {
    let remedy = "give the still with --photo, or a HEVC or H.264 clip"
    if let protected = track.sampleDescriptions.first(where: \.isProtected) {
      let scheme = protected.protection?.scheme.map { " (\($0))" } ?? ""
      throw .undecodable(file: file, codec: "encrypted video\(scheme)", remedy: remedy)
    }
    let codec = track.codec ?? "none"
    guard let coding = VideoCoding(sampleEntry: codec) else {
      let name = track.sampleDescriptions.first.flatMap { CodecName.name(of: $0) }.map { "\($0) video" }
      throw .undecodable(file: file, codec: "\(name ?? "video coded as") '\(codec)'", remedy: remedy)
    }
    return coding
  }

  /// The picture of sample `index`, exactly as coded, and what is wrong with pictures that it may refer to.
  ///
  /// Decoding begins at the sync sample before it. A picture that is shown before the sync sample it follows in the
  /// file (a leading picture of an open group) may refer to the group before, so decoding begins a group earlier.
  /// Pictures that nothing refers to are left out. What comes out damaged is tried once more from the start of the track.
  ///
  /// - Throws: ``LivePhotoError``.
  func frame(ofSample index: Int) throws(LivePhotoError) -> (image: PlanarImage, earlierDamage: String?) {
    let start = start(for: index)
    var found = try decodeFrame(index, from: start)
    if start > 0, !(found?.isIntact ?? false) { found = try decodeFrame(index, from: 0) }
    guard let found else {
      throw .codec(
        file: file, reason: "the frame at sample \(index) is not in the \(coding.name) stream; the clip is damaged")
    }
    return (try intact(found.frame), found.earlierDamage)
  }

  /// Calls `body` with every picture and the number of its sample, in display order.
  ///
  /// - Throws: ``LivePhotoError``, and what `body` throws.
  func forEachFrame(_ body: (Int, PlanarImage) throws(LivePhotoError) -> Void) throws(LivePhotoError) {
    try decode(0..<track.samples.count) { (index, frame) throws(LivePhotoError) in
      try body(index, try intact(frame))
      return true
    }
  }

  /// Calls `body` with the pictures of some samples, in display order, decoding what they need.
  ///
  /// Damaged ones are passed over.
  ///
  /// - Throws: ``LivePhotoError``, and what `body` throws.
  func forEachFrame(
    of wanted: Set<Int>, _ body: (Int, PlanarImage) throws(LivePhotoError) -> Void
  ) throws(LivePhotoError) {
    guard let last = wanted.max(), let least = wanted.min() else { return }
    let first = start(before: least, at: wanted.reduce(Int64.max) { min($0, track.samples[$1].compositionTime) })
    var left = wanted.count
    try decode(first..<last + 1) { (index, frame) throws(LivePhotoError) in
      guard wanted.contains(index) else { return true }
      if frame.damage == nil { try body(index, frame.image) }
      left -= 1
      return left > 0
    }
  }

  private func start(for index: Int) -> Int { start(before: index, at: track.samples[index].compositionTime) }

  /// The last sync sample up to `index` that is shown by a time.
  private func start(before index: Int, at time: Int64) -> Int {
    (0...index).last { candidate in
      track.samples.isSync(candidate) && track.samples[candidate].compositionTime <= time
    } ?? 0
  }

  /// A decoded picture and what is wrong with those that it may refer to.
  private struct Found {
    var frame: DecodedFrame
    var earlierDamage: String?

    var isIntact: Bool { frame.damage == nil && earlierDamage == nil }
  }

  private func decodeFrame(_ wanted: Int, from first: Int) throws(LivePhotoError) -> Found? {
    var found: Found?
    var damage: String?
    let start = track.samples[first].compositionTime
    try decode(first..<wanted + 1, keeping: wanted) { (index, frame) throws(LivePhotoError) in
      guard index == wanted else {
        // Leading pictures of an open group lack what they refer to, and nothing behind them refers to them.
        if track.samples[index].compositionTime >= start { damage = damage ?? frame.damage }
        return true
      }
      found = Found(frame: frame, earlierDamage: damage)
      return false
    }
    return found
  }

  private func intact(_ frame: DecodedFrame) throws(LivePhotoError) -> PlanarImage {
    if let damage = frame.damage { throw .codec(file: file, reason: "the \(coding.name) data is damaged: \(damage)") }
    return frame.image
  }
}

// MARK: Decoding

extension FrameSource {
  /// Decodes a stretch of samples and hands out their pictures until `body` returns false.
  ///
  /// - Parameter wanted: the only sample whose picture is asked for, so that others are decoded only where it may need
  ///   them; nil for all.
  private func decode(
    _ stretch: Range<Int>, keeping wanted: Int? = nil, _ body: (Int, DecodedFrame) throws(LivePhotoError) -> Bool
  ) throws(LivePhotoError) {
    var decoder = try VideoDecoder(coding, file: file, threads: threads, limits: limits)
    var description: Int?
    var configuration: VideoConfiguration?
    for index in stretch {
      if Task.isCancelled { throw .cancelled }
      let sample = track.samples[index]
      if sample.descriptionIndex != description {
        let next = try self.configuration(ofSample: index)
        try decoder.decode(parameterSets: next.parameterSets)
        (configuration, description) = (next, sample.descriptionIndex)
      }
      guard let configuration else { continue }
      let bytes = try read(sample)
      if let wanted, wanted != index, configuration.isDisposable(bytes.span) { continue }
      try decoder.decode(sample: bytes.span, framing: configuration.framing, tag: Int64(index))
      guard try handOut(from: &decoder, body) else { return }
    }
    try decoder.finish()
    _ = try handOut(from: &decoder, body)
  }

  /// Hands out the pictures that are ready; false when no more are wanted.
  private func handOut(
    from decoder: inout VideoDecoder, _ body: (Int, DecodedFrame) throws(LivePhotoError) -> Bool
  ) throws(LivePhotoError) -> Bool {
    while let next = try decoder.nextFrame() {
      guard try body(Int(next.tag), next) else { return false }
    }
    return true
  }

  private func read(_ sample: Sample) throws(LivePhotoError) -> [UInt8] {
    guard sample.size <= limits.blobBytes else {
      throw .damaged(
        file: file,
        .beyondLimit("size of a sample", found: sample.size, limit: limits.blobBytes, at: Place(offset: sample.offset)))
    }
    do { return try movie.source.read(sample.range) } catch { throw .damaged(file: file, .source(error)) }
  }

  private func configuration(ofSample index: Int) throws(LivePhotoError) -> VideoConfiguration {
    do { return try VideoConfiguration(of: track.video(ofSample: index), coding: coding) } catch {
      throw .damaged(file: file, error)
    }
  }
}
