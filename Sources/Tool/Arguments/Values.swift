package import LivePhotoCore

/// The value of an option or operand, read from its text.
package enum ArgumentValue: Equatable, Sendable {
  case text(String)
  case number(Int)
  case moment(MomentArgument)
  case identifier(ContentIdentifier)
  case tile(TileArgument)
  case item(ItemArgument)
}

/// A moment of a clip.
package enum MomentArgument: Equatable, Sendable {
  /// So many seconds from the beginning.
  case time(RationalTime)
  /// A part of the length, 0 to 1.
  case fraction(RationalTime)
  /// The best frame around the middle.
  case best
  /// The frame most like the photo, where the movie marks none.
  case match
}

/// The size of a HEIC's tiles.
package enum TileArgument: Equatable, Sendable {
  /// The picture is not cut into tiles.
  case none
  /// Squares of this side, in pixels.
  case side(Int)
}

/// Which picture of a HEIF file is meant.
package enum ItemArgument: Equatable, Sendable {
  case primary, thumbnail, alpha, depth, gainMap
  case number(UInt32)
}

extension ValueKind {
  /// The value that `text` stands for; nil when it may not be that.
  package func value(of text: String) -> ArgumentValue? {
    switch self {
    case .file, .folder: text.isEmpty ? nil : .text(text)
    case .output(let formats): OutputFormat(path: text).flatMap { formats.contains($0) ? .text(text) : nil }
    case .stem: Self.isStem(text) ? .text(text) : nil
    case .number(let range): Self.number(text).flatMap { range.contains($0) ? .number($0) : nil }
    case .choice(let words): words.contains(text) ? .text(text) : nil
    case .moment(let words): words.contains(text) ? .text(text) : MomentArgument(text).map { .moment($0) }
    case .time(let words): words.contains(text) ? .text(text) : MomentArgument(text).flatMap(\.asTime)
    case .identifier(let words):
      words.contains(text) ? .text(text) : ContentIdentifier(uuid: text).map { .identifier($0) }
    case .tile: TileArgument(text).map { .tile($0) }
    case .item: ItemArgument(text).map { .item($0) }
    }
  }

  /// What a value may be, in the words of an error message.
  package var expected: String {
    switch self {
    case .file: "the path of a file"
    case .folder: "the path of a folder"
    case .output(let formats):
      "a file name that ends in " + Self.list(formats.flatMap(\.extensions).map { "." + $0 })
    case .stem: "a file name without folder and extension"
    case .number(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
    case .choice(let words): Self.list(words)
    case .moment(let words):
      Self.list(["seconds (1.5), minutes and seconds (0:01.5), a fraction (780/600), a percentage (50%)"] + words)
    case .time(let words):
      Self.list(["seconds (1.5), minutes and seconds (0:01.5), a fraction (780/600)"] + words)
    case .identifier(let words): Self.list(["a UUID such as 6B3C9F0E-6A0F-4D55-9C44-0F1E2D3C4B5A"] + words)
    case .tile: "none, or a multiple of 64 up to \(TileArgument.sides.upperBound)"
    case .item: "primary, thumbnail, alpha, depth, gainmap or the number of an item"
    }
  }

  /// The words that a shell may offer.
  package var words: [String] {
    switch self {
    case .choice(let words), .identifier(let words), .time(let words), .moment(let words): words
    case .tile: ["none"]
    case .item: ItemArgument.roles.map(\.word)
    default: []
    }
  }

  /// A number of decimal digits only, so that `+5` and ` 5` are refused.
  fileprivate static func number(_ text: String) -> Int? {
    text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
  }

  private static func isStem(_ text: String) -> Bool {
    !["", ".", ".."].contains(text) && !text.hasPrefix("-")
      && text.unicodeScalars.allSatisfy { $0 != "/" && $0.value >= 0x20 && $0.value != 0x7F }
  }

  private static func list(_ words: [String]) -> String {
    guard let last = words.last, words.count > 1 else { return words.first ?? "" }
    return words.dropLast().joined(separator: ", ") + " or " + last
  }
}

// MARK: Reading texts

extension MomentArgument {
  /// The value of an option that takes no percentage; nil for one.
  fileprivate var asTime: ArgumentValue? { if case .time = self { .moment(self) } else { nil } }

  /// A moment from `1.5`, `0:01.5`, `1:00:01.5`, `780/600` or `50%`; nil when `text` is none of these.
  package init?(_ text: String) {
    if text.hasSuffix("%") {
      guard let percent = Self.decimal(text.dropLast()),
        let part = RationalTime(exactly: percent.value, timescale: percent.timescale * 100), part <= RationalTime(1, 1)
      else { return nil }
      self = .fraction(part)
    } else if text.contains("/") {
      let parts = text.split(separator: "/", omittingEmptySubsequences: false)
      guard parts.count == 2, let value = Self.digits(parts[0]), let scale = Self.digits(parts[1]),
        let time = RationalTime(exactly: value, timescale: scale)
      else { return nil }
      self = .time(time)
    } else {
      guard let time = Self.clock(text) else { return nil }
      self = .time(time)
    }
  }

  /// Seconds, with minutes and hours before them if there are colons.
  private static func clock(_ text: String) -> RationalTime? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count <= 3, let last = parts.last, let seconds = decimal(last) else { return nil }
    var whole: Int64 = 0
    for (index, part) in parts.dropLast().enumerated() {
      guard let value = digits(part), index == 0 || value < 60, value < 1_000_000 else { return nil }
      whole = whole * 60 + value
    }
    guard parts.count == 1 || seconds < RationalTime(60, 1) else { return nil }
    return RationalTime(whole * 60, 1).adding(seconds)
  }

  /// A decimal number, rounded to nine digits behind its point: programs print all that a `Double` has.
  private static func decimal(_ text: Substring) -> RationalTime? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    // `.5` is half a second.
    let start = parts.count == 2 && parts[0].isEmpty ? Substring("0") : parts.first
    guard parts.count <= 2, let whole = start.flatMap(digits) else { return nil }
    guard parts.count == 2 else { return RationalTime(whole, 1) }
    guard let rest = digits(parts[1].prefix(9)), parts[1].dropFirst(9).utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    let scale = parts[1].prefix(9).reduce(Int64(1)) { scale, _ in scale * 10 }
    let isUp = parts[1].dropFirst(9).first.map { $0 >= "5" } ?? false
    return RationalTime(whole * scale + rest + (isUp ? 1 : 0), scale)
  }

  /// A number of one to nine decimal digits.
  private static func digits(_ text: Substring) -> Int64? {
    guard (1...9).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int64(text)
  }
}

extension TileArgument {
  /// The sides that a tile may have; a grid's tiles are multiples of 64 (ISO/IEC 23000-22, 7.3.11.4.2).
  static let sides = 64...8192

  init?(_ text: String) {
    if text == "none" {
      self = .none
    } else {
      guard let side = ValueKind.number(text), Self.sides.contains(side), side % 64 == 0 else { return nil }
      self = .side(side)
    }
  }
}

extension ItemArgument {
  static let roles: [(word: String, item: ItemArgument)] = [
    ("primary", .primary), ("thumbnail", .thumbnail), ("alpha", .alpha), ("depth", .depth), ("gainmap", .gainMap),
  ]

  init?(_ text: String) {
    if let role = Self.roles.first(where: { $0.word == text }) {
      self = role.item
    } else {
      guard let number = ValueKind.number(text).flatMap(UInt32.init(exactly:)) else { return nil }
      self = .number(number)
    }
  }
}
