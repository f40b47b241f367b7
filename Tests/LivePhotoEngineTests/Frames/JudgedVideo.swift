import LivePhotoCore
import LivePhotoEngine
import TestSupport
import Testing

/// A movie, or a stream without a container, decoded to Y4M and held against current FFmpeg's frames.
struct JudgedVideo {
  private let path: String
  private let isUpright: Bool?
  private let arguments: [String]

  /// - Parameter arguments: what FFmpeg is told before the file.
  init(_ path: String, upright: Bool? = nil, ffmpeg arguments: [String] = []) {
    self.path = path
    isUpright = upright
    self.arguments = arguments
  }

  /// Expects what our Y4M holds, without its own lines, to be what FFmpeg decodes.
  func expectSame(frames count: Int, by folder: TemporaryFolder) throws {
    let goal = folder.path("ours.y4m")
    let report = try PictureDecoder(isUpright: isUpright).decode(path, as: .y4m, to: goal, overwrite: true)
    let theirs = try Judge.currentFFmpeg.ask(
      ["-v", "error"] + arguments + ["-i", path, "-map", "0:v", "-fps_mode", "passthrough", "-f", "rawvideo", "-"]
    ).output
    #expect(report.frames == count)
    let ours = try readFile(goal)
    let size = theirs.count / count
    let first = try #require(ours.firstIndex(of: 0x0A)) + 1
    try #require(ours.count == first + count * (size + 6))
    let isSame = (0..<count).allSatisfy { frame in
      let start = first + frame * (size + 6)
      return ours[start..<start + 6].elementsEqual("FRAME\n".utf8)
        && ours[start + 6..<start + 6 + size].elementsEqual(theirs[frame * size..<(frame + 1) * size])
    }
    #expect(isSame)
  }
}
