/// The MakerNote of an Exif block.
public enum MakerNote: Sendable, Equatable {
  /// Apple's, read.
  case apple(AppleMakerNote)
  /// Another maker's, or one of Apple's that cannot be read; `owner` is its signature or the camera's make.
  case other(owner: String)
}

/// What to do where the identifier's place is taken by another maker's note.
public enum OtherMakerNotePolicy: Sendable {
  /// Replace the note; what it said is lost.
  case replace
  /// Leave the photo alone and throw ``ExifEditError/otherMakerNote(owner:)``.
  case refuse
}

/// How an identifier came into an Exif block.
public enum ContentIdentifierEdit: Sendable, Equatable {
  /// An Apple note was there; only its identifier changed.
  case editedAppleNote
  /// There was no note; one that holds nothing else was added.
  case addedNote
  /// Another maker's note was replaced.
  case replacedNote(owner: String)
}

extension ExifBlock {
  /// The MakerNote; nil when there is none.
  public var makerNote: MakerNote? {
    guard let entry = directories[.exif]?.first(.makerNote) else { return nil }
    let note = entry.field(in: bytes, byteOrder: byteOrder)?.bytes ?? []
    guard note.starts(with: AppleMakerNote.signature) else { return .other(owner: owner(of: note)) }
    do throws(ParseError) {
      return .apple(try AppleMakerNote(parsing: note, limits: limits))
    } catch { return .other(owner: "Apple (damaged)") }
  }

  /// The identifier that ties the still to its movie, as it stands in the Apple MakerNote; nil when there is none.
  public var contentIdentifier: ContentIdentifier? {
    guard case .apple(let note) = makerNote else { return nil }
    return note.contentIdentifier
  }

  /// Sets the identifier in the Apple MakerNote, and adds the note where there is none.
  ///
  /// - Returns: what was done, so that the loss of another maker's note can be reported.
  /// - Throws: ``ExifEditError``; the block is then unchanged.
  public mutating func setContentIdentifier(
    _ identifier: ContentIdentifier, otherMakerNote policy: OtherMakerNotePolicy
  ) throws(ExifEditError) -> ContentIdentifierEdit {
    let note: AppleMakerNote, edit: ContentIdentifierEdit
    switch makerNote {
    case .apple(var found):
      found.setContentIdentifier(identifier)
      (note, edit) = (found, .editedAppleNote)
    case .other(let owner):
      if policy == .refuse { throw .otherMakerNote(owner: owner) }
      (note, edit) = (AppleMakerNote(contentIdentifier: identifier), .replacedNote(owner: owner))
    case nil:
      (note, edit) = (AppleMakerNote(contentIdentifier: identifier), .addedNote)
    }
    try set(.undefined(.makerNote, note.bytes), in: .exif)
    return edit
  }

  /// The signature that a note begins with, when it is a word; else the make that IFD0 names.
  private func owner(of note: [UInt8]) -> String {
    let word = note.prefix(16).prefix { (0x20..<0x7F).contains($0) }
    let letters = word.allSatisfy { $0 == 0x20 || (0x30...0x39).contains($0) || (0x41...0x7A).contains($0) }
    if word.count >= 4, letters { return trimmed(String(decoding: word, as: UTF8.self)) }
    let make = trimmed(field(.make, in: .image)?.text ?? "")
    return make.isEmpty ? "an unknown maker" : make
  }

  private func trimmed(_ text: String) -> String {
    var text = text[...]
    while text.last == " " { text.removeLast() }
    while text.first == " " { text.removeFirst() }
    return String(text)
  }
}
