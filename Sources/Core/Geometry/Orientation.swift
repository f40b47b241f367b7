/// One of the eight ways in which a stored picture is turned to be shown: the values 1 to 8 of Exif's Orientation tag.
///
/// As an operation on the stored picture: mirror it left to right if ``isMirrored``, then turn it clockwise by
/// ``quarterTurns`` × 90°.
public enum Orientation: UInt16, CaseIterable, Sendable {
  /// Shown as stored.
  case up = 1
  /// Mirrored left to right.
  case upMirrored = 2
  /// Turned by 180°.
  case down = 3
  /// Mirrored top to bottom.
  case downMirrored = 4
  /// Mirrored left to right, then turned 270° clockwise (a transposition).
  case leftMirrored = 5
  /// Turned 90° clockwise.
  case right = 6
  /// Mirrored left to right, then turned 90° clockwise (a transposition about the other diagonal).
  case rightMirrored = 7
  /// Turned 270° clockwise.
  case left = 8

  /// Clockwise quarter turns, 0 to 3, after mirroring.
  public var quarterTurns: Int {
    switch self {
    case .up, .upMirrored: 0
    case .right, .rightMirrored: 1
    case .down, .downMirrored: 2
    case .left, .leftMirrored: 3
    }
  }

  /// Whether the picture is mirrored left to right before it is turned.
  public var isMirrored: Bool {
    switch self {
    case .up, .right, .down, .left: false
    case .upMirrored, .rightMirrored, .downMirrored, .leftMirrored: true
    }
  }

  /// Whether width and height change places.
  public var swapsAxes: Bool { quarterTurns % 2 == 1 }

  /// The orientation that mirrors (or not) and then turns clockwise by `quarterTurns`, taken modulo 4.
  public init(mirrored: Bool, quarterTurns: Int) {
    let plain: [Orientation] = [.up, .right, .down, .left]
    let mirror: [Orientation] = [.upMirrored, .rightMirrored, .downMirrored, .leftMirrored]
    let turns = ((quarterTurns % 4) + 4) % 4
    self = mirrored ? mirror[turns] : plain[turns]
  }

  /// This orientation followed by another.
  public func followed(by next: Orientation) -> Orientation {
    // Mirroring after turning by n equals turning by -n after mirroring.
    let turns = next.isMirrored ? -quarterTurns : quarterTurns
    return Orientation(mirrored: isMirrored != next.isMirrored, quarterTurns: turns + next.quarterTurns)
  }

  /// The orientation that undoes this one.
  public var inverse: Orientation {
    isMirrored ? self : Orientation(mirrored: false, quarterTurns: -quarterTurns)
  }
}

/// The transformative properties of a HEIF item, in the order that MIAF asks for: `irot`, then `imir`
/// (ISO/IEC 23008-12, 6.5.10 and 6.5.12; ISO/IEC 23000-22, 7.3.6.7).
public struct HEIFTransform: Equatable, Sendable {
  /// The axis of an `imir` property; nil when there is none.
  public var mirrorAxis: MirrorAxis?
  /// The angle of `irot` in units of 90° counter-clockwise, 0 to 3; 0 needs no property.
  public var rotation: UInt8

  /// What `imir` mirrors about; the raw values are its own (ISO/IEC 23008-12:2022, where 1 is Exif orientation 2).
  ///
  /// The edition of 2017 could be read the other way round; no decoder does.
  public enum MirrorAxis: UInt8, Sendable {
    /// A horizontal axis: top and bottom change places.
    case horizontal = 0
    /// A vertical axis: left and right change places.
    case vertical = 1
  }

  /// A transform.
  public init(mirrorAxis: MirrorAxis? = nil, rotation: UInt8 = 0) {
    self.mirrorAxis = mirrorAxis
    self.rotation = rotation & 3
  }

  /// The properties that show a picture in `orientation`.
  public init(_ orientation: Orientation) {
    mirrorAxis = orientation.isMirrored ? .vertical : nil
    // Mirroring last turns the sense of the rotation before it round.
    let turns = orientation.isMirrored ? orientation.quarterTurns : 4 - orientation.quarterTurns
    rotation = UInt8(turns % 4)
  }
}

extension HEIFTransform.MirrorAxis {
  /// Mirroring as an orientation.
  public var orientation: Orientation { self == .vertical ? .upMirrored : .downMirrored }
}

extension Orientation {
  /// The orientation that `irot` with `rotation` × 90° counter-clockwise gives.
  public init(counterClockwiseQuarterTurns rotation: UInt8) {
    self.init(mirrored: false, quarterTurns: -Int(rotation & 3))
  }

  /// The orientation of an item whose transformative properties are `irot` followed by `imir`.
  public init(_ transform: HEIFTransform) {
    let mirror = transform.mirrorAxis?.orientation ?? .up
    self = Orientation(counterClockwiseQuarterTurns: transform.rotation).followed(by: mirror)
  }
}
