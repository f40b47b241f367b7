import LivePhotoBitstream
import LivePhotoCore
import TestSupport
import Testing

@Suite("Parameter sets with all parts present or absent", .judged(by: .ffmpeg))
struct RandomParameterSetTests {
  @Test("HEVC sets say what FFmpeg's trace says")
  func hevc() throws {
    var random = RandomParameterSets(seed: 265)
    let units = (1...7).map { random.vps(subLayers: $0) } + (0..<60).map { _ in random.hevcSPS() }
    let traces = try SyntaxTrace.traces(of: units, codec: "hevc")
    for (index, (unit, trace)) in zip(units, traces).enumerated() {
      try expectSame(unit, trace, "set \(index)")
    }
  }

  @Test("H.264 sets say what FFmpeg's trace says")
  func h264() throws {
    var random = RandomParameterSets(seed: 264)
    let units = (0..<120).map { _ in random.h264SPS() }
    let traces = try SyntaxTrace.traces(of: units, codec: "h264")
    for (index, (unit, trace)) in zip(units, traces).enumerated() {
      expectSame(try H264SequenceParameterSet(parsing: unit.span), trace, "set \(index)")
    }
  }
}
