public import LivePhotoCore

extension FileWriter {
  /// Puts files in place together with a change of another one where it stands, such as the movie of a Live Photo.
  ///
  /// Blocks until it is done. All files are written in full, and the edit but for its last write, before that write;
  /// then the files get their names. If one cannot be put in place, the edit is taken back. Whoever looks, or kills the
  /// process, in between finds the edited file new and the others old. What a file replaces hands on its permissions.
  ///
  /// - Throws: ``FileError``; everything is then as it was.
  public func place(_ files: [NewFile], with edit: InPlaceEdit, of edited: EditedFile) throws(FileError) {
    let folders = CreatedFolders()
    do throws(FileError) {
      let staged = try prepare(files, beside: edited, folders)
      var meter = Meter(total: files.reduce(edit.count) { $0 + $1.plan.count }, report: progress)
      for (file, stage) in zip(files, staged) {
        try stage.write(file.plan, &meter)
        stage.takePermissions()
      }
      do throws(FileError) {
        try edited.prepare(edit)
        meter.add(edit.count)
        try edited.commit(edit)
        if durable { try edited.sync() }
        try finish(staged, folders)
      } catch {
        edited.revert(edit)
        throw error
      }
    } catch {
      folders.remove()
      throw error
    }
  }
}
