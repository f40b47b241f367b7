#if HEVC
  import Foundation
  import TestSupport
  import Testing

  /// A pair from its making to its checking, by the built tool.
  @Suite struct PairLifeTests {
    let folder: TemporaryFolder
    let tool = EndToEndTests.tool

    init() throws { folder = try TemporaryFolder() }

    func livephoto(_ line: String) throws -> CommandResult {
      try run(tool, line.split(separator: " ").map(String.init), folder: folder.root, timeout: 300)
    }

    func json(_ result: CommandResult) throws -> [String: Any] {
      try #require(try JSONSerialization.jsonObject(with: Data(result.output)) as? [String: Any])
    }

    @Test func aPairIsMadePairedCheckedAndTakenApart() throws {
      let demo = try json(try livephoto("demo -o d --json"))
      let pair = try #require(demo["pair"] as? [String: Any])
      #expect(demo["clip"] as? String == "d/demo-clip.mov")
      #expect(pair["photo"] as? String == "d/demo.HEIC")
      #expect((pair["stillTime"] as? [String: Any])?["rational"] as? String == "740/600")

      // Nothing that exists is touched, and the message says what to do.
      let before = try readFile(folder.path("d/demo.HEIC"))
      let again = try livephoto("make d/demo-clip.mov -o d --name demo")
      #expect(again.status == 1)
      #expect(
        again.errorText.contains("-o") && again.errorText.contains("--name") && again.errorText.contains("--force"))
      #expect(try readFile(folder.path("d/demo.HEIC")) == before)
      let onItself = try livephoto("pair d/demo.HEIC d/demo.MOV -o d --force")
      #expect(onItself.status == 1)
      #expect(try readFile(folder.path("d/demo.HEIC")) == before)

      let uuid = "6B3C9F0E-6A0F-4D55-9C44-0F1E2D3C4B5A"
      let paired = try livephoto(
        "pair d/demo.MOV d/demo.HEIC --id \(uuid.lowercased()) --at 0:00.5 -o new/folder --name x --json")
      #expect(paired.status == 0, "\(paired.errorText)")
      let result = try json(paired)
      #expect(result["identifier"] as? String == uuid)
      #expect(result["movie"] as? String == "new/folder/x.MOV")
      #expect((result["stillTime"] as? [String: Any])?["rational"] as? String == "300/600")
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: folder.path("new/folder")).sorted() == ["x.HEIC", "x.MOV"])

      let good = try livephoto("verify new/folder/x.HEIC new/folder/x.MOV --json")
      #expect(good.status == 0)
      #expect(try json(good)["verdict"] as? String == "pairs")
      let swapped = try livephoto("verify new/folder/x.HEIC d/demo.MOV --json")
      #expect(swapped.status == 1)
      let findings = try #require(try json(swapped)["findings"] as? [[String: Any]])
      #expect(
        findings.contains { $0["rule"] as? String == "identifiers-differ" && $0["severity"] as? String == "error" })

      let inspected = try json(try livephoto("inspect --boxes --json new/folder/x.MOV new/folder/x.HEIC"))
      #expect((inspected["files"] as? [[String: Any]])?.compactMap { $0["identifier"] as? String } == [uuid, uuid])

      #expect(try livephoto("decode d/demo.HEIC -o still.ppm").status == 0)
      let halves = try livephoto("make d/demo-clip.mov --photo still.ppm --at 50% --format jpeg --quality 95 -o j -q")
      #expect(halves.status == 0)
      #expect(halves.errorText == "")
      #expect(try livephoto("verify --strict j/demo-clip.JPG j/demo-clip.MOV").status == 0)
      // A photo keeps its pixels, so what says how to code them is named.
      let kept = try livephoto("make d/demo-clip.mov --photo d/demo.HEIC --format jpeg --quality 5 --json -o k")
      let remark = "d/demo.HEIC: a JPEG or HEIC photo is kept as it is, so nothing came of --format, --quality"
      #expect(kept.status == 0 && kept.errorText == "livephoto: warning: \(remark)\n", "\(kept.errorText)")
      #expect(try json(kept)["warnings"] as? [String] == [remark])
      let asked = try livephoto("make d/demo-clip.mov --photo d/demo.HEIC --format heic -o k --force")
      #expect(asked.status == 0 && asked.errorText.isEmpty, "\(asked.errorText)")
      #expect(try livephoto("encode still.ppm -o still.heic --tile none").status == 0)
      #expect(try livephoto("encode still.ppm -o still.heic").status == 1)
      #expect(try livephoto("encode still.ppm -o still.heic --force --json").status == 0)
    }

    /// Of a long clip the seconds around the still are kept, others as asked, and what was cut is said.
    @Test(.judged(by: .ffmpeg, .ffprobe)) func clipsAreCut() throws {
      try Judge.ffmpeg.ask([
        "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=128x96:rate=30:duration=8", "-c:v", "libx265", "-tag:v",
        "hvc1", "-x265-params", "log-level=none:keyint=60", folder.path("long.mov"),
      ])
      let whole = try json(try livephoto("make long.mov --at 4 --json"))
      let cut = try #require(whole["cut"] as? [String: Any])
      #expect((cut["start"] as? [String: Any])?["seconds"] as? Double == 2.5)
      #expect((cut["duration"] as? [String: Any])?["seconds"] as? Double == 3)
      #expect((whole["stillTime"] as? [String: Any])?["seconds"] as? Double == 1.5)
      let text = try livephoto("make long.mov --at 4 --name again")
      #expect(text.text.contains("kept        3.000 s from 2.500 s on, of 8.000 s; "), "\(text.text)")
      #expect(try livephoto("verify --strict long.HEIC long.MOV").status == 0)
      let full = try json(try livephoto("make long.mov --duration full --json --name full"))
      #expect(full["cut"] == nil)
      let key = try livephoto("make long.mov --at 4 --start 3.1 --duration 1.2 --trim keyframe --name key")
      #expect(key.text.contains("no hidden frame stays in the file"), "\(key.text)")
      let outside = try livephoto("make long.mov --at 7 --start 2 --duration 1 --name outside")
      #expect(outside.status == 1 && outside.errorText.contains("not in what is kept"), "\(outside.errorText)")
      // The marker of a Live Photo that is cut once more is in another part: the middle, with a warning.
      let moved = try livephoto("make long.MOV --start 2 --name moved")
      #expect(moved.status == 0 && moved.errorText.contains("the middle is taken"), "\(moved.errorText)")

      let remuxed = try json(try livephoto("remux long.mov -o part.mp4 --start 2 --duration 1 --header first --json"))
      #expect(remuxed["container"] as? String == "mp4")
      #expect(try livephoto("remux long.mov -o part.mp4").status == 1)
      #expect(try livephoto("remux part.mp4 -o part.mp4 --force").status == 1)
      #expect(try livephoto("remux part.mp4 -o back.mov --interleave 0.5").status == 0)
      #expect(try livephoto("remux long.mov -o none.mov --start 9").errorText.contains("ends at 8.0 s"))
      for name in ["part.mp4", "back.mov", "key.MOV"] {
        let complaint = try Judge.ffprobe.ask(["-v", "warning", folder.path(name)]).errorText
        #expect(complaint.isEmpty || complaint.hasPrefix("Unsupported codec with id 0"), "\(complaint)")
      }
    }

    @Test func wrongHalvesAreNamed() throws {
      #expect(try livephoto("demo -o .").status == 0)
      let two = try livephoto("verify demo.MOV demo-clip.mov")
      #expect(two.status == 1)
      #expect(two.errorText.hasPrefix("livephoto: error: demo.MOV and demo-clip.mov: both are movies"))
      let late = try livephoto("make demo-clip.mov --at 99 -o late")
      #expect(late.status == 1)
      #expect(late.errorText.contains("99"))
      #expect(!FileManager.default.fileExists(atPath: folder.path("late")))
    }
  }
#endif
