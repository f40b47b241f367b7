import LivePhotoCore

extension PhotoFacts {
  /// Looks at a still whose structure has been read; damaged Exif counts as none.
  init(_ still: StillPhoto) {
    var runTime: Double?
    if case .apple(let note)? = still.exif?.makerNote { runTime = note.runTime?.time.seconds }
    self.init(
      file: still.file.path, kind: still.file.kind, identifier: still.exif?.contentIdentifier,
      displaySize: still.displaySize, coding: still.coding, runTime: runTime)
  }
}
