public import LivePhotoCore

/// Changes to the keys of a movie and of its tracks: any key of the namespace `mdta`, with a value of any type.
///
/// ```swift
/// var edit = MovieMetadataEdit()
/// edit.set(.utf8("Example"), forKey: "com.apple.quicktime.make")
/// edit.remove("com.apple.quicktime.software")
/// let edited = try movie.applying(edit)
/// ```
///
/// Other keys, their order, types and locales stay; a key that is there keeps its place and its locale, a new one comes
/// last. Of several values of one key the first is replaced, and the others go.
public struct MovieMetadataEdit: Sendable {
  /// Whose keys are meant.
  public enum Scope: Hashable, Sendable {
    /// Those of the movie.
    case movie
    /// Those of the track with this identifier.
    case track(UInt32)
  }

  /// What is to become of keys of one scope.
  var changes: [Scope: KeyChanges] = [:]

  /// No change.
  public init() {}

  /// Whether nothing is to change.
  public var isEmpty: Bool { changes.isEmpty }

  /// Gives a key a value, whether it is there or not.
  public mutating func set(_ value: EncodedMetadataValue, forKey key: String, in scope: Scope = .movie) {
    changes[scope, default: KeyChanges()].removed.remove(key)
    changes[scope, default: KeyChanges()].set(key, value)
  }

  /// Takes a key out, with all its values.
  public mutating func remove(_ key: String, in scope: Scope = .movie) {
    changes[scope, default: KeyChanges()].values.removeAll { $0.key == key }
    changes[scope, default: KeyChanges()].removed.insert(key)
  }
}

/// Values to be set, in order, and keys to be taken out.
struct KeyChanges: Sendable {
  var values: [(key: String, value: EncodedMetadataValue)] = []
  var removed: Set<String> = []
  /// Further keys to be taken out, by their names.
  var removesAlso: @Sendable (String) -> Bool = { _ in false }

  mutating func set(_ key: String, _ value: EncodedMetadataValue) {
    if let index = values.firstIndex(where: { $0.key == key }) {
      values[index].value = value
    } else {
      values.append((key, value))
    }
  }

  func removes(_ key: String) -> Bool { removed.contains(key) || removesAlso(key) }
}

extension Movie {
  /// The movie with other metadata; its samples stay where they are in the source.
  ///
  /// - Throws: ``MovieWriteError`` when a track is not there, or the movie's metadata is damaged.
  public func applying(_ edit: MovieMetadataEdit, limits: Limits = .standard) throws(MovieWriteError) -> Movie {
    guard !edit.isEmpty else { return self }
    for case .track(let id) in edit.changes.keys where track(id: id) == nil {
      throw .unsupported("metadata of track \(id), which the movie does not have,")
    }
    do throws(ParseError) {
      return try rewritingHeader(limits: limits) { (cursor, writer) throws(ParseError) in
        try write(edit, &cursor, to: &writer)
      }
    } catch { throw .header(error) }
  }

  private func write(_ edit: MovieMetadataEdit, _ cursor: inout ByteCursor, to writer: inout ByteWriter)
    throws(ParseError)
  {
    let keysRange = metadata.handler == "mdta" ? metadataRange : nil
    var trackIndex = 0
    for box in try cursor.peekChildren() {
      var whole = try cursor.slice(box.range.count)
      var content = whole
      try content.skip(box.headerSize)
      switch box.type {
      case "trak":
        if let changes = edit.changes[.track(tracks[trackIndex].id)] {
          try writer.container(box) { (writer) throws(ParseError) in
            try Self.write(changes, ofTrack: &content, to: &writer)
          }
        } else {
          writer.copy(box, whole.readRemaining())
        }
        trackIndex += 1
      case "meta" where box.range == keysRange && edit.changes[.movie] != nil:
        try KeyEditor(edit.changes[.movie] ?? KeyChanges()).rewrite(&content, to: &writer)
      default: writer.copy(box, whole.readRemaining())
      }
    }
    if keysRange == nil, let changes = edit.changes[.movie] { KeyEditor(changes).writeNew(to: &writer) }
    writer.write(cursor.readRemaining())
  }

  /// Copies what is inside a track, its keys changed.
  private static func write(_ changes: KeyChanges, ofTrack cursor: inout ByteCursor, to writer: inout ByteWriter)
    throws(ParseError)
  {
    var isDone = false
    for box in try cursor.peekChildren() {
      var whole = try cursor.slice(box.range.count)
      var content = whole
      try content.skip(box.headerSize)
      if box.type == "meta", !isDone, (try? MovieMetadata(parsingCopyOf: content))?.handler == "mdta" {
        isDone = true
        try KeyEditor(changes).rewrite(&content, to: &writer)
      } else {
        writer.copy(box, whole.readRemaining())
      }
    }
    if !isDone { KeyEditor(changes).writeNew(to: &writer) }
    writer.write(cursor.readRemaining())
  }
}

extension MovieMetadata {
  /// Reads the payload of a `meta` box and leaves the cursor where it is.
  init(parsingCopyOf cursor: borrowing ByteCursor) throws(ParseError) {
    var ahead = copy cursor
    try self.init(parsing: &ahead)
  }
}
