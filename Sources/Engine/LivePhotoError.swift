public import LivePhotoCore
public import LivePhotoFiles

/// Why a job of the engine could not be done: the file, the place, the cause and the remedy.
public enum LivePhotoError: Error {
  /// A file could not be opened, read, written or put in place.
  case file(FileError)
  /// The bytes of a file are damaged, or of a kind that is not read.
  case damaged(file: String, ParseError)
  /// A file is not what the job needs.
  case wrongKind(file: String, found: MediaKind, expected: String)
  /// Both halves are of one kind.
  case sameKind(String, String, MediaKind)
  /// A movie shows no picture.
  case noVideo(file: String)
  /// A picture or movie is coded in a way that is not decoded here.
  case undecodable(file: String, codec: String, remedy: String)
  /// The wanted moment is not in the clip.
  case momentOutside(file: String, moment: RationalTime, end: RationalTime)
  /// The wanted moment is in the clip, but not in the part of it that is kept, which is given in the clip's time.
  case momentCutOff(file: String, moment: RationalTime, start: RationalTime, end: RationalTime)
  /// No frame that is coded by itself, whose bytes could become a HEIC, is near enough to the wanted moment.
  case noKeyFrame(file: String, moment: RationalTime, nearest: [RationalTime], tolerance: RationalTime)
  /// The bytes of a frame cannot become a still as they are.
  case uncopyable(file: String, reason: String)
  /// A movie cannot be written as a Live Photo's.
  case unwritable(file: String, reason: String)
  /// A picture could not be encoded, or a coded one not decoded.
  case codec(file: String, reason: String)
  /// Exif could not be changed as asked.
  case metadata(file: String, reason: String, remedy: String)
  /// An output has the name of an input.
  case outputIsInput(file: String)
  /// An output exists and may not be replaced.
  case outputExists(file: String)
  /// What was asked for needs the HEVC libraries, which this build leaves out.
  case needsHEVC(String)
  /// This version does not have what was asked for.
  case notYet(file: String, String, remedy: String? = nil)
  /// The task was cancelled.
  case cancelled
}

extension LivePhotoError: CustomStringConvertible {
  /// One line: the file, the cause and what helps.
  public var description: String {
    switch self {
    case .file(let error):
      "\(error)"
    case .damaged(let file, let error):
      "\(file): \(error.description); the file is damaged or of a kind that is not read here"
    case .wrongKind(let file, let found, let expected):
      "\(file): this is \(found.phrase), expected \(expected)"
    case .sameKind(let first, let second, let kind):
      "\(first) and \(second): both are \(kind.isPhoto ? "photos" : "movies"); give one photo (JPEG or HEIC) and one movie"
    case .noVideo(let file):
      "\(file): the movie has no video track with samples (an image sequence is none); give a clip that shows something"
    case .undecodable(let file, let codec, let remedy):
      "\(file): \(codec) is not decoded here; \(remedy)"
    case .momentOutside(let file, let moment, let end):
      "\(file): no frame is shown at \(Self.seconds(moment)) s; the clip ends at \(Self.seconds(end)) s, ask for a "
        + "moment before that"
    case .momentCutOff(let file, let moment, let start, let end):
      "\(file): the frame at \(Self.seconds(moment)) s is not in what is kept, \(Self.seconds(start)) s to "
        + "\(Self.seconds(end)) s; change --at, or --start and --duration"
    case .noKeyFrame(let file, let moment, let nearest, let tolerance):
      "\(file): the frame at \(Self.seconds(moment)) s is no key frame, and only those can be copied; "
        + Self.remedy(nearest, tolerance: tolerance)
    case .uncopyable(let file, let reason):
      "\(file): \(reason); leave out --still copy, so that the frame is encoded"
    case .unwritable(let file, let reason):
      "\(file): \(reason)"
    case .codec(let file, let reason):
      "\(file): \(reason)"
    case .metadata(let file, let reason, let remedy):
      "\(file): \(reason); \(remedy)"
    case .outputIsInput(let file):
      "\(file): the output would replace an input; choose another one (-o, and --name where there are two files)"
    case .outputExists(let file):
      "\(file): exists already; choose another output (-o, and --name where there are two files), or --force to replace it"
    case .needsHEVC(let what):
      "\(what) needs HEVC, which this build leaves out; build with the package trait HEVC"
    case .notYet(let file, let what, let remedy):
      "\(file): \(what) is not in this version" + (remedy.map { "; \($0)" } ?? "")
    case .cancelled:
      "the job was cancelled; nothing was written"
    }
  }

  private static func remedy(_ keyFrames: [RationalTime], tolerance: RationalTime) -> String {
    guard !keyFrames.isEmpty else { return "there is none; leave out --still copy" }
    let times = keyFrames.sorted().map { "\(seconds($0)) s" }.joined(separator: " and ")
    return "the nearest \(keyFrames.count == 1 ? "is" : "are") at \(times), beyond --tolerance \(seconds(tolerance)); "
      + "ask for that moment, or for more tolerance"
  }

  private static func seconds(_ time: RationalTime) -> String { String((time.seconds * 1000).rounded() / 1000) }
}
