#if HEVC
  import LivePhotoBitstream
  import LivePhotoCore
  import LivePhotoHEVC
  import LivePhotoMuxer

  /// Decodes frames of a movie's HEVC track, reading only the samples that they need.
  struct HEVCFrameSource {
    let file: String
    let movie: Movie
    let track: Track
    let threads: Threads
    private(set) var limits: Limits

    /// A source over a movie's track.
    init(file: String, movie: Movie, track: Track, threads: Threads, limits: Limits) {
      self.file = file
      self.movie = movie
      self.track = track
      self.threads = threads
      self.limits = limits
      // A decoder holds up to 16 pictures, so a frame may be no larger than level 6.2 allows (ITU-T H.265, table A.8).
      self.limits.codedPixels = min(limits.codedPixels, 35_651_584)
    }

    /// The codes of sample entries that hold HEVC with an `hvcC`.
    static let codecs: Set<FourCC> = ["hvc1", "hev1", "dvh1", "dvhe"]

    /// The picture of sample `index`, exactly as coded, and what is wrong with pictures that it may refer to.
    ///
    /// Decoding begins at the sync sample before it. A picture that is shown before the sync sample it follows in the
    /// file (a leading picture of an open group) may refer to the group before, so decoding begins a group earlier.
    /// What comes out damaged is tried once more from the start of the track.
    ///
    /// - Throws: ``LivePhotoError``.
    func frame(ofSample index: Int) throws(LivePhotoError) -> (image: PlanarImage, earlierDamage: String?) {
      let start = start(for: index)
      var found = try decodeFrame(index, from: start)
      if start > 0, !(found?.isIntact ?? false) { found = try decodeFrame(index, from: 0) }
      guard let found else {
        throw .codec(file: file, reason: "the frame at sample \(index) is not in the HEVC stream; the clip is damaged")
      }
      return (try intact(found.picture), found.earlierDamage)
    }

    /// Calls `body` with every picture and the number of its sample, in display order.
    ///
    /// - Throws: ``LivePhotoError``, and what `body` throws.
    func forEachFrame(_ body: (Int, PlanarImage) throws(LivePhotoError) -> Void) throws(LivePhotoError) {
      try decode(0..<track.samples.count) { (index, picture) throws(LivePhotoError) in
        try body(index, try intact(picture))
        return true
      }
    }

    private func start(for index: Int) -> Int {
      let time = track.samples[index].compositionTime
      return (0...index).last { candidate in
        track.samples.isSync(candidate) && track.samples[candidate].compositionTime <= time
      } ?? 0
    }

    /// A decoded picture and what is wrong with those that it may refer to.
    private struct Found {
      var picture: HEVCPicture
      var earlierDamage: String?

      var isIntact: Bool { picture.damage == nil && earlierDamage == nil }
    }

    private func decodeFrame(_ wanted: Int, from first: Int) throws(LivePhotoError) -> Found? {
      var found: Found?
      var damage: String?
      let start = track.samples[first].compositionTime
      try decode(first..<wanted + 1) { (index, picture) throws(LivePhotoError) in
        guard index == wanted else {
          // Leading pictures of an open group lack what they refer to, and nothing behind them refers to them.
          if track.samples[index].compositionTime >= start { damage = damage ?? picture.damage }
          return true
        }
        found = Found(picture: picture, earlierDamage: damage)
        return false
      }
      return found
    }

    private func intact(_ picture: HEVCPicture) throws(LivePhotoError) -> PlanarImage {
      if let damage = picture.damage { throw .codec(file: file, reason: HEVCError.damaged(damage).description) }
      return picture.image
    }
  }

  // MARK: Decoding

  extension HEVCFrameSource {
    /// Decodes a stretch of samples and hands out their pictures until `body` returns false.
    private func decode(_ stretch: Range<Int>, _ body: (Int, HEVCPicture) throws(LivePhotoError) -> Bool)
      throws(LivePhotoError)
    {
      var decoder = try coded { () throws(HEVCError) in try HEVCDecoder(threads: threads, limits: limits) }
      var description: Int?
      var framing = NALFraming.lengthPrefixed(.four)
      for index in stretch {
        if Task.isCancelled { throw .cancelled }
        let sample = track.samples[index]
        if sample.descriptionIndex != description {
          let configuration = try configuration(sample.descriptionIndex)
          framing = configuration.framing
          do { try decoder.decode(configuration.parameterSets) } catch { throw failure(error) }
          description = sample.descriptionIndex
        }
        let bytes = try read(sample)
        do { try decoder.decode(sample: bytes.span, framing: framing, tag: Int64(index)) } catch {
          throw failure(error)
        }
        guard try handOut(from: &decoder, body) else { return }
      }
      do { try decoder.finish() } catch { throw failure(error) }
      _ = try handOut(from: &decoder, body)
    }

    /// Hands out the pictures that are ready; false when no more are wanted.
    private func handOut(
      from decoder: inout HEVCDecoder, _ body: (Int, HEVCPicture) throws(LivePhotoError) -> Bool
    ) throws(LivePhotoError) -> Bool {
      while true {
        let next: HEVCPicture?
        do { next = try decoder.nextPicture() } catch { throw failure(error) }
        guard let next else { return true }
        guard try body(Int(next.tag), next) else { return false }
      }
    }

    private func read(_ sample: Sample) throws(LivePhotoError) -> [UInt8] {
      guard sample.size <= limits.blobBytes else {
        throw .damaged(
          file: file,
          .beyondLimit(
            "size of a sample", found: sample.size, limit: limits.blobBytes, at: Place(offset: sample.offset)))
      }
      do { return try movie.source.read(sample.range) } catch { throw .damaged(file: file, .source(error)) }
    }

    private func configuration(_ index: Int) throws(LivePhotoError) -> HEVCDecoderConfiguration {
      let descriptions = track.sampleDescriptions
      guard descriptions.indices.contains(index), let payload = descriptions[index].video?.configuration("hvcC") else {
        throw .damaged(file: file, .missing("'hvcC' box of the sample description", at: Place(offset: 0)))
      }
      do {
        var cursor = ByteCursor(payload.span)
        return try HEVCDecoderConfiguration(parsing: &cursor)
      } catch { throw .damaged(file: file, error) }
    }

    private func coded<Result: ~Copyable>(_ body: () throws(HEVCError) -> Result) throws(LivePhotoError) -> Result {
      do { return try body() } catch { throw failure(error) }
    }

    private func failure(_ error: HEVCError) -> LivePhotoError { .codec(file: file, reason: error.description) }
  }
#endif
