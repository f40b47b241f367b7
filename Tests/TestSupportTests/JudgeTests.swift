import LivePhotoCore
import TestSupport
import Testing

@Suite struct JudgeTests {
  @Test(arguments: Judge.allCases) func everyJudgeIsInstalled(_ judge: Judge) throws {
    guard judge.isExpected else { return }
    #expect(judge.path != nil, "run Scripts/setup tests")
  }

  @Test(.judged(by: .python)) func pythonHasItsPackages() throws {
    #expect(try python("import pillow_heif, av, numpy, PIL, sys; print(sys.argv[1])", ["yes"]).lines == ["yes"])
  }

  @Test(.judged(by: .ffmpeg, .ffprobe), arguments: [Judge.ffmpeg, .currentFFmpeg])
  func framesAndPacketsAreRead(_ judge: Judge) throws {
    let folder = try TemporaryFolder()
    let clip = folder.path("clip.mov")
    try judge.ask(
      ["-v", "error", "-f", "lavfi", "-i", "testsrc=size=34x22:rate=10:duration=0.5", "-c:v", "ffv1"]
        + ["-pix_fmt", "yuv420p", clip])
    #expect(try packets(of: clip).count == 5)
    #expect(try packetHashes(of: clip)[0]?.count == 5)
    #expect(try streams(of: clip).first?["width"] == "34")
    let frames = try (0..<2).map { try ffmpegFrame($0, of: clip, pixelFormat: "yuv420p", judge: judge) }
    #expect(frames[0].count == 34 * 22 * 3 / 2)
    #expect(psnr(frames[0], frames[1], peak: 255) < .infinity)
  }

  @Test func aProgramIsEndedAfterItsTime() {
    #expect(throws: CommandError.self) { try run("sleep", ["20"], timeout: 0.2) }
  }

  @Test func statusAndBothOutputsAreKept() throws {
    let result = try run("sh", ["-c", "cat; echo wrong >&2; exit 3"], input: Array("right".utf8))
    #expect((result.status, result.text, result.errorText) == (3, "right", "wrong\n"))
  }
}

@Suite struct CorpusTests {
  @Test(.needsCorpus) func filesAreFoundByExtension() throws {
    let movies = Corpus.files(in: "01-livephotos", extensions: ["mov"])
    #expect(movies.count >= 4)
    #expect(try movies.allSatisfy { try Corpus.bytes($0).count > 1000 })
  }
}

@Suite struct DamageTests {
  @Test func damageIsTheSameForTheSameSeed() {
    let whole = [UInt8](0..<100)
    #expect(damagedCopies(of: whole, count: 20, seed: 1) == damagedCopies(of: whole, count: 20, seed: 1))
    #expect(damagedCopies(of: whole, count: 20, seed: 1) != damagedCopies(of: whole, count: 20, seed: 2))
    #expect(truncations(of: whole).map(\.count) == Array(0..<100))
  }

  @Test func ratioOfOneStepIsKnown() {
    // Every sample wrong by one: 20 log10(255).
    #expect(abs(psnr([UInt8](repeating: 7, count: 64), [UInt8](repeating: 8, count: 64), peak: 255) - 48.1308) < 0.001)
  }
}
