import Foundation
import LivePhotoFiles
import TestSupport
import Testing

@Suite("File identity")
struct FileIdentityTests {
  @Test("names and links of one file are one, other files are others, and what is not there has none")
  func identity() throws {
    let folder = try TemporaryFolder()
    let first = try folder.write([1], as: "first"), second = try folder.write([1], as: "second")
    let hard = folder.path("hard"), soft = folder.path("soft"), dangling = folder.path("dangling")
    try FileManager.default.linkItem(atPath: first, toPath: hard)
    try FileManager.default.createSymbolicLink(atPath: soft, withDestinationPath: first)
    try FileManager.default.createSymbolicLink(atPath: dangling, withDestinationPath: folder.path("missing"))
    let identity = try #require(FileIdentity(path: first))
    #expect(FileIdentity(path: hard) == identity && FileIdentity(path: soft) == identity)
    #expect(FileIdentity(path: folder.root + "/./first") == identity)
    #expect(FileIdentity(path: second) != identity)
    #expect(FileIdentity(path: dangling) == nil && FileIdentity(path: folder.path("missing")) == nil)
  }
}
