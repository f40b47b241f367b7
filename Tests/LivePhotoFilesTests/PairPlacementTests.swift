import Foundation
import LivePhotoCore
import LivePhotoFiles
import TestSupport
import Testing

@Suite struct PairPlacementTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  func place(
    _ first: OutputPlan, _ second: OutputPlan, _ facilities: Facilities, overwrite: Bool = false
  ) throws(FileError) {
    var writer = FileWriter(overwrite: overwrite)
    writer.facilities = facilities
    try writer.place([NewFile(first, at: folder("photo")), NewFile(second, at: folder("movie"))])
  }

  func bytes(_ value: UInt8) -> OutputPlan { OutputPlan([.bytes([value])]) }

  @Test(arguments: systems, [false, true])
  func bothArePutInPlace(facilities: Facilities, overwrite: Bool) throws {
    if overwrite { try folder.put([0], at: "movie") }
    try place(bytes(1), bytes(2), facilities, overwrite: overwrite)
    #expect(folder.bytes("photo") == [1])
    #expect(folder.bytes("movie") == [2])
    #expect(folder.allNames == ["movie", "photo"])
  }

  @Test(arguments: systems)
  func neitherIsWhenOneExists(facilities: Facilities) throws {
    try folder.put([0], at: "movie")
    #expect(throws: FileError.self) { try place(bytes(1), bytes(2), facilities) }
    #expect(folder.allNames == ["movie"])
    #expect(folder.bytes("movie") == [0])
  }

  @Test(arguments: systems)
  func theFirstIsTakenBackWhenTheSecondCannotBePlaced(facilities: Facilities) throws {
    // The second goal comes into being while the bytes are written, after both goals were found free.
    let late = OutputPlan([.copy(0..<1, from: Meddler(path: folder("movie"), makesFolder: false))])
    let error = #expect(throws: FileError.self) { try place(bytes(1), late, facilities) }
    #expect(error?.cause == .exists)
    #expect(folder.allNames == ["movie"])
  }

  @Test(arguments: systems)
  func whatTheFirstReplacedIsThereAgain(facilities: Facilities) throws {
    try folder.put([7, 7], at: "photo")
    let late = OutputPlan([.copy(0..<1, from: Meddler(path: folder("movie"), makesFolder: true))])
    let error = #expect(throws: FileError.self) { try place(bytes(1), late, facilities, overwrite: true) }
    #expect(error?.cause == .notRegular(kind: "a folder"))
    #expect(folder.bytes("photo") == [7, 7])
    #expect(folder.allNames == ["movie", "photo"])
  }

  @Test(arguments: systems)
  func aFailureOfTheSecondsBytesLeavesTheFirstAsItWas(facilities: Facilities) throws {
    try folder.put([7], at: "photo")
    let broken = OutputPlan([.copy(0..<1, from: BrokenSource())])
    #expect(throws: FileError.self) { try place(bytes(1), broken, facilities, overwrite: true) }
    #expect(folder.bytes("photo") == [7])
    #expect(folder.allNames == ["photo"])
  }

  @Test func twoFilesCannotHaveOneGoal() throws {
    let files = [
      NewFile(bytes(1), at: folder("one")),
      NewFile(bytes(2), at: folder("../\(URL(fileURLWithPath: folder.root).lastPathComponent)/one")),
    ]
    let error = #expect(throws: FileError.self) { try FileWriter(overwrite: true).place(files) }
    #expect(error?.cause == .sameGoal(as: folder("one")))
    #expect(folder.allNames == [])
  }
}

/// A source that, when it is read, puts something at a path.
struct Meddler: ByteSource {
  let path: String
  let makesFolder: Bool
  let count = 1

  func read(_ range: Range<Int>) throws(SourceError) -> [UInt8] {
    if makesFolder {
      try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    } else {
      _ = FileManager.default.createFile(atPath: path, contents: nil)
    }
    return [2]
  }
}
