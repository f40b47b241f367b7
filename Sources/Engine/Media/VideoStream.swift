import LivePhotoBitstream
import LivePhotoCore

/// The frames of a byte stream of HEVC or H.264 without a container, in output order.
struct VideoStream: FrameSequence {
  let rate: (frames: Int, seconds: Int)?
  let pixelAspectRatio: PixelAspectRatio?
  private let source: any ByteSource
  private let file: String
  private let coding: VideoCoding
  private let threads: Threads
  private let limits: Limits

  /// The pictures of a stream, which begins with its parameter sets.
  ///
  /// - Throws: ``LivePhotoError/damaged(file:_:)`` when it cannot be read.
  init(
    _ source: any ByteSource, coding: VideoCoding, file: String, threads: Threads, limits: Limits
  ) throws(LivePhotoError) {
    self.source = source
    self.coding = coding
    self.file = file
    self.threads = threads
    self.limits = limits
    var reader = AnnexBReader(source, limits: limits)
    let format = try Self.format(in: &reader, coding, file: file)
    pixelAspectRatio = format?.pixelAspect
    rate = format?.frameDuration.flatMap { duration in
      guard duration.value > 0, let seconds = Int(exactly: duration.value) else { return nil }
      let frames = Int(duration.timescale)
      // H.264 counts fields, and so has both twice.
      return frames & 1 == 0 && seconds & 1 == 0 ? (frames / 2, seconds / 2) : (frames, seconds)
    }
  }

  /// What the first sequence parameter set says of the pictures; nil where there is none that can be read.
  private static func format(in reader: inout AnnexBReader, _ coding: VideoCoding, file: String) throws(LivePhotoError)
    -> VideoFormat?
  {
    for _ in 0..<64 {
      guard let unit = try next(from: &reader, file: file) else { return nil }
      if let format = coding.format(ofParameterSet: unit) { return format }
    }
    return nil
  }

  /// A stream says nothing of how its pictures are turned.
  var orientation: Orientation { .up }
  var cleanAperture: CleanAperture? { nil }

  func forEach(_ body: (PlanarImage, Double) throws(LivePhotoError) -> Void) throws(LivePhotoError) {
    var reader = AnnexBReader(source, limits: limits)
    var decoder = try VideoDecoder(coding, file: file, threads: threads, limits: limits)
    var number: Int64 = 0
    while let unit = try Self.next(from: &reader, file: file) {
      if Task.isCancelled { throw .cancelled }
      try decoder.decode(unit: unit.span, tag: number)
      number += 1
      try handOut(from: &decoder, at: reader.progress, body)
    }
    try decoder.finish()
    try handOut(from: &decoder, at: 1, body)
  }

  private func handOut(
    from decoder: inout VideoDecoder, at progress: Double,
    _ body: (PlanarImage, Double) throws(LivePhotoError) -> Void
  ) throws(LivePhotoError) {
    while let frame = try decoder.nextFrame() {
      if let damage = frame.damage {
        throw .codec(file: file, reason: "the \(coding.name) data is damaged: \(damage)")
      }
      try body(frame.image, progress)
    }
  }

  private static func next(from reader: inout AnnexBReader, file: String) throws(LivePhotoError) -> [UInt8]? {
    do { return try reader.next() } catch { throw .damaged(file: file, error) }
  }
}

extension VideoCoding {
  /// The coding of a byte stream, told by the first parameter set that is well-formed in one of the two; nil where there
  /// is none in its first bytes.
  init?(streamHead head: [UInt8]) {
    guard head.starts(with: [0, 0, 1]) || head.starts(with: [0, 0, 0, 1]) else { return nil }
    let units = (try? NALFraming.annexB.units(in: head.span)) ?? []
    for unit in units.map({ Array(head[$0]) }) {
      for coding in [VideoCoding.hevc, .h264] where coding.format(ofParameterSet: unit) != nil {
        self = coding
        return
      }
    }
    return nil
  }

  /// What a unit says of pictures, where it is a sequence parameter set of this coding.
  fileprivate func format(ofParameterSet unit: [UInt8]) -> VideoFormat? {
    switch self {
    case .hevc: try? HEVCSequenceParameterSet(parsing: unit.span).format
    case .h264: try? H264SequenceParameterSet(parsing: unit.span).format
    }
  }
}
