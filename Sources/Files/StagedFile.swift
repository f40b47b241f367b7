internal import LivePhotoCore

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A file being written beside its goal, and how it gets there.
///
/// What was not published is gone with the last reference.
final class StagedFile {
  let goal: Goal
  private let facilities: Facilities
  private let descriptor: CInt
  /// The name it has in the goal's folder before it is published; nil while it has none.
  private var name: String?
  /// The name under which what the goal held before is kept.
  private var backup: String?
  private var isPublished = false

  /// Creates an empty file in the goal's folder.
  init(for goal: Goal, _ facilities: Facilities) throws(FileError) {
    self.goal = goal
    self.facilities = facilities
    if facilities.contains(.namelessFiles), let descriptor = Self.openNameless(in: goal.folder) {
      self.descriptor = descriptor
      return
    }
    let name = Self.temporaryName()
    // SAFETY: the name is a terminated string for the length of the call.
    let result = System.call {
      unsafe openat(goal.folder.descriptor, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o666)
    }
    switch result {
    case .success(let descriptor): self.descriptor = CInt(truncatingIfNeeded: descriptor)
    case .failure(let code): throw FileError(.create, goal.path, code: code)
    }
    self.name = name
  }

  deinit {
    if let name, !isPublished { System.remove(name, in: goal.folder.descriptor) }
    close(descriptor)
  }

  /// A file without a name, which vanishes even if the process is killed; nil where the system has none.
  private static func openNameless(in folder: Folder) -> CInt? {
    guard let flag = LinuxCalls.temporaryFile else { return nil }
    // SAFETY: the name is a constant terminated string.
    let result = System.call { unsafe openat(folder.descriptor, ".", flag | O_WRONLY | O_CLOEXEC, 0o666) }
    guard case .success(let value) = result else { return nil }
    let descriptor = CInt(truncatingIfNeeded: value)
    // It can be given a name only through /proc, which a container may lack.
    // SAFETY: the path is a terminated string for the length of the call.
    guard unsafe access(namePath(of: descriptor), F_OK) == 0 else {
      close(descriptor)
      return nil
    }
    return descriptor
  }

  private static func namePath(of descriptor: CInt) -> String { "/proc/self/fd/\(descriptor)" }

  private static func temporaryName() -> String {
    ".livephoto-" + String(UInt64.random(in: .min ... .max), radix: 36) + ".tmp"
  }

  /// Carries out `plan`.
  func write(_ plan: OutputPlan, _ meter: inout Meter) throws(FileError) {
    let copier = PlanCopier(descriptor: descriptor, path: goal.path, usesKernel: facilities.contains(.kernelCopy))
    for piece in plan.pieces { try copier.write(piece, &meter) }
  }

  /// Writes bytes at an offset.
  func write(_ bytes: [UInt8], at offset: Int) throws(FileError) {
    try PlanCopier(descriptor: descriptor, path: goal.path, usesKernel: false).write(bytes, at: offset)
  }

  /// Gives the file the permissions, and where the system lets it the owner, of the one that has its goal's name.
  func takePermissions() {
    guard let status = System.status(of: goal.name, in: goal.folder.descriptor, followingLinks: false),
      FileKind.name(of: status) == nil
    else { return }
    // Changing the owner takes away some permissions, so it comes first.
    _ = System.call { fchown(descriptor, status.st_uid, status.st_gid) }
    _ = System.call { fchmod(descriptor, status.st_mode & 0o7777) }
  }

  /// Brings the bytes to the disk.
  func sync() throws(FileError) {
    if let code = System.call({ fsync(descriptor) }).code { throw FileError(.sync, goal.path, code: code) }
  }
}

// MARK: Getting the name

extension StagedFile {
  /// Gives the file its name; `revocable` keeps what was replaced until ``conclude()``.
  func publish(overwrite: Bool, revocable: Bool) throws(FileError) {
    // Asked again: something may have come to the goal's name while the bytes were written.
    try goal.check(overwrite: overwrite)
    let result = overwrite ? replaceGoal(revocable: revocable) : takeFreeName()
    switch result {
    case .success: isPublished = true
    case .failure(EEXIST): throw FileError(.place, goal.path, .exists)
    case .failure(let code): throw FileError(.place, goal.path, code: code)
    }
  }

  /// Takes the goal's name if nothing has it.
  private func takeFreeName() -> SystemResult {
    guard let name else { return linkNameless(as: goal.name) }
    let renamed = renameAtomically(name, .keepingGoal)
    guard Self.isMissing(renamed) else { return renamed }
    let linked = link(name, as: goal.name)
    if linked.succeeded { System.remove(name, in: goal.folder.descriptor) }
    return linked
  }

  /// Takes the goal's name, whether or not something has it.
  private func replaceGoal(revocable: Bool) -> SystemResult {
    let temporary: String
    if let name {
      temporary = name
    } else {
      temporary = Self.temporaryName()
      let linked = linkNameless(as: temporary)
      guard linked.succeeded else { return linked }
      name = temporary
    }
    guard revocable else { return rename(temporary, to: goal.name) }
    let exchanged = renameAtomically(temporary, .exchanging)
    if exchanged.succeeded { backup = temporary }
    if exchanged.code == ENOENT { return takeFreeName() }
    guard Self.isMissing(exchanged) else { return exchanged }
    let old = Self.temporaryName()
    let kept = link(goal.name, as: old)
    if kept.code == ENOENT { return takeFreeName() }
    guard kept.succeeded else { return kept }
    backup = old
    return rename(temporary, to: goal.name)
  }

  /// Takes the file's name away again and gives back what it replaced.
  func withdraw() {
    guard isPublished, let mine = System.status(of: descriptor),
      let there = System.status(of: goal.name, in: goal.folder.descriptor, followingLinks: false),
      mine.st_dev == there.st_dev, mine.st_ino == there.st_ino
    else { return dropBackup() }
    if let backup, rename(backup, to: goal.name).succeeded { return self.backup = nil }
    System.remove(goal.name, in: goal.folder.descriptor)
  }

  /// Ends the job: what was replaced is given up.
  func conclude() { dropBackup() }

  private func dropBackup() {
    if let backup { System.remove(backup, in: goal.folder.descriptor) }
    backup = nil
  }

  /// Whether a file system lacks a way of renaming.
  private static func isMissing(_ result: SystemResult) -> Bool {
    [ENOSYS, EINVAL, EOPNOTSUPP, ENOTSUP].contains { $0 == result.code }
  }

  private func renameAtomically(_ name: String, _ mode: LinuxCalls.RenameMode) -> SystemResult {
    guard facilities.contains(.atomicRename) else { return .failure(ENOSYS) }
    return LinuxCalls.rename(name, to: goal.name, in: goal.folder.descriptor, mode)
  }

  private func linkNameless(as name: String) -> SystemResult {
    let path = Self.namePath(of: descriptor)
    // SAFETY: both names are terminated strings for the length of the call.
    return System.call { unsafe linkat(AT_FDCWD, path, goal.folder.descriptor, name, AT_SYMLINK_FOLLOW) }
  }

  private func link(_ name: String, as other: String) -> SystemResult {
    let folder = goal.folder.descriptor
    // SAFETY: both names are terminated strings for the length of the call.
    return System.call { unsafe linkat(folder, name, folder, other, 0) }
  }

  private func rename(_ name: String, to other: String) -> SystemResult {
    let folder = goal.folder.descriptor
    // SAFETY: both names are terminated strings for the length of the call.
    return System.call { unsafe renameat(folder, name, folder, other) }
  }
}
