public import LivePhotoCore

/// Puts files in place whole: a name holds the finished file, or what it held before.
///
/// A file is written beside its goal, without a name where the system can do that, and gets its name only when it is
/// complete. When anything fails, nothing is left behind and what existed is untouched. What a plan copies from may be
/// the very file that is replaced: it stays open until the job is done.
///
/// The goal is a name in a folder: a symbolic link there is replaced, never followed, and what it points to stays as it
/// is. A folder, pipe, socket or device is never replaced. New files may be read and written by whom the process's
/// `umask` lets.
///
/// ```swift
/// try FileWriter().place([NewFile(photo, at: "IMG_1.HEIC"), NewFile(movie, at: "IMG_1.MOV")])
/// ```
public struct FileWriter: Sendable {
  /// Whether a file that exists at the goal is replaced; without it, an existing one is never touched.
  public var overwrite: Bool
  /// Whether the bytes, and the names, are on the disk when a call returns, so that they survive a loss of power.
  public var durable: Bool
  /// Whether missing folders on the way to the goal are created, and removed again when the job fails.
  public var createsFolders: Bool
  /// Told, after each stretch, how many bytes are written and how many there are in all.
  public var progress: (@Sendable (_ written: Int, _ total: Int) -> Void)?
  /// What of the system is used; tests leave some of it out, as some systems do.
  package var facilities = Facilities.all

  /// A writer.
  public init(
    overwrite: Bool = false, durable: Bool = false, createsFolders: Bool = false,
    progress: (@Sendable (_ written: Int, _ total: Int) -> Void)? = nil
  ) {
    self.overwrite = overwrite
    self.durable = durable
    self.createsFolders = createsFolders
    self.progress = progress
  }

  /// Carries out `plan` and puts the result at `path`, blocking until it is done.
  ///
  /// - Throws: ``FileError``.
  public func write(_ plan: OutputPlan, to path: String) throws(FileError) {
    try place([NewFile(plan, at: path)])
  }

  /// Puts `bytes` in a file at `path`.
  ///
  /// - Throws: ``FileError``.
  public func write(_ bytes: [UInt8], to path: String) throws(FileError) {
    try write(OutputPlan([.bytes(bytes)]), to: path)
  }

  /// Puts a file in place whose bytes are made while it is written, such as the frames of a long movie.
  ///
  /// `body` appends them to the sink; the file gets its name when it returns. ``progress`` is not told.
  ///
  /// - Throws: ``StreamedWriteError`` with what `body` threw, or why the file could not be created or put in place.
  public func write<E: Error>(
    to path: String, _ body: (borrowing FileSink) throws(E) -> Void
  ) throws(StreamedWriteError<E>) {
    let folders = CreatedFolders()
    do throws(StreamedWriteError<E>) {
      let stage: StagedFile
      do throws(FileError) { stage = try prepare(path, folders) } catch { throw .file(error) }
      do { try body(FileSink(stage: stage)) } catch { throw .body(error) }
      do throws(FileError) { try finish([stage], folders) } catch { throw .file(error) }
    } catch {
      folders.remove()
      throw error
    }
  }

  /// Puts several files in place together, such as the two halves of a Live Photo.
  ///
  /// Blocks until it is done. All are written in full before the first gets its name. If one then cannot be put in
  /// place, those before it are taken back, and what they replaced is there again.
  ///
  /// - Throws: ``FileError``; its cause is ``FileError/Cause/cancelled`` when the task is cancelled.
  public func place(_ files: [NewFile]) throws(FileError) {
    let folders = CreatedFolders()
    do throws(FileError) {
      let staged = try prepare(files, folders)
      var meter = Meter(total: files.reduce(0) { $0 + $1.plan.count }, report: progress)
      for (file, stage) in zip(files, staged) { try stage.write(file.plan, &meter) }
      try finish(staged, folders)
    } catch {
      folders.remove()
      throw error
    }
  }

  /// Creates files beside their goals, each of which is looked at before the first byte is written.
  ///
  /// - Throws: ``FileError/Cause/sameGoal(as:)`` where two have one goal, or one would replace the file that is edited.
  func prepare(_ files: [NewFile], beside edited: EditedFile? = nil, _ folders: CreatedFolders) throws(FileError)
    -> [StagedFile]
  {
    let identity = edited?.identity
    var staged: [StagedFile] = []
    for file in files {
      let stage = try prepare(file.path, folders)
      if let other = staged.first(where: { $0.goal.isSame(as: stage.goal) }) {
        throw FileError(.create, file.path, .sameGoal(as: other.goal.path))
      }
      if let edited, let identity, stage.goal.identity == identity {
        throw FileError(.create, file.path, .sameGoal(as: edited.source.path))
      }
      staged.append(stage)
    }
    return staged
  }

  /// Creates the file beside its goal.
  func prepare(_ path: String, _ folders: CreatedFolders) throws(FileError) -> StagedFile {
    if createsFolders { try folders.create(for: path) }
    let goal = try Goal(path: path)
    try goal.check(overwrite: overwrite)
    return try StagedFile(for: goal, facilities)
  }

  /// Gives all files their names, or none.
  func finish(_ staged: [StagedFile], _ folders: CreatedFolders) throws(FileError) {
    if durable { for stage in staged { try stage.sync() } }
    if let first = staged.first, Task.isCancelled { throw FileError(.place, first.goal.path, .cancelled) }
    do throws(FileError) {
      // What can still fail once a file has its name is the next one, and the sync of the folder.
      let isRevocable = staged.count > 1 || durable
      for stage in staged { try stage.publish(overwrite: overwrite, revocable: isRevocable) }
      if durable {
        for stage in staged { try stage.goal.folder.sync(stage.goal.path) }
        try folders.sync()
      }
    } catch {
      for stage in staged.reversed() { stage.withdraw() }
      throw error
    }
    for stage in staged { stage.conclude() }
  }
}

/// Takes the bytes of a file that is being written; it lives as long as the call that hands it out.
public struct FileSink: ~Copyable {
  let stage: StagedFile

  /// Appends bytes.
  ///
  /// - Throws: ``FileError``.
  public func append(_ bytes: [UInt8]) throws(FileError) {
    var meter = Meter(total: 0, report: nil)
    try stage.write(OutputPlan([.bytes(bytes)]), &meter)
  }

  /// Writes bytes at an offset, wherever appended ones go: for files whose parts are not made in their order.
  ///
  /// What is never written, before the last byte that is, reads as zeros.
  ///
  /// - Throws: ``FileError``.
  public func write(_ bytes: [UInt8], at offset: Int) throws(FileError) {
    try stage.write(bytes, at: offset)
  }
}

/// Why a file whose bytes are made while it is written could not be finished.
public enum StreamedWriteError<Body: Error>: Error {
  /// The file could not be created or put in place.
  case file(FileError)
  /// The bytes could not be made, or not be appended.
  case body(Body)
}

/// A file to be made: what it will hold, and where.
public struct NewFile: Sendable {
  /// What the file will hold.
  public let plan: OutputPlan
  /// Where it will be.
  public let path: String

  /// A file of `plan` at `path`.
  public init(_ plan: OutputPlan, at path: String) {
    self.plan = plan
    self.path = path
  }
}

/// What some systems and file systems have and others lack.
package struct Facilities: OptionSet, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Files that have no name until they are complete.
  package static let namelessFiles = Facilities(rawValue: 1)
  /// Renaming that keeps an existing goal, or exchanges it.
  package static let atomicRename = Facilities(rawValue: 2)
  /// Copying from file to file inside the kernel.
  package static let kernelCopy = Facilities(rawValue: 4)
  /// All of them.
  package static let all: Facilities = [.namelessFiles, .atomicRename, .kernelCopy]
}

/// Counts the bytes of a job and reports them.
struct Meter {
  let total: Int
  let report: (@Sendable (_ written: Int, _ total: Int) -> Void)?
  private(set) var written = 0

  init(total: Int, report: (@Sendable (_ written: Int, _ total: Int) -> Void)?) {
    self.total = total
    self.report = report
  }

  /// Adds `count` bytes.
  mutating func add(_ count: Int) {
    written += count
    report?(written, total)
  }
}
