#if KERNELS_V3
  internal import _Builtin_intrinsics.intel

  extension ByteKind16: EdgeKind {
    typealias Lanes = LaneVector<Self>

    // SAFETY: the caller has sixteen lines, and a limit for each segment, so for each line; so in all of this.

    @inline(__always)
    static func limits(_ clipping: UnsafePointer<Int32>, _ index: Int, _ length: Int, _ count: Int) -> Register {
      if length == 4 && count == 16 {
        let four = unsafe UnsafeRawPointer(clipping + index &>> 2).loadUnaligned(as: SIMD4<Int32>.self)
        let a = Registers.narrow(four, four)
        return SIMD16(a[0], a[0], a[0], a[0], a[1], a[1], a[1], a[1], a[2], a[2], a[2], a[2], a[3], a[3], a[3], a[3])
      }
      return SIMD16(
        lowHalf: unsafe ByteKind8.limits(clipping, index, length, min(count, 8)),
        highHalf: unsafe ByteKind8.limits(clipping, index &+ 8, length, max(count &- 8, 0)))
    }

    @inline(__always)
    static func loadLines(_ first: UnsafePointer<UInt8>, _ stride: Int) -> EdgeSamples<Self> {
      let upper = unsafe ByteLines.columns(first, stride), lower = unsafe ByteLines.columns(first + 8 &* stride, stride)
      @inline(__always)
      func both(_ a: Quads, _ b: Quads) -> (Lanes, Lanes) {
        let columns = Transposition.quads(a, b)
        return (Lanes(widened(columns.low)), Lanes(widened(columns.high)))
      }
      let (p3, p2) = both(upper.0, lower.0), (p1, p0) = both(upper.1, lower.1)
      let (q0, q1) = both(upper.2, lower.2), (q2, q3) = both(upper.3, lower.3)
      return EdgeSamples(p3: p3, p2: p2, p1: p1, p0: p0, q0: q0, q1: q1, q2: q2, q3: q3)
    }

    @inline(__always)
    static func storeLines(
      _ samples: EdgeSamples<Self>, _ first: UnsafeMutablePointer<UInt8>, _ stride: Int, _ maximum: Register
    ) {
      let a = pairs(samples.p3, samples.p2), b = pairs(samples.p1, samples.p0)
      let c = pairs(samples.q0, samples.q1), d = pairs(samples.q2, samples.q3)
      unsafe ByteLines.store(a.low, b.low, c.low, d.low, first, stride)
      unsafe ByteLines.store(a.high, b.high, c.high, d.high, first + 8 &* stride, stride)
    }

    @inline(__always)
    static func loadNearLines(_ first: UnsafePointer<UInt8>, _ stride: Int) -> NearEdgeSamples<Self> {
      let upper = unsafe ByteKind8.loadNearLines(first, stride)
      let lower = unsafe ByteKind8.loadNearLines(first + 8 &* stride, stride)
      @inline(__always)
      func both(_ a: ByteKind8.Lanes, _ b: ByteKind8.Lanes) -> Lanes {
        Lanes(SIMD16(lowHalf: a.register, highHalf: b.register))
      }
      return NearEdgeSamples(
        p1: both(upper.p1, lower.p1), p0: both(upper.p0, lower.p0), q0: both(upper.q0, lower.q0),
        q1: both(upper.q1, lower.q1))
    }

    @inline(__always)
    static func storeNearLines(
      _ samples: NearEdgeSamples<Self>, _ first: UnsafeMutablePointer<UInt8>, _ stride: Int, _ maximum: Register
    ) {
      let p = pairs(samples.p1, samples.p0), q = pairs(samples.q0, samples.q1)
      unsafe ByteLines.store(p.low, q.low, first, stride)
      unsafe ByteLines.store(p.high, q.high, first + 8 &* stride, stride)
    }

    /// Two neighbouring samples of each line.
    @inline(__always)
    private static func pairs(_ a: Lanes, _ b: Lanes) -> (low: Quads, high: Quads) {
      let (a, b) = (packInRange(a.register), packInRange(b.register))
      return (_mm_unpacklo_epi8(a, b), _mm_unpackhi_epi8(a, b))
    }
  }
#endif
