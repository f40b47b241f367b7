import LivePhotoBitstream
import LivePhotoCore
import LivePhotoMuxer

/// Reads the input as a movie and asks it everything that can be asked.
@c(LLVMFuzzerTestOneInput)
public func fuzzMovie(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let source = MemorySource(Array(UnsafeBufferPointer(start: bytes, count: count)))
  guard let movie = try? Movie(parsing: source) else { return 0 }
  _ = movie.duration
  _ = movie.displayDimensions
  _ = movie.contentIdentifier
  _ = movie.stillImageTime
  for track in movie.tracks.prefix(16) { exercise(track, of: movie) }
  return 0
}

private func exercise(_ track: Track, of movie: Movie) {
  _ = track.editedDuration
  _ = track.averageFrameRate
  _ = track.displayDimensions.description
  _ = track.samples.totalBytes
  let timeline = track.timeline()
  _ = timeline.end
  let last = track.samples.count - 1
  for index in [-1, 0, 1, last / 2, last, last + 1] where track.samples.indices.contains(index) {
    _ = track.samples[index]
    _ = track.samples.isSync(index)
    _ = try? movie.timedMetadata(of: track, sample: index)
    if let interval = timeline.displayInterval(ofSample: index) { _ = timeline.sample(shownAt: interval.lowerBound) }
  }
  for description in track.sampleDescriptions { exercise(description) }
}

private func exercise(_ description: SampleDescription) {
  guard let video = description.video else { return }
  _ = video.color
  _ = video.cleanAperture
  _ = video.pixelAspectRatio
  if let bytes = video.configuration("hvcC") {
    var cursor = ByteCursor(bytes.span)
    _ = try? HEVCDecoderConfiguration(parsing: &cursor).sequenceParameterSet()
  }
  if let bytes = video.configuration("avcC") {
    var cursor = ByteCursor(bytes.span)
    _ = try? AVCDecoderConfiguration(parsing: &cursor).sequenceParameterSet()
  }
}
