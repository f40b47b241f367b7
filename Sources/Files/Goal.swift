#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Where a new file goes: a name in a folder that is open, so that it stays the same folder.
struct Goal {
  /// The path as the caller gave it.
  let path: String
  let folder: Folder
  let name: String

  /// Opens the folder of `path`.
  init(path: String) throws(FileError) {
    let (folder, name) = Self.split(path)
    guard !["", ".", ".."].contains(name) else { throw FileError(.create, path, .notRegular(kind: "a folder")) }
    self.path = path
    self.name = name
    self.folder = try Folder(path: folder, for: path)
  }

  /// The folder and the name in it that a path means.
  static func split(_ path: String) -> (folder: String, name: String) {
    guard let slash = path.lastIndex(of: "/") else { return (".", path) }
    let folder = path[..<slash]
    return (folder.isEmpty ? "/" : String(folder), String(path[path.index(after: slash)...]))
  }

  /// Refuses a goal that must not be replaced.
  func check(overwrite: Bool) throws(FileError) {
    guard let status = System.status(of: name, in: folder.descriptor, followingLinks: false) else { return }
    // A link to a device, such as /dev/stdout, is no more to be replaced than the device.
    let isLink = status.st_mode & S_IFMT == S_IFLNK
    let target = isLink ? System.status(of: name, in: folder.descriptor, followingLinks: true) : status
    if let target, let kind = FileKind.name(of: target) { throw FileError(.create, path, .notRegular(kind: kind)) }
    if !overwrite { throw FileError(.create, path, .exists) }
  }

  /// The file that the name leads to now; nil when there is none.
  var identity: FileIdentity? {
    FileIdentity(System.status(of: name, in: folder.descriptor, followingLinks: true))
  }

  /// Whether both are the same name in the same folder.
  func isSame(as other: Goal) -> Bool { name == other.name && folder.isSame(as: other.folder) }
}

/// An open folder.
final class Folder {
  let descriptor: CInt

  /// Opens the folder that `goal` is to be put in.
  init(path: String, for goal: String) throws(FileError) {
    // SAFETY: the path is a terminated string for the length of the call.
    switch System.call({ unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }) {
    case .success(let descriptor): self.descriptor = CInt(truncatingIfNeeded: descriptor)
    case .failure(let code): throw FileError(.create, goal, code: code)
    }
  }

  deinit { close(descriptor) }

  func isSame(as other: Folder) -> Bool {
    guard let identity = FileIdentity(of: descriptor) else { return false }
    return identity == FileIdentity(of: other.descriptor)
  }

  /// Brings the folder's names to the disk.
  func sync(_ path: String) throws(FileError) {
    if let code = System.call({ fsync(descriptor) }).code { throw FileError(.sync, path, code: code) }
  }
}

/// The folders that a job had to create.
final class CreatedFolders {
  private var paths: [String] = []

  /// Creates what is missing of the folder of `path`.
  func create(for path: String) throws(FileError) {
    try create(folder: Goal.split(path).folder, for: path)
  }

  private func create(folder: String, for path: String) throws(FileError) {
    switch Self.make(folder) {
    case .success: paths.append(folder)
    case .failure(EEXIST): break
    case .failure(ENOENT):
      let parent = Goal.split(folder).folder
      guard parent != folder, !folder.isEmpty else { throw FileError(.create, path, code: ENOENT) }
      try create(folder: parent, for: path)
      if case .success = Self.make(folder) { paths.append(folder) }
    case .failure(let code): throw FileError(.create, path, code: code)
    }
  }

  private static func make(_ folder: String) -> SystemResult {
    // SAFETY: the path is a terminated string for the length of the call.
    System.call { unsafe mkdir(folder, 0o777) }
  }

  /// Brings their names to the disk.
  func sync() throws(FileError) {
    for path in paths { try Folder(path: Goal.split(path).folder, for: path).sync(path) }
  }

  /// Removes them again, as far as they are empty.
  func remove() {
    // SAFETY: the path is a terminated string for the length of the call.
    for path in paths.reversed() { _ = unsafe rmdir(path) }
    paths = []
  }
}
