import Foundation
public import Testing

/// An independent program that says whether what we made is right.
///
/// `Scripts/setup tests` installs all of them.
/// A test whose judge is missing fails; with `LIVEPHOTO_NO_JUDGES=1` it is reported as skipped instead.
public enum Judge: String, CaseIterable, Sendable {
  case exiftool
  case ffprobe
  case ffmpeg
  /// A build of FFmpeg years newer than the distribution's.
  case currentFFmpeg = "imageio-ffmpeg"
  case heifInfo = "heif-info"
  case heifConvert = "heif-convert"
  case djpeg
  case cjpeg
  case mediainfo
  case x265
  /// Python with pillow-heif, av, numpy, Pillow and imageio-ffmpeg.
  case python

  /// The program's path, or nil.
  public var path: String? {
    switch self {
    case .python: Self.pythonPath
    case .currentFFmpeg: Self.currentFFmpegPath
    default: findProgram(rawValue)
    }
  }

  /// Whether a test that asks this judge runs: the judge is there, or its absence is a failure.
  public var isExpected: Bool {
    path != nil || ProcessInfo.processInfo.environment["LIVEPHOTO_NO_JUDGES"] != "1"
  }

  /// Runs the judge; any status but 0 is an error.
  ///
  /// - Throws: ``CommandError``.
  @discardableResult
  public func ask(_ arguments: [String], input: [UInt8] = [], timeout seconds: Double = 120) throws -> CommandResult {
    try runChecked(try found(), arguments, input: input, timeout: seconds)
  }

  /// Runs the judge, whatever status it ends with.
  ///
  /// - Throws: ``CommandError`` when it is missing or does not end in time.
  public func askAnything(_ arguments: [String], input: [UInt8] = [], timeout seconds: Double = 120) throws
    -> CommandResult
  {
    try TestSupport.run(try found(), arguments, input: input, timeout: seconds)
  }

  private func found() throws -> String {
    guard let path else {
      throw CommandError.missing(
        tool: rawValue, remedy: "run `Scripts/setup tests` (LIVEPHOTO_PYTHON names another Python)")
    }
    return path
  }

  private static let pythonPath: String? = {
    let named = ProcessInfo.processInfo.environment["LIVEPHOTO_PYTHON"]
    return findProgram(named ?? "\(packageRoot)/.build/judges/bin/python")
  }()

  private static let currentFFmpegPath: String? = {
    let program = "import imageio_ffmpeg; print(imageio_ffmpeg.get_ffmpeg_exe())"
    guard let pythonPath, let result = try? runChecked(pythonPath, ["-c", program]) else { return nil }
    return result.lines.first.flatMap(findProgram)
  }()
}

extension Trait where Self == ConditionTrait {
  /// Runs the test where all these judges are expected; see ``Judge``.
  public static func judged(by judges: Judge...) -> Self {
    .enabled(
      if: judges.allSatisfy(\.isExpected),
      "not every one of \(judges.map(\.rawValue).joined(separator: ", ")) is installed")
  }
}
