import LivePhotoBitstream
import LivePhotoCore
import TestSupport
import Testing

@Suite("HEVC in real files", .needsCorpus)
struct HEVCCorpusTests {
  /// Each different hvcC of the corpus, with a file that it stands in.
  static let configurations: [(path: String, payload: [UInt8])] = {
    var seen: Set<[UInt8]> = []
    return CorpusSets.paths.flatMap { path in
      ((try? CorpusSets.payloads(of: "hvcC", in: path)) ?? []).map { (path, $0) }
    }.filter { seen.insert($0.1).inserted }
  }()

  @Test("Every hvcC is read, and written as it was")
  func roundTrip() throws {
    #expect(Self.configurations.count > 50)
    for (path, payload) in Self.configurations {
      var cursor = ByteCursor(payload.span)
      let configuration = try HEVCDecoderConfiguration(parsing: &cursor)
      #expect(configuration.bytes == payload, "\(path)")
    }
  }

  @Test("Parameter sets say what FFmpeg's trace says", .judged(by: .ffmpeg))
  func trace() throws {
    var units: [(path: String, bytes: [UInt8])] = []
    // FFmpeg 5.1 does not read the extensions of several layers, and stops there.
    for (path, payload) in Self.configurations where !path.contains("multilayer") {
      var cursor = ByteCursor(payload.span)
      units += try HEVCDecoderConfiguration(parsing: &cursor).parameterSets.map { (path, $0) }
    }
    let traces = try SyntaxTrace.traces(of: units.map(\.bytes), codec: "hevc")
    for (unit, trace) in zip(units, traces) { try expectSame(unit.bytes, trace, "\(unit.path)") }
  }
}
