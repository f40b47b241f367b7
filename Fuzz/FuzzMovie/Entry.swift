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
  _ = try? movie.chapters()
  _ = try? movie.startTimecode()
  _ = try? EmbeddedMovie.range(in: source, from: 1)
  for track in movie.tracks.prefix(16) { exercise(track, of: movie) }
  for placement in [MovieHeaderPlacement.first, .last] { write(movie, placement) }
  for what in MetadataStripping.allCases { strip(movie, what) }
  return 0
}

/// What was written must be a movie with the identifier, the marker and all tracks.
private func write(_ movie: Movie, _ placement: MovieHeaderPlacement) {
  let identifier = ContentIdentifier(asRead: "00000000-0000-4000-8000-000000000000")
  let time = RationalTime(movie.duration.value / 2, movie.duration.timescale)
  guard let moment = try? movie.stillMoment(at: movie.stillImageTime ?? time) else { return }
  let writer = LivePhotoMovieWriter(identifier: identifier, moment: moment, headerPlacement: placement)
  guard let plan = try? writer.plan(for: movie), let bytes = try? plan.output.materialized() else { return }
  guard let again = try? Movie(parsing: MemorySource(bytes)) else { preconditionFailure("cannot be read again") }
  precondition(again.contentIdentifier == identifier, "the identifier is not there")
  precondition(again.stillImageTime == plan.time, "the marker is not where it should be")
}

/// What was stripped says no position among its keys.
private func strip(_ movie: Movie, _ what: MetadataStripping) {
  guard let stripped = try? movie.stripping(what) else { return }
  let items = stripped.movie.metadata.items
  precondition(!items.contains { $0.namespace == "mdta" && PlaceNames.matches($0.key) }, "a key is still there")
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
  _ = (description.audioFormat, description.protection, description.mimeType, description.elementaryStreamName)
  guard let video = description.video else { return }
  _ = (video.contentLight, video.masteringDisplay, video.dolbyVision, video.isMultiview)
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
