import LivePhotoCore

/// The media of a movie put together anew: which stretches of the source, in which order, and where each chunk of each
/// track is then.
struct MediaArrangement {
  /// The chunks of a track.
  struct Chunks {
    /// Where each chunk begins, counted from the first byte of the media.
    var positions: [Int] = []
    /// What `stsc` says of them.
    var runs: [ChunkRun] = []

    mutating func append(_ samples: Range<Int>, descriptionIndex: Int, at position: Int) {
      runs.append(samples, descriptionIndex: descriptionIndex, chunk: positions.count)
      positions.append(position)
    }
  }

  /// The stretches of the source in their new order.
  private(set) var stretches: [Range<Int>] = []
  /// One element a track, in the order of the movie's.
  private(set) var tracks: [Chunks]
  /// The size in bytes.
  private(set) var count = 0

  private mutating func append(_ stretch: Range<Int>) {
    count += stretch.count
    if let last = stretches.last, last.upperBound == stretch.lowerBound {
      stretches[stretches.count - 1] = last.lowerBound..<stretch.upperBound
    } else if !stretch.isEmpty {
      stretches.append(stretch)
    }
  }

  /// Only what samples need, in the order and interleaving of the source.
  ///
  /// - Throws: ``MovieWriteError/samplesMissing(track:_:fileSize:)``.
  init(keepingOrderOf movie: Movie) throws(MovieWriteError) {
    tracks = []
    var needed: [Range<Int>] = []
    for track in movie.tracks {
      let packing = track.soundPacking
      for chunk in track.samples.chunks(of: track.samples.indices) {
        needed.append(try track.bytes(of: chunk, packing: packing, in: movie.source))
      }
    }
    needed.sort { ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound) }
    // Chunks of two tracks may overlap, where they share samples.
    var position: [Int] = []
    for range in needed {
      let end = stretches.last?.upperBound ?? 0
      if range.lowerBound < end {
        if range.upperBound > end { append(end..<range.upperBound) }
      } else {
        let isNew = stretches.isEmpty || range.lowerBound > end || range.isEmpty
        if isNew, !range.isEmpty { position.append(count) }
        append(range)
      }
    }
    tracks = movie.tracks.map { track in
      var chunks = Chunks()
      let packing = track.soundPacking
      for chunk in track.samples.chunks(of: track.samples.indices) {
        let start = track.samples.bytes(of: chunk, packing: packing).lowerBound
        let index = stretches.partitioningIndex { $0.lowerBound > start } - 1
        // Empty chunks may begin behind everything.
        let place =
          index >= 0 ? position[index] + min(start, stretches[index].upperBound) - stretches[index].lowerBound : 0
        chunks.append(chunk.samples, descriptionIndex: chunk.descriptionIndex, at: place)
      }
      return chunks
    }
  }

  /// All samples in chunks of about `duration`, the tracks by turns in the order in which they are played.
  ///
  /// - Throws: ``MovieWriteError/samplesMissing(track:_:fileSize:)``, ``MovieWriteError/unsupported(_:)`` when samples
  ///   share their bytes or the chunks would be too many.
  init(of movie: Movie, interleavedBy duration: RationalTime) throws(MovieWriteError) {
    tracks = movie.tracks.map { _ in Chunks() }
    let packings = movie.tracks.map(\.soundPacking)
    try Self.checkBytes(of: movie, packings)
    var turns: [(track: Int, turn: Turn)] = []
    for (index, track) in movie.tracks.enumerated() {
      let most = Self.mostChunks - turns.count
      turns += try track.turns(of: duration, packing: packings[index], atMost: most).map { (index, $0) }
    }
    turns.sort {
      ($0.turn.start, $0.track, $0.turn.samples.lowerBound) < ($1.turn.start, $1.track, $1.turn.samples.lowerBound)
    }
    for (index, turn) in turns {
      let track = movie.tracks[index]
      tracks[index].append(turn.samples, descriptionIndex: turn.descriptionIndex, at: count)
      for chunk in track.samples.chunks(of: turn.samples) {
        append(try track.bytes(of: chunk, packing: packings[index], in: movie.source))
      }
    }
  }

  /// Far more chunks than hours of media by turns have.
  private static let mostChunks = 1 << 22

  /// Checks that all samples are in the source, and that no more are named than it holds: tables that name the same
  /// bytes over and over must not make a file without end.
  private static func checkBytes(of movie: Movie, _ packings: [SoundPacking?]) throws(MovieWriteError) {
    var rest = movie.source.count
    for (track, packing) in zip(movie.tracks, packings) {
      for chunk in track.samples.chunks(of: track.samples.indices) {
        rest -= try track.bytes(of: chunk, packing: packing, in: movie.source).count
        guard rest >= 0 else {
          throw .unsupported("a movie whose samples share their bytes, interleaved anew,")
        }
      }
    }
  }
}

/// Samples of a track that are stored together.
private struct Turn {
  var samples: Range<Int>
  var descriptionIndex: Int
  /// When the first one is decoded, in the movie's time.
  var start: RationalTime
}

extension Track {
  /// The bytes of a chunk, which are in the source.
  fileprivate func bytes(of chunk: SampleChunk, packing: SoundPacking?, in source: any ByteSource)
    throws(MovieWriteError) -> Range<Int>
  {
    let range = samples.bytes(of: chunk, packing: packing)
    guard range.upperBound <= source.count else {
      throw .samplesMissing(track: id, range, fileSize: source.count)
    }
    return range
  }

  /// The samples divided into stretches of `duration`, each of one description.
  ///
  /// - Throws: ``MovieWriteError/unsupported(_:)`` when they are more than `most`.
  fileprivate func turns(of duration: RationalTime, packing: SoundPacking?, atMost most: Int) throws(MovieWriteError)
    -> [Turn]
  {
    let length = max(1, duration.ticks(in: Int64(timescale), rounding: .down) ?? .max)
    // Decode times in the movie's time: behind empty edits, less what is hidden.
    let empty = edits.prefix(while: \.isEmpty).reduce(0) { $0 &+ Int64(truncatingIfNeeded: $1.duration) }
    let hidden = edits.first { !$0.isEmpty }?.mediaTime ?? 0
    let delay =
      RationalTime(empty, Int64(movieTimescale)).subtracting(RationalTime(hidden, Int64(timescale))) ?? .zero
    var turns: [Turn] = []
    for chunk in samples.chunks(of: samples.indices) {
      var rest = chunk.samples
      while let first = rest.first {
        let time = samples.decodeTime(of: first)
        // A turn goes on in the next chunk of the source until it is long enough.
        let goesOn = turns.last.map { turn in
          turn.descriptionIndex == chunk.descriptionIndex && turn.samples.upperBound == first
            && time - samples.decodeTime(of: turn.samples.lowerBound) < length
        }
        let start = goesOn == true ? turns[turns.count - 1].samples.lowerBound : first
        let limit = samples.decodeTime(of: start) &+ length
        let end = samples.firstSample(decodedFrom: limit, in: first + 1..<rest.upperBound, step: packing?.samples ?? 1)
        if goesOn == true {
          turns[turns.count - 1].samples = start..<end
        } else {
          guard turns.count < most else { throw .unsupported("a movie in so many chunks") }
          let moment = RationalTime(time, Int64(timescale))
          turns.append(
            Turn(samples: first..<end, descriptionIndex: chunk.descriptionIndex, start: moment.adding(delay) ?? moment))
        }
        rest = end..<rest.upperBound
      }
    }
    return turns
  }
}

extension SampleTable {
  /// The first sample of a stretch that is decoded at or after a time, so many samples counted as one; its end if none.
  fileprivate func firstSample(decodedFrom time: Int64, in stretch: Range<Int>, step: Int) -> Int {
    var low = stretch.lowerBound, high = stretch.upperBound
    while low < high {
      let middle = low + (high - low) / 2
      if decodeTime(of: middle) >= time { high = middle } else { low = middle + 1 }
    }
    let first = stretch.lowerBound - 1
    return Swift.min(first + (low - first + step - 1) / step * step, stretch.upperBound)
  }
}
