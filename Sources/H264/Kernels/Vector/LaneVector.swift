/// A register of samples.
struct LaneVector<Kind: LaneKind> {
  typealias Sample = Kind.Sample
  typealias Packed = Kind.Packed

  var register: Kind.Register

  @inline(__always) init(_ register: Kind.Register) { self.register = register }
  // SAFETY: the caller has as many samples there as there are lanes.
  @inline(__always) init(loading source: UnsafePointer<Sample>) { register = unsafe Kind.load(source) }
  @inline(__always) init(repeating value: Int) { register = Kind.fill(value) }
}

extension LaneVector {
  @inline(__always) static func &+ (_ a: Self, _ b: Self) -> Self { Self(Kind.add(a.register, b.register)) }
  @inline(__always) static func &- (_ a: Self, _ b: Self) -> Self { Self(Kind.subtract(a.register, b.register)) }
  @inline(__always) static func &* (_ a: Self, _ b: Self) -> Self { Self(Kind.multiply(a.register, b.register)) }
  @inline(__always) static func & (_ a: Self, _ b: Self) -> Self { Self(Kind.and(a.register, b.register)) }
  @inline(__always) static func | (_ a: Self, _ b: Self) -> Self { Self(Kind.or(a.register, b.register)) }

  /// All bits of the lanes where `a` is less.
  @inline(__always) static func less(_ a: Self, _ b: Self) -> Self { Self(Kind.less(a.register, b.register)) }
  @inline(__always) static func least(_ a: Self, _ b: Self) -> Self { Self(Kind.least(a.register, b.register)) }
  @inline(__always) static func greatest(_ a: Self, _ b: Self) -> Self { Self(Kind.greatest(a.register, b.register)) }
  @inline(__always) func shiftedRight(_ count: Int) -> Self { Self(Kind.shiftRight(register, count)) }
  @inline(__always) var isAnySet: Bool { Kind.isAnySet(register) }

  /// The samples nearest to the values.
  @inline(__always) func packed(_ maximum: Self) -> Packed { Kind.pack(register, maximum.register) }
  /// The values, all of which are samples.
  @inline(__always) var packedInRange: Packed { Kind.packInRange(register) }

  /// `(a - 5 * b + 20 * c + 512) >> 10`; see ``LaneKind``.
  @inline(__always)
  static func center(_ a: Self, _ b: Self, _ c: Self) -> Self {
    Self(Kind.center(a.register, b.register, c.register))
  }

  /// The samples weighted together with others, before they are clipped.
  @inline(__always)
  func weighted(with other: Self, _ weights: PairWeights) -> Self {
    Self(Kind.weighted(register, other.register, weights))
  }
}

extension LaneVector {
  /// The six-tap filter's sum (ITU-T H.264, 8-241).
  @inline(__always)
  static func sixTap(_ a: Self, _ b: Self, _ c: Self, _ d: Self, _ e: Self, _ f: Self) -> Self {
    let inner = c &+ d, outer = b &+ e
    // -5 * outer + 20 * inner.
    return a &+ f &+ (inner &+ inner &+ inner &+ inner &- outer) &* Self(repeating: 5)
  }

  @inline(__always)
  static func absoluteDifference(_ a: Self, _ b: Self) -> Self { greatest(a, b) &- least(a, b) }

  @inline(__always)
  static func select(_ a: Self, _ b: Self, where mask: Self) -> Self {
    (a & mask) | Self(Kind.without(b.register, mask.register))
  }

  @inline(__always)
  func clamped(_ limit: Self) -> Self {
    Self.greatest(Self.least(self, limit), Self(repeating: 0) &- limit)
  }
}
