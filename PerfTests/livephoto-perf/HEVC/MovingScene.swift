#if HEVC
  import LivePhotoCore

  /// A made picture in motion for encoders to work at: soft texture that pans, a disc that crosses it, and noise that
  /// changes from frame to frame, as sensors have it.
  ///
  /// All arithmetic is of integers: a frame is the same on every machine, and the deeper one is the same scene.
  struct MovingScene {
    let width: Int
    let height: Int

    /// Frame `index`, 4:2:0 of 8 or 10 bits.
    func frame(_ index: Int, bitDepth: Int) -> PlanarImage {
      let shift = 10 - bitDepth
      let luma = samples(width, height) { x, y in
        (self.luma(x, y, index) + Self.scramble(x, y, index) % 49 - 24) >> shift
      }
      let chroma = [(90, 37), (150, 61)].map { base, period in
        samples(width / 2, height / 2) { x, y in
          (base * 4 + Self.wave(2 * x + 3 * index, period * 8) / 4 + Self.wave(2 * y, period * 6) / 4) >> shift
        }
      }
      let sizes = [(width, height), (width / 2, height / 2), (width / 2, height / 2)]
      let planes = zip(sizes, [luma] + chroma).map { size, words in
        Plane(
          width: size.0, height: size.1,
          samples: bitDepth > 8 ? .words(words) : .bytes(words.map { UInt8(truncatingIfNeeded: $0) }))
      }
      return PlanarImage(
        width: width, height: height, format: PixelFormat(.yuv420, bitDepth: bitDepth), color: .unspecified,
        planes: planes)
    }

    private func samples(_ width: Int, _ height: Int, _ sample: (Int, Int) -> Int) -> [UInt16] {
      var samples: [UInt16] = []
      samples.reserveCapacity(width * height)
      for y in 0..<height {
        for x in 0..<width { samples.append(UInt16(clamping: sample(x, y))) }
      }
      return samples
    }

    /// 10 bits, limited range.
    private func luma(_ x: Int, _ y: Int, _ index: Int) -> Int {
      let dx = x - (200 + 9 * index), dy = y - (height / 2 + Self.wave(6 * index, 400))
      if dx * dx + dy * dy < height * height / 36 { return 760 + Self.wave(dx * 3, 90) / 4 + dy / 2 }
      let (u, v) = (x + 3 * index, y + index)
      let patch = Self.scramble(u / 24, v / 24, 0) % 97
      return 420 + Self.wave(u, 211) + Self.wave(v + u / 3, 67) / 2 + Self.wave(u - v, 19) / 5 + patch
    }

    /// A wave of parabolas, -100 to 100.
    private static func wave(_ position: Int, _ period: Int) -> Int {
      let phase = ((position % period) + period) % period
      let half = period / 2
      let off = phase % max(half, 1)
      let arc = 400 * off * (half - off) / max(half * half, 1)
      return phase < half ? arc : -arc
    }

    /// A fixed scramble of a position.
    private static func scramble(_ x: Int, _ y: Int, _ index: Int) -> Int {
      var value = UInt32(truncatingIfNeeded: x &* 73_856_093 ^ y &* 19_349_663 ^ index &* 83_492_791)
      value = (value ^ value >> 13) &* 0x5BD1_E995
      value = (value ^ value >> 15) &* 0x27D4_EB2D
      return Int(value >> 8 & 0xFFFF)
    }
  }
#endif
