import LivePhotoCore
import LivePhotoFiles
import LivePhotoMuxer
import Synchronization
import TestSupport
import Testing

/// A movie to be changed in place, and what is expected of it.
struct InPlaceMovie: Sendable, CustomTestStringConvertible {
  let name: String
  let bytes: [UInt8]
  /// Whether the header ends up behind media that it stood before.
  var movesHeader = false
  /// Whether the file keeps its size.
  var keepsSize = false

  var testDescription: String { name }

  /// Every way in which header, media and room can lie.
  static func all() throws -> [InPlaceMovie] {
    func movie(_ name: String, _ movie: SyntheticMovie) throws -> InPlaceMovie {
      InPlaceMovie(name: name, bytes: try movie.build())
    }
    let room = SyntheticBox.box("free", Array(repeating: 0x55, count: 6000))
    let little = SyntheticBox.box("skip", Array(repeating: 0x55, count: 20))
    var movies = [
      try movie("header last", SyntheticMovie()),
      try movie("large media", SyntheticMovie(mediaForm: .large)),
      try movie("several media", SyntheticMovie(tracks: two, mediaForm: .onePerTrack)),
      try movie("little room behind", SyntheticMovie(after: little)),
      try movie("no brands", SyntheticMovie(brand: nil)),
      try movie("MP4", SyntheticMovie(brand: "mp42")),
      try openHeader(),
    ]
    for isFirst in [true, false] {
      var behind = try movie("room behind, first \(isFirst)", SyntheticMovie(isHeaderFirst: isFirst, after: room))
      if isFirst { behind = InPlaceMovie(name: behind.name, bytes: try roomy(room)) }
      behind.keepsSize = true
      movies.append(behind)
    }
    var before = try movie("room before", SyntheticMovie(isHeaderFirst: true, before: room))
    before.keepsSize = true
    var first = try movie("header first", SyntheticMovie(isHeaderFirst: true))
    var open = try movie("media to the end", SyntheticMovie(mediaForm: .toEnd))
    (first.movesHeader, open.movesHeader) = (true, true)
    movies += [before, first, open]
    for shift in [504, 506, 508, 510] { movies.append(try crossing(shift)) }
    return movies
  }

  private static let two = [SyntheticTrack(), SyntheticTrack(id: 7, handler: "soun", durations: [(30, 10)])]

  /// A header at the start, with room between it and the media.
  private static func roomy(_ room: [UInt8]) throws -> [UInt8] {
    // The box stands before the media and before the header; their places are exchanged.
    let bytes = try SyntheticMovie(isHeaderFirst: true, before: room).build()
    let start = 20, header = start + room.count
    let size = Int(bytes[header + 2]) << 8 | Int(bytes[header + 3])
    return bytes[..<start] + bytes[header..<header + size] + room + bytes[(header + size)...]
  }

  /// A header that extends to the end of the file.
  private static func openHeader() throws -> InPlaceMovie {
    var bytes = try SyntheticMovie().build()
    let header = try #require(bytes.firstRange(of: Array("moov".utf8))).lowerBound - 4
    for index in header..<header + 4 { bytes[index] = 0 }
    return InPlaceMovie(name: "header to the end", bytes: bytes)
  }

  /// A header whose own header lies across the boundary of two sectors, behind media that can grow.
  private static func crossing(_ place: Int) throws -> InPlaceMovie {
    let size = try SyntheticMovie().build()
    let header = try #require(size.firstRange(of: Array("moov".utf8))).lowerBound - 4
    let shift = (place - header % 512 + 512) % 512
    let filler = SyntheticBox.box("abcd", Array(repeating: 1, count: (shift + 512 - 8) % 512))
    return InPlaceMovie(name: "header at \(place) of a sector", bytes: try SyntheticMovie(before: filler).build())
  }
}

/// What happens to a file that is edited, as it happens.
final class ChangeLog: Sendable {
  private let state = Mutex<(changes: [FileChange], failsAt: Int?)>(([], nil))

  init(failsAt: Int? = nil) { state.withLock { $0.failsAt = failsAt } }

  var changes: [FileChange] { state.withLock { $0.changes } }

  /// Takes note of a change, or refuses it, once.
  func note(_ change: FileChange) throws(FileError) {
    let fails = state.withLock { state in
      let fails = state.failsAt == state.changes.count
      if fails { state.failsAt = nil } else { state.changes.append(change) }
      return fails
    }
    if fails { _ = try FileSource(path: "/nonexistent") }
  }

  func edited(_ path: String) throws(FileError) -> EditedFile {
    try EditedFile(path: path) { [self] (change) throws(FileError) in try note(change) }
  }
}

/// The states of a file that can be found when the writing of it is cut off anywhere.
struct CutStates {
  /// A state, what was cut, and whether the last write is in it.
  struct State {
    var what: String
    var bytes: [UInt8]
    var isNew: Bool
    /// Whether a whole number of changes is in it, in their order.
    var isWhole: Bool
  }

  private(set) var states: [State] = []

  init(_ original: [UInt8], _ edit: InPlaceEdit, _ changes: [FileChange]) {
    var bytes = original
    var isNew = false
    var unsynced: [InPlaceEdit.Write] = []
    var synced = original
    states.append(State(what: "untouched", bytes: bytes, isNew: false, isWhole: true))
    for (index, change) in changes.enumerated() {
      switch change {
      case .write(let write):
        if write != edit.commit {
          // A write that only begins to arrive.
          for part in Set([1, 4, 7, 8, 9, write.bytes.count / 2, write.bytes.count - 1]).sorted()
          where part > 0 && part < write.bytes.count && !(write.isAtomic && write.offset < original.count) {
            states.append(
              State(
                what: "\(part) bytes of change \(index)",
                bytes: Self.apply(InPlaceEdit.Write(Array(write.bytes[..<part]), at: write.offset), to: bytes),
                isNew: false, isWhole: false))
          }
          unsynced.append(write)
        }
        bytes = Self.apply(write, to: bytes)
        if write == edit.commit { isNew = true }
      case .sync:
        // A disk may have taken later writes and not yet earlier ones.
        for left in unsynced.indices.dropLast(0) where unsynced.count > 1 {
          var state = synced
          for (index, write) in unsynced.enumerated() where index != left { state = Self.apply(write, to: state) }
          states.append(State(what: "without change \(left)", bytes: state, isNew: isNew, isWhole: false))
        }
        unsynced = []
        synced = bytes
        continue
      case .cut(let size): bytes.removeLast(max(0, bytes.count - size))
      }
      states.append(State(what: "after change \(index)", bytes: bytes, isNew: isNew, isWhole: true))
    }
  }

  private static func apply(_ write: InPlaceEdit.Write, to bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    let end = write.offset + write.bytes.count
    bytes += Array(repeating: 0, count: max(0, end - bytes.count))
    bytes.replaceSubrange(write.offset..<end, with: write.bytes)
    return bytes
  }
}
