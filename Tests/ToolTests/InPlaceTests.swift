#if HEVC
  import Foundation
  import TestSupport
  import Testing

  /// `pair --in-place`, by the built tool, killed at any moment.
  @Suite struct InPlaceTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func livephoto(_ line: String) throws -> CommandResult {
      try run(EndToEndTests.tool, line.split(separator: " ").map(String.init), folder: folder.root, timeout: 60)
    }

    /// The packets of the tracks that were there from the beginning.
    private func packets(_ movie: String) throws -> [String] {
      try Judge.ffprobe.ask([
        "-v", "error", "-select_streams", "v", "-show_entries", "packet=pts,dts,size,pos,flags", "-of", "csv",
        folder.path(movie),
      ]).lines
    }

    @Test(.judged(by: .ffprobe, .exiftool)) func bothHalvesChangeWhereTheyStand() throws {
      #expect(try livephoto("demo -o .").status == 0)
      let before = try packets("demo.MOV"), names = try folder.names()
      let id = "6B3C9F0E-6A0F-4D55-9C44-0F1E2D3C4B5A"
      try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: folder.path("demo.HEIC"))
      let result = try livephoto("pair demo.HEIC demo.MOV --in-place --id \(id) --json")
      #expect(result.status == 0, "\(result.errorText)")
      let pair = try #require(try JSONSerialization.jsonObject(with: Data(result.output)) as? [String: Any])
      #expect(pair["photo"] as? String == "demo.HEIC" && pair["movie"] as? String == "demo.MOV")
      #expect(try livephoto("verify --strict demo.HEIC demo.MOV").status == 0)
      #expect(try packets("demo.MOV") == before)
      let mode = try FileManager.default.attributesOfItem(atPath: folder.path("demo.HEIC"))[.posixPermissions] as? Int
      #expect(mode == 0o640)
      #expect(try folder.names() == names)
      let tags = try Judge.exiftool.ask(["-s3", "-MediaGroupUUID", "-Keys:ContentIdentifier", folder.path("demo.HEIC")])
      #expect(tags.text.contains(id) || tags.text.isEmpty)

      // The same again writes nothing.
      let (photo, movie) = (try readFile(folder.path("demo.HEIC")), try readFile(folder.path("demo.MOV")))
      #expect(try livephoto("pair demo.MOV demo.HEIC --in-place --id keep").status == 0)
      #expect(try readFile(folder.path("demo.HEIC")) == photo)
      #expect(try readFile(folder.path("demo.MOV")) == movie)
      for option in ["-o out", "--name x", "--force"] {
        #expect(try livephoto("pair demo.HEIC demo.MOV --in-place \(option)").status == 2)
      }
    }

    /// Whenever it is killed, both files can be read, and the same command mends the pair.
    @Test(.judged(by: .ffprobe)) func aKillLeavesTwoWholeFiles() throws {
      #expect(try livephoto("demo -o .").status == 0)
      let before = try packets("demo.MOV")
      var unlike = 0
      for round in 0..<60 {
        try killedRun(["pair", "demo.HEIC", "demo.MOV", "--in-place"], in: folder.root, after: Double(round) * 0.0003)
        #expect(try packets("demo.MOV") == before)
        let verified = try livephoto("verify demo.HEIC demo.MOV --json")
        #expect(verified.errorText.isEmpty, "\(verified.errorText)")
        if verified.status == 0 { continue }
        // Only between the two steps can they be unlike.
        unlike += 1
        #expect(verified.text.contains("identifiers-differ") && !verified.text.contains("missing"))
        #expect(try livephoto("pair demo.HEIC demo.MOV --in-place").status == 0)
        #expect(try livephoto("verify demo.HEIC demo.MOV").status == 0)
      }
      #expect(unlike < 10)
      // A name for the moment of a rename is all that a kill can leave.
      let left = try folder.names().filter { $0.hasPrefix(".livephoto-") }
      #expect(left.count < 5, "\(left)")
    }

    @Test func whatCannotBeDoneInPlaceIsSaid() throws {
      #expect(try livephoto("demo -o .").status == 0)
      let movie = try readFile(folder.path("demo.MOV")) + [1, 2, 3]
      _ = try folder.write(movie, as: "demo.MOV")
      let photo = try readFile(folder.path("demo.HEIC"))
      let result = try livephoto("pair demo.HEIC demo.MOV --in-place")
      #expect(result.status == 1)
      #expect(result.errorText.contains("demo.MOV") && result.errorText.contains("where it stands"))
      #expect(try readFile(folder.path("demo.MOV")) == movie)
      #expect(try readFile(folder.path("demo.HEIC")) == photo)
    }
  }

  /// Runs the tool and kills it after some seconds, unless it has come to its end.
  ///
  /// Returns whether it was killed.
  @discardableResult
  func killedRun(_ arguments: [String], in folder: String, after seconds: Double) throws -> Bool {
    let process = Process()
    process.executableURL = URL(filePath: EndToEndTests.tool)
    process.arguments = arguments
    process.currentDirectoryURL = URL(filePath: folder)
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    Thread.sleep(forTimeInterval: seconds)
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    return process.terminationReason == .uncaughtSignal
  }
#endif
