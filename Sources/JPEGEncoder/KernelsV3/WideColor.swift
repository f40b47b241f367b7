#if KERNELS_V3
  internal import _Builtin_intrinsics.intel

  /// Colour conversion with shuffles of bytes and vectors of 32 bytes; see ``SIMDColor``, whose results these are.
  ///
  /// Eight pixels are one vector, four in each half. A shuffle makes 16-bit lanes of red and blue side by side, so that
  /// a weighted sum is two multiply-adds of neighbouring lanes. For chroma that two pixels share, another shuffle puts
  /// like bytes of the two side by side, and a multiply-add with ones makes 16-bit sums of them.
  package enum WideColor {
    /// The shuffles of a layout, and of its last four pixels in sixteen.
    ///
    /// A vector is loaded as two times 16 bytes; of three-byte pixels the last load begins four bytes early, so that
    /// it ends with the row.
    private struct Layout {
      let size: Int
      let inner: Shuffles, last: Shuffles
      let luma: Weights, blue: Weights, red: Weights

      @inline(__always)
      init(_ layout: Int) {
        size = layout < 2 ? 3 : 4
        inner = Shuffles(size: size, shift: 0)
        last = Shuffles(size: size, shift: size == 3 ? 4 : 0)
        let isReversed = layout & 1 == 1
        luma = Weights(ColorWeights.lumaRed, ColorWeights.lumaGreen, ColorWeights.lumaBlue, isReversed)
        blue = Weights(ColorWeights.blueRed, ColorWeights.blueGreen, ColorWeights.blueBlue, isReversed)
        red = Weights(ColorWeights.redRed, ColorWeights.redGreen, ColorWeights.redBlue, isReversed)
      }
    }

    private struct Shuffles {
      /// First and third byte of each pixel as 16-bit lanes.
      let outer: __m256i
      /// The second byte of each pixel as every other 16-bit lane.
      let middle: __m256i
      /// First and third bytes of both pixels of a pair, two pairs; then the second bytes, and two of nothing.
      let pairs: __m256i

      /// The shuffles for pixels of `size` bytes, those of the upper half `shift` bytes further.
      ///
      /// Written out, since the compiler makes no constants of loops over lanes: bytes from right to left, 0x80 for none.
      @inline(__always)
      init(size: Int, shift: UInt64) {
        if size == 3 {
          outer = Self.control(0x8005_8003_8002_8000, 0x800B_8009_8008_8006, shift)
          middle = Self.control(0x8080_8004_8080_8001, 0x8080_800A_8080_8007, shift)
          pairs = Self.control(0x0B08_0906_0502_0300, 0x8080_0A07_8080_0401, shift)
        } else {
          outer = Self.control(0x8006_8004_8002_8000, 0x800E_800C_800A_8008, shift)
          middle = Self.control(0x8080_8005_8080_8001, 0x8080_800D_8080_8009, shift)
          pairs = Self.control(0x0E0A_0C08_0602_0400, 0x8080_0D09_8080_0501, shift)
        }
      }

      @inline(__always)
      private static func control(_ low: UInt64, _ high: UInt64, _ shift: UInt64) -> __m256i {
        let further = shift &* 0x0101_0101_0101_0101
        return __m256i(
          Int64(bitPattern: low), Int64(bitPattern: high), Int64(bitPattern: low &+ further),
          Int64(bitPattern: high &+ further))
      }
    }

    /// The weights of one output, for lanes of first and third bytes, and for lanes of second bytes.
    private struct Weights {
      let outer: __m256i, middle: __m256i

      @inline(__always)
      init(_ red: Int16, _ green: Int16, _ blue: Int16, _ isReversed: Bool) {
        let (x, y) = isReversed ? (blue, red) : (red, blue)
        outer = _mm256_set1_epi32(Int32(y) &<< 16 | Int32(x) & 0xFFFF)
        middle = _mm256_set1_epi32(Int32(green) & 0xFFFF)
      }
    }

    /// Sixteen pixels, eight in each vector.
    private typealias Pixels = (low: __m256i, high: __m256i)

    @inline(__always)
    private static func load(_ pixels: UnsafePointer<UInt8>, _ layout: Layout) -> Pixels {
      let quad = 4 &* layout.size
      // SAFETY: sixteen pixels are readable.
      let last = unsafe layout.size == 3 ? pixels + 32 : pixels + 48
      return unsafe (halves(pixels, pixels + quad), halves(pixels + 2 &* quad, last))
    }

    @inline(__always)
    private static func halves(_ low: UnsafePointer<UInt8>, _ high: UnsafePointer<UInt8>) -> __m256i {
      let low = unsafe UnsafeRawPointer(low).loadUnaligned(as: SIMD2<Int64>.self)
      let high = unsafe UnsafeRawPointer(high).loadUnaligned(as: SIMD2<Int64>.self)
      return __m256i(lowHalf: low, highHalf: high)
    }

    @inline(__always)
    private static func weigh(
      _ outer: __m256i, _ middle: __m256i, _ weights: Weights, _ rounding: Int32, _ shift: Int32
    ) -> __m256i {
      let sum = _mm256_add_epi32(_mm256_madd_epi16(outer, weights.outer), _mm256_madd_epi16(middle, weights.middle))
      return _mm256_srai_epi32(_mm256_add_epi32(sum, _mm256_set1_epi32(rounding)), shift)
    }

    /// Sixteen samples of one output as 16-bit lanes, in the order 0-3, 8-11, 4-7, 12-15.
    @inline(__always)
    private static func samples(
      _ pixels: Pixels, _ layout: Layout, _ weights: Weights, _ rounding: Int32
    ) -> __m256i {
      _mm256_packs_epi32(
        weigh(
          _mm256_shuffle_epi8(pixels.low, layout.inner.outer), _mm256_shuffle_epi8(pixels.low, layout.inner.middle),
          weights, rounding, 15),
        weigh(
          _mm256_shuffle_epi8(pixels.high, layout.last.outer), _mm256_shuffle_epi8(pixels.high, layout.last.middle),
          weights, rounding, 15))
    }

    /// Stores what ``samples`` gives for two outputs.
    @inline(__always)
    private static func store(
      _ a: __m256i, _ b: __m256i, _ outA: UnsafeMutablePointer<UInt8>, _ outB: UnsafeMutablePointer<UInt8>
    ) {
      let order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7)
      let bytes = _mm256_permutevar8x32_epi32(_mm256_packus_epi16(a, b), order)
      // SAFETY: the caller's outputs have room for 16 samples.
      unsafe UnsafeMutableRawPointer(outA).storeBytes(of: bytes.lowHalf, as: SIMD2<Int64>.self)
      unsafe UnsafeMutableRawPointer(outB).storeBytes(of: bytes.highHalf, as: SIMD2<Int64>.self)
    }

    /// The sums of both pixels of each pair.
    @inline(__always)
    private static func pairSums(_ pixels: Pixels, _ layout: Layout) -> Pixels {
      let ones = _mm256_set1_epi8(1)
      return (
        _mm256_maddubs_epi16(_mm256_shuffle_epi8(pixels.low, layout.inner.pairs), ones),
        _mm256_maddubs_epi16(_mm256_shuffle_epi8(pixels.high, layout.last.pairs), ones)
      )
    }

    /// Stores eight samples of each chroma from the sums of 2^`shift` pixels.
    @inline(__always)
    private static func storeChroma(
      _ sums: Pixels, _ layout: Layout, shift: Int32,
      _ chroma: (blue: UnsafeMutablePointer<UInt8>, red: UnsafeMutablePointer<UInt8>), at index: Int
    ) {
      let outer = _mm256_unpacklo_epi64(sums.low, sums.high), middle = _mm256_unpackhi_epi64(sums.low, sums.high)
      let rounding = ColorWeights.chromaRounding(shift), shift = 15 + shift
      // In each half of four: samples 0, 1, 4, 5 and samples 2, 3, 6, 7.
      let words = _mm256_packs_epi32(
        weigh(outer, middle, layout.blue, rounding, shift), weigh(outer, middle, layout.red, rounding, shift))
      let bytes = _mm256_packus_epi16(words, words)
      let ordered = unsafe unsafeBitCast(_mm_unpacklo_epi16(bytes.lowHalf, bytes.highHalf), to: SIMD2<UInt64>.self)
      // SAFETY: the caller's outputs have room for 8 samples.
      unsafe UnsafeMutableRawPointer(chroma.blue + index).storeBytes(of: ordered[0], as: UInt64.self)
      unsafe UnsafeMutableRawPointer(chroma.red + index).storeBytes(of: ordered[1], as: UInt64.self)
    }
  }

  // MARK: Kernels

  extension WideColor {
    /// Calls `body` with the size of a pixel as a constant.
    @inline(__always)
    private static func withLayout(_ layout: Int, _ body: (Layout) -> Void) {
      if layout < 2 { body(Layout(layout & 1)) } else { body(Layout(2 | layout & 1)) }
    }

    package static func convert444(
      _ pixels: (first: UnsafePointer<UInt8>, second: UnsafePointer<UInt8>), _ layout: Int, _ groups: Int,
      _ luma: (first: UnsafeMutablePointer<UInt8>, second: UnsafeMutablePointer<UInt8>),
      _ chroma: (blue: UnsafeMutablePointer<UInt8>, red: UnsafeMutablePointer<UInt8>)
    ) {
      withLayout(layout) { layout in
        for index in 0..<groups {
          // SAFETY: the caller passes `groups * 16` pixels and room for as many samples; so below.
          let group = unsafe load(pixels.first + index &* 16 &* layout.size, layout)
          let y = samples(group, layout, layout.luma, ColorWeights.lumaRounding)
          let blue = samples(group, layout, layout.blue, ColorWeights.chromaRounding(0))
          let red = samples(group, layout, layout.red, ColorWeights.chromaRounding(0))
          unsafe store(y, blue, luma.first + index &* 16, chroma.blue + index &* 16)
          unsafe store(red, red, chroma.red + index &* 16, chroma.red + index &* 16)
        }
      }
    }

    package static func convert422(
      _ pixels: (first: UnsafePointer<UInt8>, second: UnsafePointer<UInt8>), _ layout: Int, _ groups: Int,
      _ luma: (first: UnsafeMutablePointer<UInt8>, second: UnsafeMutablePointer<UInt8>),
      _ chroma: (blue: UnsafeMutablePointer<UInt8>, red: UnsafeMutablePointer<UInt8>)
    ) {
      withLayout(layout) { layout in
        for index in 0..<groups {
          let group = unsafe load(pixels.first + index &* 16 &* layout.size, layout)
          let y = samples(group, layout, layout.luma, ColorWeights.lumaRounding)
          unsafe store(y, y, luma.first + index &* 16, luma.first + index &* 16)
          unsafe storeChroma(pairSums(group, layout), layout, shift: 1, chroma, at: index &* 8)
        }
      }
    }

    package static func convert420(
      _ pixels: (first: UnsafePointer<UInt8>, second: UnsafePointer<UInt8>), _ layout: Int, _ groups: Int,
      _ luma: (first: UnsafeMutablePointer<UInt8>, second: UnsafeMutablePointer<UInt8>),
      _ chroma: (blue: UnsafeMutablePointer<UInt8>, red: UnsafeMutablePointer<UInt8>)
    ) {
      withLayout(layout) { layout in
        for index in 0..<groups {
          let above = unsafe load(pixels.first + index &* 16 &* layout.size, layout)
          let below = unsafe load(pixels.second + index &* 16 &* layout.size, layout)
          unsafe store(
            samples(above, layout, layout.luma, ColorWeights.lumaRounding),
            samples(below, layout, layout.luma, ColorWeights.lumaRounding),
            luma.first + index &* 16, luma.second + index &* 16)
          let (a, b) = (pairSums(above, layout), pairSums(below, layout))
          let sums = (_mm256_add_epi16(a.low, b.low), _mm256_add_epi16(a.high, b.high))
          unsafe storeChroma(sums, layout, shift: 2, chroma, at: index &* 8)
        }
      }
    }

    package static func convertGray(
      _ pixels: (first: UnsafePointer<UInt8>, second: UnsafePointer<UInt8>), _ layout: Int, _ groups: Int,
      _ luma: (first: UnsafeMutablePointer<UInt8>, second: UnsafeMutablePointer<UInt8>),
      _ chroma: (blue: UnsafeMutablePointer<UInt8>, red: UnsafeMutablePointer<UInt8>)
    ) {
      withLayout(layout) { layout in
        for index in 0..<groups {
          let group = unsafe load(pixels.first + index &* 16 &* layout.size, layout)
          let y = samples(group, layout, layout.luma, ColorWeights.lumaRounding)
          unsafe store(y, y, luma.first + index &* 16, luma.first + index &* 16)
        }
      }
    }
  }
#endif
