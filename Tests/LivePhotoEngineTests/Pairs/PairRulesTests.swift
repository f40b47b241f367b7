import LivePhotoCore
import Testing

@testable import LivePhotoEngine

@Suite struct PairRulesTests {
  static let identifier = ContentIdentifier(asRead: "00112233-4455-6677-8899-AABBCCDDEEFF")

  /// The facts of a pair without a fault, to be spoilt one by one.
  static func facts() -> PairRules {
    let frame = RationalTime(600, 600)..<RationalTime(620, 600)
    return PairRules(
      photo: PhotoFacts(
        file: "a/IMG.HEIC", kind: .heif, identifier: identifier, displaySize: DisplaySize(width: 4032, height: 3024)),
      movie: MovieFacts(
        file: "a/IMG.MOV", kind: .movie, identifier: identifier, videoCodec: "hvc1",
        displaySize: DisplaySize(width: 1744, height: 1308), duration: 2.5, end: 2.5,
        stillTracks: [.init(time: RationalTime(600, 600), sampleCount: 1, frame: frame)]))
  }

  @Test func aGoodPairHasNoFindings() {
    #expect(Self.facts().findings.isEmpty)
    #expect(VerificationReport(findings: []).verdict == .pairs)
  }

  private static func spoilt(_ change: (inout PairRules) -> Void) -> [Rule] {
    var facts = facts()
    change(&facts)
    return facts.findings.map(\.rule)
  }

  @Test func eachFaultHasItsRule() {
    #expect(Self.spoilt { $0.photo.identifier = nil } == [.photoIdentifierMissing])
    #expect(Self.spoilt { $0.movie.identifier = nil } == [.movieIdentifierMissing])
    #expect(Self.spoilt { $0.movie.identifier = .random() } == [.identifiersDiffer])
    #expect(
      Self.spoilt {
        $0.photo.identifier = ContentIdentifier(asRead: "0011")
        $0.movie.identifier = ContentIdentifier(asRead: "0011")
      } == [.identifierMalformed, .identifierMalformed])
    #expect(Self.spoilt { $0.movie.stillTracks = [] } == [.stillTimeMissing])
    #expect(Self.spoilt { $0.movie.stillTracks[0].sampleCount = 2 } == [.stillTimeAmbiguous])
    #expect(Self.spoilt { $0.movie.stillTracks[0].time = RationalTime(3, 1) } == [.stillTimeOutsideMovie])
    #expect(Self.spoilt { $0.movie.stillTracks[0].time = nil } == [.stillTimeOutsideMovie])
    #expect(Self.spoilt { $0.movie.stillTracks[0].frame = nil } == [.stillTimeBetweenFrames])
    #expect(Self.spoilt { $0.movie.displaySize = DisplaySize(width: 1308, height: 1744) } == [.geometryDiffers])
    #expect(Self.spoilt { $0.movie.videoCodec = "hev1" } == [.videoCodec])
    #expect(Self.spoilt { $0.movie.videoCodec = nil } == [.videoCodec])
    #expect(Self.spoilt { $0.photo.coding = "av01" } == [.photoCodec])
    #expect(Self.spoilt { $0.photo.coding = "hvc1" } == [])
    #expect(Self.spoilt { $0.photo.file = "IMG.JPG" } == [.extensionMismatch])
    #expect(Self.spoilt { $0.movie.file = "IMG" } == [.extensionMismatch])
    #expect(Self.spoilt { ($0.movie.duration, $0.movie.stillTracks[0].time) = (0.5, .zero) } == [.movieShort])
    // Half a second of frames behind an empty edit of two.
    #expect(Self.spoilt { $0.movie.duration = 0.5 } == [.movieShort])
    #expect(
      Self.spoilt { ($0.photo.runTime, $0.movie.firstFrameRunTime) = (100, 97) } == [.runTimeMismatch])
    #expect(Self.spoilt { ($0.photo.runTime, $0.movie.firstFrameRunTime) = (100, 99) } == [])
  }

  @Test func identifiersAreComparedAsStrings() {
    let lower = ContentIdentifier(asRead: Self.identifier.text.lowercased())
    #expect(Self.spoilt { $0.movie.identifier = lower } == [.identifiersDiffer, .identifierMalformed])
  }

  @Test func theVerdictIsThatOfTheWorstFinding() {
    var facts = Self.facts()
    facts.movie.videoCodec = "hev1"
    #expect(VerificationReport(findings: facts.findings).verdict == .pairsWithWarnings)
    facts.photo.identifier = nil
    let report = VerificationReport(findings: facts.findings)
    #expect(report.verdict == .doesNotPair)
    #expect(report.findings.map(\.severity) == [.error, .warning])
  }
}
