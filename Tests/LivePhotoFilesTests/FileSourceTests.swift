import Foundation
import LivePhotoCore
import LivePhotoFiles
import TestSupport
import Testing

@Suite struct FileSourceTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test(arguments: [0..<0, 0..<1, 5..<4100, 0..<5000, 4999..<5000, 5000..<5000])
  func readsWhatTheFileHolds(range: Range<Int>) throws {
    let bytes = pattern(5000)
    try folder.put(bytes, at: "file")
    let source = try FileSource(path: folder("file"))
    #expect(source.count == 5000)
    #expect(try source.read(range) == Array(bytes[range]))
  }

  @Test func refusesARangeBeyondTheEnd() throws {
    try folder.put(pattern(10), at: "file")
    let source = try FileSource(path: folder("file"))
    #expect(throws: SourceError.outOfBounds(5..<11, count: 10)) { try source.read(5..<11) }
    #expect(throws: SourceError.outOfBounds(-1..<2, count: 10)) { try source.read(-1..<2) }
  }

  @Test func noticesThatTheFileShrank() throws {
    try folder.put(pattern(100), at: "file")
    let source = try FileSource(path: folder("file"))
    try folder.shorten("file", to: 40)
    #expect(throws: SourceError.shrunk(name: folder("file"), expected: 100, found: 40)) { try source.read(30..<50) }
    #expect(try source.read(0..<40) == Array(pattern(100)[..<40]))
  }

  @Test func keepsTheFileItOpenedWhenTheNameIsGivenToAnother() throws {
    try folder.put(pattern(50), at: "file")
    let source = try FileSource(path: folder("file"))
    try FileManager.default.removeItem(atPath: folder("file"))
    try folder.put(pattern(50, seed: 9), at: "file")
    #expect(try source.read(0..<50) == pattern(50))
  }

  @Test func readsFromManyThreadsAtOnce() async throws {
    let bytes = pattern(100_000)
    try folder.put(bytes, at: "file")
    let source = try FileSource(path: folder("file"))
    let results = await withTaskGroup(of: Bool.self) { group in
      for part in 0..<50 {
        group.addTask {
          (try? source.read(part * 2000..<(part + 1) * 2000)) == Array(bytes[part * 2000..<(part + 1) * 2000])
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(results == Array(repeating: true, count: 50))
  }

  @Test func refusesWhatIsNoRegularFile() throws {
    try folder.makePipe("pipe")
    for (path, kind) in [(folder.root, "a folder"), (folder("pipe"), "a pipe"), ("/dev/null", "a device")] {
      let error = #expect(throws: FileError.self) { try FileSource(path: path) }
      #expect(error?.cause == .notRegular(kind: kind))
      #expect(error?.description == "\(path): cannot open it: it is \(kind), not a file; give the path of a file")
    }
  }

  @Test func saysThatThereIsNoSuchFile() throws {
    let error = #expect(throws: FileError.self) { try FileSource(path: folder("none")) }
    #expect(error?.operation == .open)
    #expect(error?.description == "\(folder("none")): cannot open it: No such file or directory; check the path")
  }
}
