/// The shapes that a macroblock is divided into for motion.
enum MotionShape {
  /// One block of 16x16.
  case whole
  /// Two of 16x8.
  case wide
  /// Two of 8x16.
  case tall
  /// Four of 8x8, each with a shape of its own.
  case quarters
}

/// How a block of 8x8 is divided: the size of its parts.
enum SubShape: UInt8 {
  case whole
  case wide
  case tall
  case quarters

  /// The width and height of a part, in blocks of 4x4.
  var size: (width: Int, height: Int) {
    switch self {
    case .whole: (2, 2)
    case .wide: (2, 1)
    case .tall: (1, 2)
    case .quarters: (1, 1)
    }
  }
}

/// Which lists a block is predicted from: bit 0 list 0, bit 1 list 1.
typealias ListMask = UInt8

/// What a macroblock's type says (ITU-T H.264, tables 7-11, 7-13, 7-14).
enum MacroblockType {
  case intraBlocks
  /// Mode of prediction, and the pattern of coded blocks.
  case intra16x16(mode: Int, pattern: UInt8)
  case pcm
  /// Motion of a shape; the lists of its first and second part. Quarters without a second list all refer to the first
  /// picture (`P_8x8ref0`).
  case inter(MotionShape, ListMask, ListMask)
  /// `B_Direct_16x16`.
  case direct

  /// Of an I slice, 0 to 25.
  init?(intra code: Int) {
    switch code {
    case 0: self = .intraBlocks
    case 1...24:
      let index = code - 1
      let chroma = UInt8(index / 4 % 3)
      self = .intra16x16(mode: index % 4, pattern: chroma << 4 | (index >= 12 ? 15 : 0))
    case 25: self = .pcm
    default: return nil
    }
  }

  /// Of a P slice; from 5 on those of an I slice.
  init?(p code: Int) {
    switch code {
    case 0: self = .inter(.whole, 1, 0)
    case 1: self = .inter(.wide, 1, 1)
    case 2: self = .inter(.tall, 1, 1)
    case 3: self = .inter(.quarters, 1, 1)
    case 4: self = .inter(.quarters, 1, 0)
    default: self.init(intra: code - 5)
    }
  }

  /// Of a B slice; from 23 on those of an I slice.
  init?(b code: Int) {
    switch code {
    case 0: self = .direct
    case 1...3: self = .inter(.whole, ListMask(code), 0)
    case 4...21:
      let lists = Self.pairs[(code - 4) / 2]
      self = .inter(code % 2 == 0 ? .wide : .tall, lists.0, lists.1)
    case 22: self = .inter(.quarters, 3, 3)
    default: self.init(intra: code - 23)
    }
  }

  /// The lists of the two parts, for types 4, 6, 8 and so on.
  private static let pairs: [(ListMask, ListMask)] = [
    (1, 1), (2, 2), (1, 2), (2, 1), (1, 3), (2, 3), (3, 1), (3, 2), (3, 3),
  ]
}

/// What the type of a block of 8x8 says (ITU-T H.264, tables 7-17 and 7-18).
struct SubMacroblockType {
  var shape: SubShape
  /// The lists it is predicted from; none where it is predicted directly.
  var lists: ListMask

  static let direct = SubMacroblockType(shape: .quarters, lists: 0)

  var isDirect: Bool { lists == 0 }

  /// Of a P slice, 0 to 3.
  init?(p code: Int) {
    guard (0...3).contains(code), let shape = SubShape(rawValue: UInt8(code)) else { return nil }
    self.init(shape: shape, lists: 1)
  }

  /// Of a B slice, 0 to 12.
  init?(b code: Int) {
    guard (0...12).contains(code) else { return nil }
    self = Self.ofB[code]
  }

  private init(shape: SubShape, lists: ListMask) {
    self.shape = shape
    self.lists = lists
  }

  private static let ofB: [SubMacroblockType] = [
    .direct, .init(shape: .whole, lists: 1), .init(shape: .whole, lists: 2), .init(shape: .whole, lists: 3),
    .init(shape: .wide, lists: 1), .init(shape: .tall, lists: 1), .init(shape: .wide, lists: 2),
    .init(shape: .tall, lists: 2), .init(shape: .wide, lists: 3), .init(shape: .tall, lists: 3),
    .init(shape: .quarters, lists: 1), .init(shape: .quarters, lists: 2), .init(shape: .quarters, lists: 3),
  ]
}
