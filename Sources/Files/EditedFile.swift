public import LivePhotoCore

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A file that is changed where it stands, by one job at a time.
///
/// ```swift
/// let file = try EditedFile(path: "IMG_1.MOV")
/// try file.apply(edit, durable: true)
/// ```
///
/// The file is what it was until the last write of an ``InPlaceEdit``, before which all others are on the disk. Where
/// something fails, what was written is taken back. Other jobs that use this type wait for none: they fail with
/// ``FileError/Cause/busy``.
public final class EditedFile {
  /// The file's bytes, read as they are before the edit.
  public let source: FileSource

  private let descriptor: CInt
  /// Told before each change that the system is asked for; tests record them, and let them fail.
  private let observer: (@Sendable (FileChange) throws(FileError) -> Void)?
  /// What was there before, in the order of the writes.
  private var replaced: [InPlaceEdit.Write] = []

  /// Opens a file to read and write it, and keeps other jobs from doing so.
  ///
  /// - Throws: ``FileError``.
  public convenience init(path: String) throws(FileError) { try self.init(path: path, observer: nil) }

  package init(path: String, observer: (@Sendable (FileChange) throws(FileError) -> Void)?) throws(FileError) {
    source = try FileSource(path: path)
    self.observer = observer
    let opened: CInt
    // SAFETY: the path is a terminated string for the length of the call.
    switch System.call({ unsafe open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOCTTY) }) {
    case .success(let value): opened = CInt(truncatingIfNeeded: value)
    case .failure(let code): throw FileError(.edit, path, code: code)
    }
    do throws(FileError) {
      if let code = System.call({ flock(opened, LOCK_EX | LOCK_NB) }).code {
        throw code == EWOULDBLOCK ? FileError(.edit, path, .busy) : FileError(.edit, path, code: code)
      }
      guard let mine = FileIdentity(of: opened), mine == FileIdentity(of: source.descriptor),
        System.status(of: opened).map({ Int($0.st_size) }) == source.count
      else { throw FileError(.edit, path, .changed) }
    } catch {
      close(opened)
      throw error
    }
    // Last: from here on `deinit` closes it.
    descriptor = opened
  }

  /// Which file it is, whatever happens to its name.
  var identity: FileIdentity? { FileIdentity(of: descriptor) }

  deinit {
    // A process that is being started by another thread may hold the descriptor a moment longer, and with it the lock.
    _ = flock(descriptor, LOCK_UN)
    close(descriptor)
  }

  /// Carries out an edit, blocking until it is done.
  ///
  /// - Throws: ``FileError``; the file is then as it was.
  public func apply(_ edit: InPlaceEdit, durable: Bool = false) throws(FileError) {
    do throws(FileError) {
      try prepare(edit)
      try commit(edit)
      if durable { try sync() }
    } catch {
      revert(edit)
      throw error
    }
  }

  /// Everything but the last write, brought to the disk.
  func prepare(_ edit: InPlaceEdit) throws(FileError) {
    replaced = []
    guard let commit = edit.commit else { return }
    guard edit.fileSize == source.count, System.status(of: descriptor).map({ Int($0.st_size) }) == edit.fileSize else {
      throw FileError(.edit, source.path, .changed)
    }
    for write in edit.preparations + [commit] {
      guard write.isAtomic, write.offset >= 0, write.offset + write.bytes.count <= edit.fileSize else {
        throw FileError(.edit, source.path, .source(.outOfBounds(write.range, count: edit.fileSize)))
      }
    }
    for write in edit.preparations { try replace(write) }
    for write in edit.hidden { try replace(write) }
    try sync()
    if Task.isCancelled { throw FileError(.edit, source.path, .cancelled) }
  }

  /// The last write.
  func commit(_ edit: InPlaceEdit) throws(FileError) {
    if let commit = edit.commit { try replace(commit) }
  }

  /// Brings everything to the disk.
  func sync() throws(FileError) {
    try observer?(.sync)
    if let code = System.call({ fsync(descriptor) }).code { throw FileError(.sync, source.path, code: code) }
  }

  /// Takes everything back, as far as the system lets it: readers find the old contents first, then the old size.
  func revert(_ edit: InPlaceEdit) {
    for old in replaced.reversed() where !old.bytes.isEmpty { try? write(old) }
    replaced = []
    guard let status = System.status(of: descriptor), Int(status.st_size) > edit.fileSize,
      (try? observer?(.cut(to: edit.fileSize))) != nil || observer == nil
    else { return }
    _ = System.call { ftruncate(descriptor, off_t(edit.fileSize)) }
  }

  /// Writes over bytes, of which those that the file had are kept.
  private func replace(_ write: InPlaceEdit.Write) throws(FileError) {
    let old: [UInt8]
    do { old = try source.read(write.range.clamped(to: 0..<source.count)) } catch {
      throw FileError(.edit, source.path, .source(error))
    }
    replaced.append(InPlaceEdit.Write(old, at: write.offset))
    try self.write(write)
  }

  private func write(_ write: InPlaceEdit.Write) throws(FileError) {
    try observer?(.write(write))
    try PlanCopier(descriptor: descriptor, path: source.path, usesKernel: false).write(write.bytes, at: write.offset)
  }
}

/// What a file that is edited goes through.
package enum FileChange: Sendable, Equatable {
  /// Bytes are written.
  case write(InPlaceEdit.Write)
  /// All of it is brought to the disk.
  case sync
  /// The file becomes shorter.
  case cut(to: Int)
}

extension InPlaceEdit.Write {
  /// Where the bytes go.
  var range: Range<Int> { offset..<offset + bytes.count }
}
