#if HEVC
  import Foundation
  import TestSupport
  import Testing

  /// What the tool does when the system fails it, or ends it: an error, sources untouched, goals whole or as they were, and nothing
  /// left behind.
  @Suite(.serialized) struct FaultTests {
    let folder: TemporaryFolder
    /// The files that jobs read.
    static let sources = ["clip.mov", "photo.HEIC"]
    /// One job of each kind, with what it makes in the folder `out`.
    static let jobs: [(line: String, makes: [String])] = [
      ("make clip.mov -o out", ["clip.HEIC", "clip.MOV"]),
      ("pair photo.HEIC clip.mov -o out", ["photo.HEIC", "photo.MOV"]),
      ("encode photo.HEIC -o out/x.heic", ["x.heic"]),
      ("decode photo.HEIC -o out/x.ppm", ["x.ppm"]),
      ("decode clip.mov -o out/x.y4m", ["x.y4m"]),
    ]

    init() throws {
      folder = try TemporaryFolder()
      #expect(try livephoto("demo -o d").status == 0)
      try FileManager.default.moveItem(atPath: folder.path("d/demo-clip.mov"), toPath: folder.path("clip.mov"))
      try FileManager.default.moveItem(atPath: folder.path("d/demo.HEIC"), toPath: folder.path("photo.HEIC"))
      try FileManager.default.removeItem(atPath: folder.path("d"))
      try FileManager.default.createDirectory(atPath: folder.path("out"), withIntermediateDirectories: false)
    }

    private func livephoto(_ line: String, in root: String? = nil) throws -> CommandResult {
      try run(
        EndToEndTests.tool, line.split(separator: " ").map(String.init), folder: root ?? folder.root, timeout: 120)
    }

    private func names(_ path: String) -> [String] {
      ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
    }

    private func sourceBytes() throws -> [[UInt8]] { try Self.sources.map { try readFile(folder.path($0)) } }

    private func expectNothing(of result: CommandResult, _ line: String, in out: String, saying text: String) {
      #expect(result.status == 1, "\(line)")
      #expect(result.text == "" && result.errorText.split(separator: "\n").count == 1, "\(line): \(result.errorText)")
      #expect(result.errorText.contains(text), "\(line): \(result.errorText)")
      #expect(names(out) == [], "\(line)")
    }

    // MARK: The system refuses

    /// A limit on the size of files stands for a full disk where nobody may mount one.
    @Test func aFileThatCannotGrowIsAnError() throws {
      let before = try sourceBytes()
      for job in Self.jobs {
        let result = try run(
          "/bin/sh", ["-c", "trap '' XFSZ; ulimit -f 16; exec '\(EndToEndTests.tool)' \(job.line)"], folder: folder.root
        )
        expectNothing(of: result, job.line, in: folder.path("out"), saying: "File too large")
      }
      #expect(try sourceBytes() == before)
    }

    @Test(.enabled(if: getuid() == 0 && findProgram("mount") != nil, "only root may mount a small disk"))
    func aFullDiskIsAnError() throws {
      let before = try sourceBytes()
      let out = folder.path("out")
      let mounted = try run("mount", ["-t", "tmpfs", "-o", "size=64k", "none", out])
      try #require(mounted.status == 0, "a small disk cannot be mounted here: \(mounted.errorText)")
      defer { _ = try? run("umount", [out]) }
      for job in Self.jobs {
        expectNothing(
          of: try livephoto(job.line), job.line, in: out, saying: "No space left on device; free some space")
      }
      #expect(try sourceBytes() == before)
      // In place: the movie grows by its header, for which there is no room.
      _ = try run("mount", ["-o", "remount,size=2560k", out])
      for source in Self.sources {
        try FileManager.default.copyItem(atPath: folder.path(source), toPath: "\(out)/\(source)")
      }
      let filler = FileManager.default.createFile(atPath: "\(out)/filler", contents: nil)
      #expect(filler)
      _ = try run("/bin/sh", ["-c", "cat /dev/zero > filler"], folder: out)
      let result = try livephoto("pair photo.HEIC clip.mov --in-place", in: out)
      #expect(result.status == 1 && result.errorText.contains("No space left"), "\(result.errorText)")
      #expect(try Self.sources.map { try readFile("\(out)/\($0)") } == before)
      #expect(names(out) == ["clip.mov", "filler", "photo.HEIC"])
    }

    /// Root may write anywhere, so it gives its rights away first.
    @Test(.enabled(if: getuid() != 0 || findProgram("setpriv") != nil, "root needs setpriv to give its rights away"))
    func aFolderThatMayNotBeWrittenToIsAnError() throws {
      let out = folder.path("out")
      try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: out)
      defer { try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: out) }
      let unprivileged = ["--reuid=65534", "--regid=65534", "--clear-groups", EndToEndTests.tool]
      for job in Self.jobs {
        let words = job.line.split(separator: " ").map(String.init)
        let result =
          getuid() == 0
          ? try run("setpriv", unprivileged + words, folder: folder.root)
          : try run(EndToEndTests.tool, words, folder: folder.root)
        expectNothing(of: result, job.line, in: out, saying: "Permission denied; check who may write there")
      }
    }

    @Test(.enabled(if: FileManager.default.isWritableFile(atPath: "/dev/shm"), "there is no other file system"))
    func anotherFileSystemIsAsGoodAsThisOne() throws {
      let other = "/dev/shm/livephoto-\(UUID().uuidString)"
      defer { try? FileManager.default.removeItem(atPath: other) }
      try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: false)
      for job in Self.jobs {
        let result = try livephoto(job.line.replacing(" out", with: " \(other)"))
        #expect(result.status == 0, "\(job.line): \(result.errorText)")
      }
      #expect(names(other) == Self.jobs.flatMap(\.makes).sorted())
      #expect(try livephoto("verify \(other)/clip.HEIC \(other)/clip.MOV").status == 0)
    }

    // MARK: The source changes, the process ends

    /// The clip with a free box of so many bytes behind it, which takes a while to copy and no room on the disk.
    private func lengthenClip(to size: UInt64) throws {
      let handle = try FileHandle(forUpdating: URL(filePath: folder.path("clip.mov")))
      let end = try handle.seekToEnd(), rest = UInt32(size - end)
      try handle.write(
        contentsOf: Data((0..<4).map { UInt8(truncatingIfNeeded: rest >> (24 - 8 * UInt32($0))) } + Array("free".utf8)))
      try handle.truncate(atOffset: size)
      try handle.close()
    }

    @Test func aSourceThatShrinksIsAnError() throws {
      try lengthenClip(to: 1_500_000_000)
      var failures = 0
      for delay in [0.05, 0.1, 0.15, 0.2, 0.3, 0.4] where failures == 0 {
        let process = Process(), errors = Pipe()
        process.executableURL = URL(filePath: EndToEndTests.tool)
        process.arguments = ["pair", "photo.HEIC", "clip.mov", "-o", "out", "--force", "-q"]
        process.currentDirectoryURL = URL(filePath: folder.root)
        process.standardError = errors
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        Thread.sleep(forTimeInterval: delay)
        let handle = try FileHandle(forUpdating: URL(filePath: folder.path("clip.mov")))
        try handle.truncate(atOffset: 60_000_000)
        let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        if process.terminationStatus == 0 {
          for name in names(folder.path("out")) {
            try FileManager.default.removeItem(atPath: folder.path("out/\(name)"))
          }
        } else {
          failures += 1
          #expect(text.contains("shorter") || text.contains("truncated") || text.contains("'free'"), "\(text)")
          #expect(names(folder.path("out")) == [])
        }
        try handle.truncate(atOffset: 1_500_000_000)
        try handle.close()
      }
      #expect(failures > 0, "the source was never caught while it was read")
    }

    @Test(arguments: jobs.indices) func aKillLeavesNothingHalf(index: Int) throws {
      let job = Self.jobs[index]
      if job.line.hasPrefix("make") || job.line.hasPrefix("pair") { try lengthenClip(to: 300_000_000) }
      let before = try sourceBytes(), out = folder.path("out")
      let start = Date()
      #expect(try livephoto(job.line + " --force").status == 0)
      var length = Date().timeIntervalSince(start)
      let sizes = try job.makes.map { try readFile("\(out)/\($0)").count }
      for name in job.makes { try FileManager.default.removeItem(atPath: "\(out)/\(name)") }
      let words = job.line.split(separator: " ").map(String.init)
      var kills = 0
      // On a busy machine the first run may have taken longer than the others do.
      for attempt in 0..<45 where attempt < 9 || kills < 5 {
        if try killedRun(words, in: folder.root, after: length * Double(attempt % 9) / 8) {
          kills += 1
        } else {
          length *= 0.8
        }
        for name in names(out) {
          let place = try #require(job.makes.firstIndex(of: name), "\(name) was left behind by \(job.line)")
          #expect(try readFile("\(out)/\(name)").count == sizes[place], "\(name) is not whole")
          try FileManager.default.removeItem(atPath: "\(out)/\(name)")
        }
      }
      #expect(kills > 3, "\(job.line) was killed \(kills) times")
      #expect(try sourceBytes() == before)
    }

    /// What a goal held before is there, or the whole new file.
    @Test func aKillLeavesTheOldGoal() throws {
      let old = Array("old".utf8)
      for part in 0..<12 {
        _ = try folder.write(old, as: "out/x.heic")
        try killedRun(
          ["encode", "photo.HEIC", "-o", "out/x.heic", "--force"], in: folder.root, after: Double(part) * 0.02)
        let found = try readFile(folder.path("out/x.heic"))
        #expect(found == old || found.starts(with: [0, 0, 0]) && found.count > 10_000)
        #expect(names(folder.path("out")).count { $0 != "x.heic" } < 2)
      }
    }

    // MARK: Progress

    @Test(.enabled(if: findProgram("script") != nil, "`script` makes a terminal for the tool"))
    func progressIsShownOnATerminalOnly() throws {
      func onTerminal(_ line: String) throws -> String {
        try runChecked(
          "script", ["-qec", "'\(EndToEndTests.tool)' \(line)", "/dev/null"], environment: ["TERM": "xterm"],
          folder: folder.root
        ).text
      }
      let line = "pair photo.HEIC clip.mov -o out --force"
      let shown = try onTerminal(line)
      #expect(
        shown.contains("[########################################] 100%") && shown.contains("\u{1B}[K"), "\(shown)")
      #expect(try !onTerminal(line + " --quiet").contains("%"))
      let piped = try livephoto(line)
      #expect(piped.status == 0 && piped.errorText.isEmpty && !piped.text.contains("%"))
    }
  }
#endif
