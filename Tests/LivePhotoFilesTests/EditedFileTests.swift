import Foundation
import LivePhotoCore
import LivePhotoFiles
import Synchronization
import TestSupport
import Testing

/// Whether a job of a test is done, told to another thread.
private final class Flag: Sendable {
  let isDone = Atomic(false)
}

@Suite struct EditedFileTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private let edit = InPlaceEdit(
    fileSize: 4, hidden: [InPlaceEdit.Write([9], at: 3)], commit: InPlaceEdit.Write([8], at: 0))

  /// A descriptor that is closed twice may be somebody else's by then: what another thread opens has to stay open.
  @Test func aBusyFileLeavesOtherDescriptorsAlone() async throws {
    try folder.put([1, 2, 3, 4], at: "busy")
    try folder.put([5], at: "other")
    let (busy, other) = (folder("busy"), folder("other"))
    let holder = try EditedFile(path: busy)
    let flag = Flag()
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        defer { flag.isDone.store(true, ordering: .relaxed) }
        for _ in 0..<20_000 {
          let error = #expect(throws: FileError.self) { try EditedFile(path: busy) }
          try #require(error?.cause == .busy)
        }
      }
      group.addTask {
        while !flag.isDone.load(ordering: .relaxed) {
          let file = try FileSource(path: other)
          for _ in 0..<4 { try #require(try file.read(0..<1) == [5]) }
        }
      }
      try await group.waitForAll()
    }
    try holder.apply(edit)
    #expect(folder.bytes("busy") == [8, 2, 3, 9])
  }

  @Test func noFileMayReplaceTheOneThatIsEdited() throws {
    try folder.put([1, 2, 3, 4], at: "movie")
    try folder.link("link", to: folder("movie"))
    let edited = try EditedFile(path: folder("movie"))
    let new = OutputPlan([.bytes([7])])
    for name in ["movie", "../\(URL(filePath: folder.root).lastPathComponent)/movie", "link"] {
      let files = [NewFile(new, at: folder("photo")), NewFile(new, at: folder(name))]
      let error = #expect(throws: FileError.self) {
        try FileWriter(overwrite: true).place(files, with: edit, of: edited)
      }
      #expect(error?.cause == .sameGoal(as: folder("movie")))
    }
    let twice = [NewFile(new, at: folder("photo")), NewFile(new, at: folder("./photo"))]
    let error = #expect(throws: FileError.self) { try FileWriter().place(twice, with: edit, of: edited) }
    #expect(error?.cause == .sameGoal(as: folder("photo")))
    #expect(folder.bytes("movie") == [1, 2, 3, 4] && folder.allNames == ["link", "movie"])
    try FileWriter().place([NewFile(new, at: folder("photo"))], with: edit, of: edited)
    #expect(folder.bytes("movie") == [8, 2, 3, 9] && folder.bytes("photo") == [7])
  }
}
