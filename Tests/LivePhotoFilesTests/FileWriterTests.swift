import Foundation
import LivePhotoCore
import LivePhotoFiles
import Synchronization
import TestSupport
import Testing

/// The system as it is, and with everything missing that a system or a file system may lack.
let systems: [Facilities] = [.all, [], .namelessFiles, .atomicRename, .kernelCopy]

@Suite struct FileWriterTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  func writer(_ facilities: Facilities = .all, overwrite: Bool = false) -> FileWriter {
    var writer = FileWriter(overwrite: overwrite)
    writer.facilities = facilities
    return writer
  }

  @Test(arguments: systems)
  func carriesOutAPlanOfBytesAndRanges(facilities: Facilities) throws {
    let long = pattern(1_200_001)
    try folder.put(long, at: "source")
    let file = try FileSource(path: folder("source"))
    let window = try SubSource(try SubSource(file, range: 1000..<2000), range: 10..<900)
    let plan = OutputPlan([
      .bytes(pattern(10, seed: 3)), .copy(7..<1_200_000, from: file), .copy(5..<800, from: window),
      .bytes([]), .copy(0..<0, from: file), .copy(1..<4, from: MemorySource([1, 2, 3, 4])),
    ])
    let written = Mutex<[Int]>([])
    var writer = writer(facilities)
    writer.progress = { done, total in
      #expect(total == plan.count)
      written.withLock { $0.append(done) }
    }
    try writer.write(plan, to: folder("goal"))
    #expect(try folder.bytes("goal") == plan.materialized())
    #expect(written.withLock { $0.last } == plan.count)
    #expect(folder.allNames == ["goal", "source"])
  }

  @Test func copiesFromAnotherFileSystem() throws {
    // Memory, where there is such a file system.
    let shared = FileManager.default.isWritableFile(atPath: "/dev/shm") ? "/dev/shm" : "/tmp"
    let path = "\(shared)/livephoto-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let bytes = pattern(1_200_000)
    try writeFile(path, bytes)
    let source = try FileSource(path: path)
    try writer().write(OutputPlan([.copy(0..<bytes.count, from: source)]), to: folder("goal"))
    #expect(folder.bytes("goal") == bytes)
  }

  @Test(arguments: systems)
  func neverTouchesAnExistingFileUnlessTold(facilities: Facilities) throws {
    try folder.put([1], at: "goal")
    let error = #expect(throws: FileError.self) { try writer(facilities).write([2], to: folder("goal")) }
    #expect(error?.cause == .exists)
    #expect(folder.bytes("goal") == [1])
    try writer(facilities, overwrite: true).write([2], to: folder("goal"))
    #expect(folder.bytes("goal") == [2])
    #expect(folder.allNames == ["goal"])
  }

  @Test(arguments: systems)
  func aFailureLeavesNothingBehind(facilities: Facilities) throws {
    try folder.put([1], at: "old")
    let plan = OutputPlan([.bytes(pattern(100)), .copy(0..<10, from: BrokenSource())])
    for name in ["old", "new"] {
      let error = #expect(throws: FileError.self) {
        try writer(facilities, overwrite: true).write(plan, to: folder(name))
      }
      #expect(error?.cause == .source(.failed(name: "broken", offset: 0, reason: "for the test")))
    }
    #expect(folder.allNames == ["old"])
    #expect(folder.bytes("old") == [1])
  }

  @Test(arguments: systems)
  func aSourceThatShrinksIsAnError(facilities: Facilities) throws {
    try folder.put(pattern(5000), at: "source")
    let source = try FileSource(path: folder("source"))
    try folder.shorten("source", to: 100)
    let error = #expect(throws: FileError.self) {
      try writer(facilities).write(OutputPlan([.copy(0..<5000, from: source)]), to: folder("goal"))
    }
    #expect(error?.cause == .source(.shrunk(name: folder("source"), expected: 5000, found: 100)))
    #expect(folder.allNames == ["source"])
  }

  @Test func aRangeBeyondItsSourceIsAnError() throws {
    let plan = OutputPlan([.copy(0..<5, from: MemorySource([1, 2]))])
    let error = #expect(throws: FileError.self) { try writer().write(plan, to: folder("goal")) }
    #expect(error?.cause == .source(.outOfBounds(0..<5, count: 2)))
  }

  @Test(arguments: systems)
  func theGoalMayBeTheSource(facilities: Facilities) throws {
    try folder.put(pattern(9000), at: "file")
    let source = try FileSource(path: folder("file"))
    let plan = OutputPlan([.copy(4000..<9000, from: source), .copy(0..<4000, from: source)])
    try writer(facilities, overwrite: true).write(plan, to: folder("file"))
    #expect(folder.bytes("file") == Array(pattern(9000)[4000...] + pattern(9000)[..<4000]))
  }

  @Test(arguments: systems)
  func aSymbolicLinkIsReplacedAndNotFollowed(facilities: Facilities) throws {
    try folder.put([1], at: "target")
    try folder.link("goal", to: "target")
    #expect(throws: FileError.self) { try writer(facilities).write([2], to: folder("goal")) }
    try writer(facilities, overwrite: true).write([2], to: folder("goal"))
    #expect(folder.bytes("target") == [1])
    #expect(folder.bytes("goal") == [2])
  }

  @Test func whatIsNoRegularFileIsNeverReplaced() throws {
    try folder.makePipe("pipe")
    try folder.link("null", to: "/dev/null")
    let goals = [
      (folder.root, "a folder"), (folder(""), "a folder"), (folder(".."), "a folder"), (folder("pipe"), "a pipe"),
      (folder("null"), "a device"),
    ]
    for (goal, kind) in goals {
      let error = #expect(throws: FileError.self) { try writer(overwrite: true).write([2], to: goal) }
      #expect(error?.cause == .notRegular(kind: kind), "\(goal)")
    }
    #expect(folder.allNames == ["null", "pipe"])
  }

  @Test(arguments: systems)
  func newFilesHonourTheUmask(facilities: Facilities) throws {
    #expect(FileManager.default.createFile(atPath: folder("usual"), contents: nil))
    try writer(facilities).write([1], to: folder("ours"))
    #expect(try folder.permissions("ours") == folder.permissions("usual"))
  }

  @Test(arguments: systems)
  func createsFoldersOnlyWhenToldAndRemovesThemAgain(facilities: Facilities) throws {
    let error = #expect(throws: FileError.self) { try writer().write([1], to: folder("a/b/goal")) }
    #expect(
      error?.description.hasSuffix("No such file or directory; create the folder first, or choose another") == true)
    var creating = FileWriter(durable: true, createsFolders: true)
    creating.facilities = facilities
    let broken = OutputPlan([.copy(0..<1, from: BrokenSource())])
    #expect(throws: FileError.self) { try creating.write(broken, to: folder("a/b/goal")) }
    #expect(folder.allNames == [])
    try creating.write([1], to: folder("a/b//goal"))
    #expect(folder.bytes("a/b/goal") == [1])
    creating.overwrite = true
    #expect(throws: FileError.self) { try creating.write(broken, to: folder("a/c/goal")) }
    #expect(folder.bytes("a/b/goal") == [1])
    #expect(!FileManager.default.fileExists(atPath: folder("a/c")))
  }

  @Test(arguments: systems)
  func bytesMayBeMadeWhileTheFileIsWritten(facilities: Facilities) throws {
    let chunks: [[UInt8]] = [pattern(10), [], pattern(20)]
    try writer(facilities).write(to: folder("goal")) { (sink) throws(FileError) in
      try each(of: chunks) { (chunk) throws(FileError) in try sink.append(chunk) }
    }
    #expect(folder.bytes("goal") == pattern(10) + pattern(20))
    var creating = writer(facilities, overwrite: true)
    creating.createsFolders = true
    for goal in [folder("goal"), folder("a/b")] {
      #expect(throws: StreamedWriteError<any Error>.self) {
        try creating.write(to: goal) { sink in
          try sink.append(pattern(5))
          _ = try BrokenSource().read(0..<1)
        }
      }
    }
    #expect(folder.bytes("goal") == pattern(10) + pattern(20))
    #expect(folder.allNames == ["goal"])
    #expect(throws: StreamedWriteError<Never>.self) { try writer(facilities).write(to: folder("goal")) { _ in } }
  }

  @Test(arguments: systems)
  func partsMayBeWrittenInAnyOrder(facilities: Facilities) throws {
    try writer(facilities).write(to: folder("goal")) { (sink) throws(FileError) in
      try sink.write([7, 8], at: 6)
      try sink.append([1, 2])
      try sink.write([4], at: 3)
      try sink.append([3])
      try sink.write([], at: 100)
    }
    #expect(folder.bytes("goal") == [1, 2, 3, 4, 0, 0, 7, 8])
    #expect(folder.allNames == ["goal"])
  }

  @Test func aPlainFileIsNoFolder() throws {
    try folder.put([1], at: "file")
    let creating = FileWriter(createsFolders: true)
    let error = #expect(throws: FileError.self) { try creating.write([1], to: folder("file/goal")) }
    #expect(error?.reason == "Not a directory")
  }

  @Test func aCancelledTaskLeavesNothing() async throws {
    try folder.put(pattern(5000), at: "source")
    let source = try FileSource(path: folder("source"))
    let goal = folder("goal")
    let task = Task { () -> FileError.Cause? in
      // SAFETY: the task is used only inside the closure.
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      let plan = OutputPlan([.copy(0..<5000, from: source)])
      do throws(FileError) { try FileWriter().write(plan, to: goal) } catch { return error.cause }
      return nil
    }
    #expect(await task.value == .cancelled)
    #expect(folder.allNames == ["source"])
  }
}

/// Hands out one chunk after the other, as a decoder does its frames.
func each<E: Error>(of chunks: [[UInt8]], _ body: ([UInt8]) throws(E) -> Void) throws(E) {
  for chunk in chunks { try body(chunk) }
}

/// A source that cannot be read.
struct BrokenSource: ByteSource {
  let count = 10

  func read(_ range: Range<Int>) throws(SourceError) -> [UInt8] {
    throw .failed(name: "broken", offset: range.lowerBound, reason: "for the test")
  }
}
