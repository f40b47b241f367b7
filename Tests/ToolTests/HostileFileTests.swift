import Foundation
import TestSupport
import Testing

/// Damaged files, and files of another kind, given to the built tool within narrow limits of time and memory.
@Suite struct HostileFileTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// How the tool ended a job.
  struct Outcome {
    var job: String
    var file: String
    var status: Int
    /// Errors that it reported; AV1 decoders below libheif add lines of their own.
    var errors: Int
    /// Files that it wrote.
    var files: Int
  }

  /// Gives each file to every job, with 1 GiB of address space and 10 s each.
  private func attack(_ files: [String]) throws -> [Outcome] {
    let program = """
      ulimit -v 1048576
      tool=$1 photo=$2 movie=$3; shift 3
      attempt() {
        job=$1 && mkdir work && cd work || exit
        timeout 10 "$tool" "$@" >/dev/null 2>../errors
        status=$?
        printf '%s\\t%s\\t%d\\t%d\\t%d\\n' "$job" "$file" "$status" "$(grep -c '^livephoto: error: ' ../errors)" "$(ls | wc -l)"
        cd .. && rm -r work
      }
      for file; do
        attempt inspect "$file" --boxes
        attempt make "$file"
        attempt make "$file" --at best
        attempt make "$file" --still copy --tolerance 1000
        attempt pair "$file" "$movie"
        attempt pair "$photo" "$file"
        attempt verify "$file" "$movie"
        attempt verify "$photo" "$file"
        attempt decode "$file" -o out.y4m
        attempt encode "$file" -o out.jpg
      done
      """
    let photo = Corpus.file(Corpus.path("01-livephotos/iphone13pro", ".HEIC"))
    let movie = Corpus.file(Corpus.path("01-livephotos/iphone13pro", ".MOV"))
    let result = try run(
      "/bin/sh", ["-c", program, "sh", EndToEndTests.tool, photo, movie] + files, folder: folder.root, timeout: 900)
    return try result.lines.map { line in
      let fields = line.components(separatedBy: "\t")
      try #require(fields.count == 5, "\(line)")
      return Outcome(
        job: fields[0], file: fields[1], status: try #require(Int(fields[2])), errors: try #require(Int(fields[3])),
        files: try #require(Int(fields[4])))
    }
  }

  /// A job is done, or ends with one line that says why not and leaves nothing; `verify` may have findings instead.
  private func expectRightEnds(_ outcomes: [Outcome]) {
    for outcome in outcomes {
      #expect((0...1).contains(outcome.status), "\(outcome)")
      guard outcome.status != 0 else { continue }
      #expect(outcome.files == 0, "\(outcome)")
      #expect(outcome.errors == 1 || outcome.job == "verify" && outcome.errors == 0, "\(outcome)")
    }
  }

  @Test(.needsCorpus) func malformedFilesOfTheCorpus() throws {
    let files = Corpus.files(in: "07-malformed")
    let outcomes = try attack(files.map(Corpus.file))
    #expect(outcomes.count == files.count * 10)
    expectRightEnds(outcomes)
    // Much of what is malformed there is so in places that a reader of movies and pictures can pass over.
    #expect(outcomes.contains { $0.status == 0 && $0.job == "pair" })
    #expect(outcomes.contains { $0.status == 1 && $0.job == "inspect" })
  }

  /// What a cut file still holds is found, and what needs the rest is refused.
  @Test(
    .needsCorpus,
    arguments: [(Corpus.path("01-livephotos/iphone13pro", ".HEIC"), 5), ("03-mov-mp4/ax_hlg10-color-test.mp4", 7)])
  func filesCutShort(path: String, inspected: Int) throws {
    let whole = try Corpus.bytes(path)
    let files = try [1, 5, 30, 60, 90, 97, 99].map { part in
      try folder.write(Array(whole[..<(whole.count * part / 100)]), as: "cut-\(part)")
    }
    let outcomes = try attack(files)
    #expect(outcomes.count == files.count * 10)
    expectRightEnds(outcomes)
    // Where all of the header is left, it says what the file held; without the data there is no pair.
    #expect(outcomes.filter { $0.job == "inspect" && $0.status == 0 }.count == inspected)
    #expect(outcomes.allSatisfy { $0.job != "pair" && $0.job != "make" || $0.status == 1 })
  }
}
