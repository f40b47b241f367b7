import LivePhotoCore

/// The rules of a pair, each a function from facts to findings.
///
/// They read no file.
struct PairRules {
  var photo: PhotoFacts
  var movie: MovieFacts

  /// What all rules find.
  var findings: [Finding] {
    identifiers + stillTime + geometry + codec + extensions + length + runTime
  }
}

/// A time for people: to a thousandth of a second.
private func seconds(_ value: Double) -> String { "\((value * 1000).rounded() / 1000) s" }

// MARK: Identifiers

extension PairRules {
  private var identifiers: [Finding] {
    var findings: [Finding] = []
    if photo.identifier == nil {
      findings.append(
        Finding(
          rule: .photoIdentifierMissing, severity: .error, half: .photo,
          fact: "the still holds no content identifier",
          why: "importers tie the halves by Apple MakerNote tag 0x0011; without it the files stay two items",
          remedy: "run `livephoto pair` on the two files"))
    }
    if movie.identifier == nil {
      findings.append(
        Finding(
          rule: .movieIdentifierMissing, severity: .error, half: .movie,
          fact: "the movie holds no com.apple.quicktime.content.identifier",
          why: "importers tie the halves by this key; without it the files stay two items",
          remedy: "run `livephoto pair` on the two files"))
    }
    if let first = photo.identifier, let second = movie.identifier, first != second {
      findings.append(
        Finding(
          rule: .identifiersDiffer, severity: .error, half: .both,
          fact: "the still says \(first), the movie \(second)",
          why: "importers compare the identifiers as strings, letter case included",
          remedy: "find the half that belongs here, or run `livephoto pair` to tie these two"))
    }
    return findings + malformed(photo.identifier, half: .photo) + malformed(movie.identifier, half: .movie)
  }

  private func malformed(_ identifier: ContentIdentifier?, half: Finding.Half) -> [Finding] {
    guard let identifier, !identifier.isWellFormed else { return [] }
    return [
      Finding(
        rule: .identifierMalformed, severity: .warning, half: half,
        fact: "the identifier '\(identifier)' is not an upper-case UUID",
        why: "cameras write upper-case UUIDs, and an importer may normalise only one half",
        remedy: "run `livephoto pair` to write a new identifier into both halves")
    ]
  }
}

// MARK: Still time

extension PairRules {
  private var stillTime: [Finding] {
    guard let track = movie.stillTracks.first else {
      return [
        Finding(
          rule: .stillTimeMissing, severity: .error, half: .movie,
          fact: "no timed-metadata track holds com.apple.quicktime.still-image-time",
          why: "without it the cover cannot be changed, and phones show the pair as a plain still after iCloud",
          remedy: "run `livephoto pair` on the two files; it adds the track")
      ]
    }
    var findings: [Finding] = []
    if movie.stillTracks.count > 1 || track.sampleCount != 1 {
      findings.append(
        Finding(
          rule: .stillTimeAmbiguous, severity: .warning, half: .movie,
          fact: "\(movie.stillTracks.count) still-image-time track(s), the first with \(track.sampleCount) samples",
          why: "a camera writes one track with one sample; readers may take different ones",
          remedy: "run `livephoto pair` to write one"))
    }
    return findings + placement(of: track)
  }

  private func placement(of track: MovieFacts.StillTrack) -> [Finding] {
    guard let time = track.time, time >= .zero, time.seconds <= movie.end else {
      let found = track.time.map { seconds($0.seconds) } ?? "never presented"
      return [
        Finding(
          rule: .stillTimeOutsideMovie, severity: .error, half: .movie,
          fact: "the still-image-time is \(found), the movie ends at \(seconds(movie.end))",
          why: "the marker has to point at a frame of the movie",
          remedy: "run `livephoto pair --at TIME` with a moment inside the movie")
      ]
    }
    guard track.frame == nil else { return [] }
    return [
      Finding(
        rule: .stillTimeBetweenFrames, severity: .warning, half: .movie,
        fact: "no frame is shown at the still-image-time, \(seconds(time.seconds))",
        why: "the marker should point into a frame's display interval",
        remedy: "run `livephoto pair --at TIME` with a moment at which a frame is shown")
    ]
  }

  /// Cameras write the same clock into the still (RunTime) and the movie (live-photo-info): their difference is the
  /// still time, within a fraction of a frame.
  private var runTime: [Finding] {
    guard let taken = photo.runTime, let first = movie.firstFrameRunTime, let marked = movie.stillTracks.first?.time
    else { return [] }
    let expected = taken - first
    guard abs(expected - marked.seconds) > 0.05 else { return [] }
    return [
      Finding(
        rule: .runTimeMismatch, severity: .note, half: .both,
        fact:
          "by the camera's clock the still was taken \(seconds(expected)) into the movie, the marker says "
          + seconds(marked.seconds),
        why: "a large difference means that the movie was cut or belongs to another still",
        remedy: "check that the halves belong together")
    ]
  }
}

// MARK: Geometry, codec, names, length

extension PairRules {
  private var geometry: [Finding] {
    guard let still = photo.displaySize, let video = movie.displaySize,
      still.width > 0, still.height > 0, video.width > 0, video.height > 0
    else { return [] }
    let stillAspect = Double(still.width) / Double(still.height)
    let videoAspect = Double(video.width) / Double(video.height)
    // Coded sizes are whole pixels and often whole macroblocks: the aspects of one camera's halves differ by 1 %.
    guard abs(stillAspect / videoAspect - 1) > 0.02 else { return [] }
    // Turned by 90°, the still would fit.
    let turned = abs(stillAspect * videoAspect - 1) <= 0.02
    return [
      Finding(
        rule: .geometryDiffers, severity: .warning, half: .both,
        fact: "the still is shown at \(still.width)x\(still.height), the movie at \(video.width)x\(video.height)",
        why: turned
          ? "one half is turned against the other, so the picture jumps when it starts to move"
          : "the halves have different shapes, so the picture jumps when it starts to move",
        remedy: turned
          ? "turn one half (Exif orientation or irot of the still, matrix of the movie)"
          : "crop the still to the movie's shape, or take the still from the movie with `livephoto make`")
    ]
  }

  private var codec: [Finding] {
    photoCodec + videoCodec
  }

  private var photoCodec: [Finding] {
    guard let coding = photo.coding, coding != "hvc1", coding != "hev1", coding != "grid" else { return [] }
    return [
      Finding(
        rule: .photoCodec, severity: .warning, half: .photo,
        fact: "the still's picture is coded as '\(coding)'",
        why: "Apple's importers pair JPEG and HEIC, that is HEVC, stills",
        remedy: "encode the still as HEIC or JPEG")
    ]
  }

  private var videoCodec: [Finding] {
    guard let codec = movie.videoCodec else {
      return [
        Finding(
          rule: .videoCodec, severity: .error, half: .movie,
          fact: "the movie has no video track",
          why: "there is nothing to show", remedy: "give a movie with a video track")
      ]
    }
    guard codec != "hvc1", codec != "avc1" else { return [] }
    let isTag = codec == "hev1" || codec == "avc3"
    return [
      Finding(
        rule: .videoCodec, severity: isTag ? .warning : .error, half: .movie,
        fact: "the video's sample entry is '\(codec)'",
        why: isTag
          ? "Apple's players want the parameter sets in the sample entry, which '\(codec)' does not promise"
          : "Apple's importers take HEVC (hvc1) and H.264 (avc1) only",
        remedy: isTag
          ? "rewrap the video as \(codec == "hev1" ? "hvc1" : "avc1")" : "encode the video as HEVC or H.264")
    ]
  }

  private var extensions: [Finding] {
    fit(photo.file, photo.kind, half: .photo) + fit(movie.file, movie.kind, half: .movie)
  }

  private func fit(_ file: String, _ kind: MediaKind, half: Finding.Half) -> [Finding] {
    let name = file.split(separator: "/").last ?? ""
    let found = name.contains(".") ? name.split(separator: ".").last.map { $0.lowercased() } ?? "" : ""
    guard !kind.extensions.contains(found), let usual = kind.extensions.first else { return [] }
    return [
      Finding(
        rule: .extensionMismatch, severity: .warning, half: half,
        fact: "'\(name)' holds \(kind.phrase)",
        why: "importers choose their reader by the extension",
        remedy: "rename the file to end in .\(usual.uppercased())")
    ]
  }

  private var length: [Finding] {
    guard movie.videoCodec != nil, movie.duration < 1 else { return [] }
    return [
      Finding(
        rule: .movieShort, severity: .note, half: .movie,
        fact: "its frames are shown for \(seconds(movie.duration))",
        why: "a camera's Live Photo is 1.5 to 3 s long; very short ones may not play",
        remedy: "use a clip of at least a second")
    ]
  }
}
