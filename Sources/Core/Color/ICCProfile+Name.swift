extension ICCProfile {
  /// What a profile calls itself, such as `Display P3`: its `desc` tag (ICC.1:2022, 9.2.41).
  ///
  /// - Returns: nil where the profile is damaged or has no name; the first of several languages.
  public static func name(of profile: [UInt8]) -> String? { try? parsedName(profile) }

  private static func parsedName(_ profile: [UInt8]) throws(ParseError) -> String? {
    var cursor = ByteCursor(profile.span)
    try cursor.seek(to: 128)
    // No profile has thousands of tags; the table is not walked further.
    for _ in 0..<min(try cursor.readUInt32(), 1000) {
      let signature = try cursor.readFourCC()
      let offset = Int(try cursor.readUInt32()), size = Int(try cursor.readUInt32())
      guard signature == "desc" else { continue }
      try cursor.seek(to: offset)
      var tag = try cursor.slice(min(size, cursor.remaining))
      return try text(&tag)
    }
    return nil
  }

  /// A description as version 2 of the format has it, in ASCII, or version 4, in UTF-16.
  private static func text(_ tag: inout ByteCursor) throws(ParseError) -> String? {
    let type = try tag.readFourCC()
    try tag.skip(4)
    let name: String
    switch type {
    case "desc":
      let count = Int(try tag.readUInt32())
      name = String(decoding: try tag.readBytes(min(count, 256, tag.remaining)).prefix { $0 != 0 }, as: UTF8.self)
    case "mluc":
      guard try tag.readUInt32() > 0 else { return nil }
      try tag.skip(8)
      let count = Int(try tag.readUInt32()), offset = Int(try tag.readUInt32())
      try tag.seek(to: offset)
      var units: [UInt16] = []
      for _ in 0..<min(count, 512, tag.remaining) / 2 { units.append(try tag.readUInt16()) }
      name = String(decoding: units.prefix { $0 != 0 }, as: UTF16.self)
    default: return nil
    }
    let shown = name.filter {
      !$0.isNewline && $0.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    }
    return shown.isEmpty ? nil : shown
  }
}
