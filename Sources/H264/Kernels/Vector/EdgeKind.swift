/// Eight lanes, each of which may also be a line of memory.
protocol EdgeKind: LaneKind {
  static func narrow(_ values: SIMD8<Int32>) -> Register

  /// Loads eight lines, each from its p3 on.
  static func loadLines(_ first: UnsafePointer<Sample>, _ stride: Int) -> EdgeSamples<Self>
  static func storeLines(
    _ samples: EdgeSamples<Self>, _ first: UnsafeMutablePointer<Sample>, _ stride: Int, _ maximum: Register)
  /// Loads eight lines, each from its p1 on.
  static func loadNearLines(_ first: UnsafePointer<Sample>, _ stride: Int) -> NearEdgeSamples<Self>
  static func storeNearLines(
    _ samples: NearEdgeSamples<Self>, _ first: UnsafeMutablePointer<Sample>, _ stride: Int, _ maximum: Register)
}

extension LaneVector where Kind: EdgeKind {
  /// The limits of eight lines of an edge from line `index` on, a multiple of eight; see ``Deblock``.
  @inline(__always)
  init(clipping: UnsafePointer<Int32>, _ index: Int, _ length: Int, _ count: Int) {
    // SAFETY: the caller has a limit for each segment, so for each line.
    switch length {
    case 4 where count == 8:
      let (a, b) = unsafe (clipping[index &>> 2], clipping[index &>> 2 &+ 1])
      self.init(Kind.narrow(SIMD8(a, a, a, a, b, b, b, b)))
    case 2 where count == 8:
      let four = unsafe UnsafeRawPointer(clipping + index &>> 1).loadUnaligned(as: SIMD4<Int32>.self)
      self.init(Kind.narrow(SIMD8(four[0], four[0], four[1], four[1], four[2], four[2], four[3], four[3])))
    default:
      var values = SIMD8<Int32>(repeating: -1)
      for lane in 0..<count { unsafe values[lane] = clipping[(index &+ lane) / length] }
      self.init(Kind.narrow(values))
    }
  }
}

extension ByteKind8: EdgeKind {
  typealias Lanes = LaneVector<Self>

  @inline(__always)
  static func narrow(_ values: SIMD8<Int32>) -> Register { Registers.narrow(values.lowHalf, values.highHalf) }

  @inline(__always)
  static func loadLines(_ first: UnsafePointer<UInt8>, _ stride: Int) -> EdgeSamples<Self> {
    // SAFETY: the caller has eight lines of eight samples.
    @inline(__always) func line(_ index: Int) -> Quads { unsafe loadPacked(first + index &* stride) }
    let (a, b) = (Registers.interleave(line(0), line(1)), Registers.interleave(line(2), line(3)))
    let (c, d) = (Registers.interleave(line(4), line(5)), Registers.interleave(line(6), line(7)))
    let (e, f) = (Transposition.words(a, b), Transposition.words(c, d))
    let (g, h) = (Transposition.longs(e.low, f.low), Transposition.longs(e.high, f.high))
    return EdgeSamples(
      p3: Lanes(Registers.widenLow(g.low)), p2: Lanes(Registers.widenHigh(g.low)),
      p1: Lanes(Registers.widenLow(g.high)), p0: Lanes(Registers.widenHigh(g.high)),
      q0: Lanes(Registers.widenLow(h.low)), q1: Lanes(Registers.widenHigh(h.low)),
      q2: Lanes(Registers.widenLow(h.high)), q3: Lanes(Registers.widenHigh(h.high)))
  }

  @inline(__always)
  static func storeLines(
    _ samples: EdgeSamples<Self>, _ first: UnsafeMutablePointer<UInt8>, _ stride: Int, _ maximum: Register
  ) {
    // Words that hold two neighbouring samples of a line.
    @inline(__always)
    func pair(_ a: Lanes, _ b: Lanes) -> Quads {
      let both = Registers.bytes(Registers.narrow(a.register, b.register))
      return Registers.quads(
        SIMD16(
          both[0], both[8], both[1], both[9], both[2], both[10], both[3], both[11], both[4], both[12], both[5],
          both[13], both[6], both[14], both[7], both[15]))
    }
    let p = Transposition.words(pair(samples.p3, samples.p2), pair(samples.p1, samples.p0))
    let q = Transposition.words(pair(samples.q0, samples.q1), pair(samples.q2, samples.q3))
    let low = Transposition.longs(p.low, q.low), high = Transposition.longs(p.high, q.high)
    @inline(__always)
    func store(_ lines: Quads, _ index: Int) {
      // SAFETY: the caller has eight lines of eight samples.
      let line = unsafe UnsafeMutableRawPointer(first + index &* stride)
      unsafe line.storeBytes(of: lines[0], as: Int64.self)
      unsafe (line + stride).storeBytes(of: lines[1], as: Int64.self)
    }
    store(low.low, 0)
    store(low.high, 2)
    store(high.low, 4)
    store(high.high, 6)
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
    let p = Registers.bytes(Registers.narrow(samples.p1.register, samples.p0.register))
    let q = Registers.bytes(Registers.narrow(samples.q0.register, samples.q1.register))
    @inline(__always)
    func pairs(_ a: SIMD16<UInt8>) -> Quads {
      Registers.quads(
        SIMD16(a[0], a[8], a[1], a[9], a[2], a[10], a[3], a[11], a[4], a[12], a[5], a[13], a[6], a[14], a[7], a[15]))
    }
    let lines = Transposition.words(pairs(p), pairs(q))
    @inline(__always)
    func store(_ lines: Quads, _ index: Int) {
      let lines = Registers.longs(lines)
      for line in 0..<4 {
        // SAFETY: the caller has eight lines of four samples.
        unsafe UnsafeMutableRawPointer(first + (index &+ line) &* stride).storeBytes(of: lines[line], as: Int32.self)
      }
    }
    store(lines.low, 0)
    store(lines.high, 4)
  }
}

extension DeepKind8: EdgeKind {
  typealias Lanes = LaneVector<Self>

  @inline(__always) static func narrow(_ values: SIMD8<Int32>) -> Register { values }

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
      p3: widened(columns.0), p2: widened(columns.1), p1: widened(columns.2), p0: widened(columns.3),
      q0: widened(columns.4), q1: widened(columns.5), q2: widened(columns.6), q3: widened(columns.7))
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
      p1: widened(columns.0), p0: widened(columns.1), q0: widened(columns.2), q1: widened(columns.3))
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

  /// From unsigned words.
  @inline(__always)
  private static func widened(_ words: Quads) -> Lanes {
    let a = Registers.words(words)
    @inline(__always) func lane(_ index: Int) -> Int32 { Int32(UInt16(bitPattern: a[index])) }
    return Lanes(SIMD8(lane(0), lane(1), lane(2), lane(3), lane(4), lane(5), lane(6), lane(7)))
  }

  /// As words, which hold all samples of at most 14 bits.
  @inline(__always)
  private static func narrowed(_ a: Lanes, _ maximum: Register) -> Quads {
    let samples = pack(a.register, maximum)
    return Registers.quads(Registers.narrow(samples.lowHalf, samples.highHalf))
  }
}
