import LivePhotoCore
import TestSupport

/// A frame of video as FFmpeg plays it.
struct PlayedFrame: Equatable {
  var time: RationalTime
  var hash: String
}

/// FFmpeg said no time base of a movie, so that it has played no video.
private struct NoTimeBase: Error {
  var path: String
}

/// All frames of a movie's first video track, each once, as the current FFmpeg plays them.
func playedFrames(of path: String) throws -> [PlayedFrame] {
  let lines = try Judge.currentFFmpeg.ask([
    "-v", "error", "-i", path, "-map", "0:v:0", "-fps_mode", "passthrough", "-f", "framemd5", "-",
  ]).lines
  let base = lines.first { $0.hasPrefix("#tb ") }?.split(separator: " ").last?.split(separator: "/")
    .compactMap { Int64($0) }
  guard let base, base.count == 2 else { throw NoTimeBase(path: path) }
  return lines.filter { !$0.hasPrefix("#") }.compactMap { line in
    let fields = line.split(separator: ",").map { String($0.drop { $0 == " " }) }
    guard fields.count == 6, let pts = Int64(fields[2]) else { return nil }
    return PlayedFrame(time: RationalTime(pts * base[0], base[1]), hash: fields[5])
  }
}

/// The sound of a movie as the current FFmpeg plays it: 32-bit floats, channels by turns.
func playedSound(of path: String) throws -> [UInt8] {
  try Judge.currentFFmpeg.ask(["-v", "error", "-i", path, "-map", "0:a:0", "-f", "f32le", "-"]).output
}

/// What ffprobe has to complain about, without addresses.
func ffprobeWarnings(of path: String) throws -> Set<String> {
  let lines = try Judge.ffprobe.askAnything(["-v", "warning", path]).errorText.split(whereSeparator: \.isNewline)
  return Set(lines.map { String($0).replacing(#/0x[0-9a-f]+/#, with: "") })
}

/// What exiftool finds wrong.
func exiftoolFindings(of path: String) throws -> Set<String> {
  Set(try Judge.exiftool.askAnything(["-validate", "-warning", "-a", "-s3", path]).lines)
}
