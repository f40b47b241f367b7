/// Changes of a file where it stands, made so that one last write switches from the old contents to the new.
///
/// Carried out in order: ``preparations`` and ``hidden`` writes, a sync, ``commit``. Whenever that stops, readers find
/// the old contents, or after ``commit`` the new ones.
public struct InPlaceEdit: Equatable, Sendable {
  /// Bytes that are written at an offset.
  public struct Write: Equatable, Sendable {
    /// Where they go.
    public var offset: Int
    /// What is written.
    public var bytes: [UInt8]

    /// A write.
    public init(_ bytes: [UInt8], at offset: Int) {
      self.offset = offset
      self.bytes = bytes
    }

    /// Whether all bytes lie in one sector, so that a disk writes all of them or none.
    public var isAtomic: Bool { offset / Self.sector == (offset + max(bytes.count, 1) - 1) / Self.sector }

    /// The smallest sectors that disks have, in bytes.
    private static let sector = 512
  }

  /// The size that the file has to have, in bytes.
  public var fileSize: Int
  /// Writes that leave the file what it is to its readers, each in one sector.
  public var preparations: [Write]
  /// Writes that readers see nothing of.
  public var hidden: [Write]
  /// The write that makes the hidden ones count; nil where nothing is to be changed.
  public var commit: Write?

  /// An edit; the commit has to be in one sector.
  public init(fileSize: Int, preparations: [Write] = [], hidden: [Write] = [], commit: Write? = nil) {
    self.fileSize = fileSize
    self.preparations = preparations
    self.hidden = hidden
    self.commit = commit
  }

  /// The number of bytes that are written.
  public var count: Int { (preparations + hidden + [commit].compactMap(\.self)).reduce(0) { $0 + $1.bytes.count } }
}
