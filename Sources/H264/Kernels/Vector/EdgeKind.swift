/// Lanes each of which may also be a line of memory.
protocol EdgeKind: LaneKind {
  /// The limits of `count` lines of an edge from line `index` on; see ``Deblock``. Lanes behind those have none.
  static func limits(_ clipping: UnsafePointer<Int32>, _ index: Int, _ length: Int, _ count: Int) -> Register

  /// Loads as many lines as there are lanes, each from its p3 on.
  static func loadLines(_ first: UnsafePointer<Sample>, _ stride: Int) -> EdgeSamples<Self>
  static func storeLines(
    _ samples: EdgeSamples<Self>, _ first: UnsafeMutablePointer<Sample>, _ stride: Int, _ maximum: Register)
  /// Loads as many lines as there are lanes, each from its p1 on.
  static func loadNearLines(_ first: UnsafePointer<Sample>, _ stride: Int) -> NearEdgeSamples<Self>
  static func storeNearLines(
    _ samples: NearEdgeSamples<Self>, _ first: UnsafeMutablePointer<Sample>, _ stride: Int, _ maximum: Register)
}

/// The limits of eight lines, as the kernels get them.
enum EdgeLimits {
  @inline(__always)
  static func eight(_ clipping: UnsafePointer<Int32>, _ index: Int, _ length: Int, _ count: Int) -> SIMD8<Int32> {
    // SAFETY: the caller has a limit for each segment, so for each line.
    switch length {
    case 4 where count == 8:
      let (a, b) = unsafe (clipping[index &>> 2], clipping[index &>> 2 &+ 1])
      return SIMD8(a, a, a, a, b, b, b, b)
    case 2 where count == 8:
      let four = unsafe UnsafeRawPointer(clipping + index &>> 1).loadUnaligned(as: SIMD4<Int32>.self)
      return SIMD8(four[0], four[0], four[1], four[1], four[2], four[2], four[3], four[3])
    default:
      var values = SIMD8<Int32>(repeating: -1)
      for lane in 0..<count { unsafe values[lane] = clipping[(index &+ lane) / length] }
      return values
    }
  }
}

extension ByteKind8: EdgeKind {
  typealias Lanes = LaneVector<Self>

  @inline(__always)
  static func limits(_ clipping: UnsafePointer<Int32>, _ index: Int, _ length: Int, _ count: Int) -> Register {
    let limits = unsafe EdgeLimits.eight(clipping, index, length, count)
    return Registers.narrow(limits.lowHalf, limits.highHalf)
  }

  @inline(__always)
  static func loadLines(_ first: UnsafePointer<UInt8>, _ stride: Int) -> EdgeSamples<Self> {
    let columns = unsafe ByteLines.columns(first, stride)
    return EdgeSamples(
      p3: Lanes(Registers.widenLow(columns.0)), p2: Lanes(Registers.widenHigh(columns.0)),
      p1: Lanes(Registers.widenLow(columns.1)), p0: Lanes(Registers.widenHigh(columns.1)),
      q0: Lanes(Registers.widenLow(columns.2)), q1: Lanes(Registers.widenHigh(columns.2)),
      q2: Lanes(Registers.widenLow(columns.3)), q3: Lanes(Registers.widenHigh(columns.3)))
  }

  @inline(__always)
  static func storeLines(
    _ samples: EdgeSamples<Self>, _ first: UnsafeMutablePointer<UInt8>, _ stride: Int, _ maximum: Register
  ) {
    unsafe ByteLines.store(
      pairs(samples.p3, samples.p2), pairs(samples.p1, samples.p0), pairs(samples.q0, samples.q1),
      pairs(samples.q2, samples.q3), first, stride)
  }

  @inline(__always)
  static func loadNearLines(_ first: UnsafePointer<UInt8>, _ stride: Int) -> NearEdgeSamples<Self> {
    @inline(__always)
    func line(_ index: Int) -> Int32 {
      // SAFETY: the caller has eight lines of four samples.
      unsafe UnsafeRawPointer(first + index &* stride).loadUnaligned(as: Int32.self)
    }
    let upper = SIMD4(line(0), line(1), line(2), line(3)), lower = SIMD4(line(4), line(5), line(6), line(7))
    @inline(__always)
    func column(_ shift: Int32) -> Lanes {
      Lanes(Registers.narrow((upper &>> SIMD4(repeating: shift)) & 255, (lower &>> SIMD4(repeating: shift)) & 255))
    }
    return NearEdgeSamples(p1: column(0), p0: column(8), q0: column(16), q1: column(24))
  }

  @inline(__always)
  static func storeNearLines(
    _ samples: NearEdgeSamples<Self>, _ first: UnsafeMutablePointer<UInt8>, _ stride: Int, _ maximum: Register
  ) {
    unsafe ByteLines.store(pairs(samples.p1, samples.p0), pairs(samples.q0, samples.q1), first, stride)
  }

  /// Two neighbouring samples of each line.
  @inline(__always)
  private static func pairs(_ a: Lanes, _ b: Lanes) -> Quads {
    let c = Registers.bytes(Registers.narrow(a.register, b.register))
    return Registers.quads(
      SIMD16(c[0], c[8], c[1], c[9], c[2], c[10], c[3], c[11], c[4], c[12], c[5], c[13], c[6], c[14], c[7], c[15]))
  }
}

extension DeepKind8: EdgeKind {
  typealias Lanes = LaneVector<Self>

  @inline(__always)
  static func limits(_ clipping: UnsafePointer<Int32>, _ index: Int, _ length: Int, _ count: Int) -> Register {
    unsafe EdgeLimits.eight(clipping, index, length, count)
  }

  @inline(__always)
  static func loadLines(_ first: UnsafePointer<UInt16>, _ stride: Int) -> EdgeSamples<Self> {
    @inline(__always)
    func line(_ index: Int) -> Quads {
      // SAFETY: the caller has eight lines of eight samples.
      unsafe UnsafeRawPointer(first + index &* stride).loadUnaligned(as: Quads.self)
    }
    let columns = Transposition.transpose(
      line(0), line(1), line(2), line(3), line(4), line(5), line(6), line(7))
    return EdgeSamples(
      p3: Lanes(Registers.widen(columns.0)), p2: Lanes(Registers.widen(columns.1)),
      p1: Lanes(Registers.widen(columns.2)), p0: Lanes(Registers.widen(columns.3)),
      q0: Lanes(Registers.widen(columns.4)), q1: Lanes(Registers.widen(columns.5)),
      q2: Lanes(Registers.widen(columns.6)), q3: Lanes(Registers.widen(columns.7)))
  }

  @inline(__always)
  static func storeLines(
    _ samples: EdgeSamples<Self>, _ first: UnsafeMutablePointer<UInt16>, _ stride: Int, _ maximum: Register
  ) {
    let lines = Transposition.transpose(
      narrowed(samples.p3, maximum), narrowed(samples.p2, maximum), narrowed(samples.p1, maximum),
      narrowed(samples.p0, maximum), narrowed(samples.q0, maximum), narrowed(samples.q1, maximum),
      narrowed(samples.q2, maximum), narrowed(samples.q3, maximum))
    @inline(__always)
    func store(_ line: Quads, _ index: Int) {
      // SAFETY: the caller has eight lines of eight samples.
      unsafe UnsafeMutableRawPointer(first + index &* stride).storeBytes(of: line, as: Quads.self)
    }
    store(lines.0, 0)
    store(lines.1, 1)
    store(lines.2, 2)
    store(lines.3, 3)
    store(lines.4, 4)
    store(lines.5, 5)
    store(lines.6, 6)
    store(lines.7, 7)
  }

  @inline(__always)
  static func loadNearLines(_ first: UnsafePointer<UInt16>, _ stride: Int) -> NearEdgeSamples<Self> {
    @inline(__always)
    func line(_ index: Int) -> Quads {
      // SAFETY: the caller has eight lines of four samples.
      Quads(unsafe UnsafeRawPointer(first + index &* stride).loadUnaligned(as: Int64.self), 0)
    }
    let columns = Transposition.transpose(
      line(0), line(1), line(2), line(3), line(4), line(5), line(6), line(7))
    return NearEdgeSamples(
      p1: Lanes(Registers.widen(columns.0)), p0: Lanes(Registers.widen(columns.1)),
      q0: Lanes(Registers.widen(columns.2)), q1: Lanes(Registers.widen(columns.3)))
  }

  @inline(__always)
  static func storeNearLines(
    _ samples: NearEdgeSamples<Self>, _ first: UnsafeMutablePointer<UInt16>, _ stride: Int, _ maximum: Register
  ) {
    let z = Quads()
    let lines = Transposition.transpose(
      narrowed(samples.p1, maximum), narrowed(samples.p0, maximum), narrowed(samples.q0, maximum),
      narrowed(samples.q1, maximum), z, z, z, z)
    @inline(__always)
    func store(_ line: Quads, _ index: Int) {
      // SAFETY: the caller has eight lines of four samples.
      unsafe UnsafeMutableRawPointer(first + index &* stride).storeBytes(of: line[0], as: Int64.self)
    }
    store(lines.0, 0)
    store(lines.1, 1)
    store(lines.2, 2)
    store(lines.3, 3)
    store(lines.4, 4)
    store(lines.5, 5)
    store(lines.6, 6)
    store(lines.7, 7)
  }

  /// As words, which hold all samples of at most 14 bits.
  @inline(__always)
  private static func narrowed(_ a: Lanes, _ maximum: Register) -> Quads {
    Registers.quads(pack(a.register, maximum))
  }
}
