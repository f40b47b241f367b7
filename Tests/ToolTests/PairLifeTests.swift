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
