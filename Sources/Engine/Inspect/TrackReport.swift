import LivePhotoCore
import LivePhotoMuxer

/// A track of a movie.
public struct TrackReport: Sendable, Codable, Equatable {
  /// The track's identifier.
  public var id: Int
  /// `video`, `auxiliary video`, `image sequence`, `audio`, `metadata`, `text`, or the handler.
  public var kind: String
  /// The coding of the samples, as the file names it.
  public var codec: String
  /// The coding in words, such as `HEVC` or `AAC LC`, of encrypted samples what they are inside; nil where not known.
  public var codecName: String?
  /// The codings of further sample descriptions, where there are some.
  public var otherCodecs: [String]?
  /// Whether the track is played.
  public var isEnabled: Bool
  /// The language as three letters, where it is said.
  public var language: String?
  /// Samples.
  public var samples: Int
  /// Ticks a second.
  public var timescale: Int
  /// Seconds, edit list applied.
  public var duration: Double
  /// The coded size of video.
  public var codedSize: DisplaySize?
  /// Frames a second on average, for video.
  public var frameRate: Double?
  /// What else is known of video.
  public var video: VideoReport?
  /// What is known of sound.
  public var audio: AudioReport?
  /// How the samples are encrypted, where they are.
  public var encryption: EncryptionReport?
  /// The keys of timed metadata.
  public var keys: [String]?
  /// What a camera's `live-photo-info` says of its frames.
  public var livePhotoInfo: LivePhotoInfoReport?
  /// The MIME type of text metadata.
  public var mimeType: String?
  /// What the track refers to: `cdsc 1` describes track 1, `chap 3` has its chapters in track 3.
  public var references: [String]?
}

/// How the samples of a track are encrypted, which are counted like others and never decrypted.
public struct EncryptionReport: Sendable, Codable, Equatable {
  /// The scheme: `cenc`, `cbcs` and so on; nil where none is named.
  public var scheme: String?
  /// The coding of the samples once decrypted, where it is said.
  public var codec: String?
}

/// Sound as its own configuration describes it.
public struct AudioReport: Sendable, Codable, Equatable {
  /// The number of channels.
  public var channels: Int
  /// Samples a second.
  public var sampleRate: Double
  /// Bits a sample, where the coding loses none.
  public var bitDepth: Int?
  /// How PCM is written: `integer`, `unsigned` or `float`.
  public var numbers: String?
  /// Whether PCM is big-endian; nil for one byte a sample and for other codings.
  public var isBigEndian: Bool?
}

extension TrackReport {
  init(_ track: Track) {
    let isVideo = [.video, .auxiliaryVideo, .imageSequence].contains(track.kind)
    let size = track.codedDimensions.flatMap { dimensions in
      DisplaySize(width: Int(dimensions.width), height: Int(dimensions.height))
    }
    let keys = track.sampleDescriptions.flatMap { $0.metadataKeys.map(\.name) }
    let description = track.sampleDescriptions.first
    let video = isVideo ? description.flatMap { VideoReport($0, of: track) } : nil
    let references = track.references.flatMap { reference in reference.trackIDs.map { "\(reference.type) \($0)" } }
    let others = track.sampleDescriptions.dropFirst().map(\.format.description)
    self.init(
      id: Int(track.id), kind: track.kind.phrase, codec: track.codec?.description ?? "none",
      codecName: description.flatMap(CodecName.name(of:)), otherCodecs: others.isEmpty ? nil : others,
      isEnabled: track.isEnabled, language: track.language == "und" ? nil : track.language,
      samples: track.samples.count, timescale: Int(track.timescale), duration: track.editedDuration.seconds,
      codedSize: isVideo ? size : nil, frameRate: isVideo ? track.averageFrameRate : nil, video: video,
      audio: description?.audioFormat.map(AudioReport.init),
      encryption: description.flatMap { $0.isProtected ? EncryptionReport($0.protection) : nil },
      keys: keys.isEmpty ? nil : keys, mimeType: description?.mimeType,
      references: references.isEmpty ? nil : references)
  }
}

extension EncryptionReport {
  fileprivate init(_ protection: Protection?) {
    self.init(scheme: protection?.scheme?.description, codec: protection?.originalFormat.description)
  }
}

extension AudioReport {
  fileprivate init(_ format: AudioFormat) {
    let numbers: String? =
      switch format.numbers {
      case .integer: "integer"
      case .unsigned: "unsigned"
      case .float: "float"
      case nil: nil
      }
    self.init(
      channels: format.channels, sampleRate: format.sampleRate, bitDepth: format.bitDepth, numbers: numbers,
      isBigEndian: numbers != nil && format.bitDepth ?? 0 > 8 ? format.isBigEndian : nil)
  }
}

extension TrackKind {
  fileprivate var phrase: String {
    switch self {
    case .video: "video"
    case .auxiliaryVideo: "auxiliary video"
    case .imageSequence: "image sequence"
    case .audio: "audio"
    case .metadata: "metadata"
    case .text: "text"
    case .other(let handler): handler.description
    }
  }
}
