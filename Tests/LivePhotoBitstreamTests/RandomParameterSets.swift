import TestSupport

/// Makes parameter sets with all optional parts present or absent at random, all values legal.
struct RandomParameterSets {
  var generator: SplitMix64
  private var writer = BitWriter()

  init(seed: UInt64) { generator = SplitMix64(seed: seed) }

  private mutating func random(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }
  private mutating func bits(_ count: Int) { writer.write(UInt32(truncatingIfNeeded: generator.next()), count) }
  private mutating func code(_ range: ClosedRange<Int>) { writer.writeUE(UInt32(random(range))) }
  private mutating func signedCode(_ range: ClosedRange<Int>) { writer.writeSE(Int32(random(range))) }

  /// Writes a random flag, and says which.
  private mutating func flag() -> Bool {
    let value = random(0...1) == 1
    writer.write(value)
    return value
  }

  private mutating func finish(_ header: [UInt8]) -> [UInt8] {
    writer.writeTrailingBits()
    defer { writer = BitWriter() }
    return header + escaped(writer.bytes)
  }
}

// MARK: HEVC

extension RandomParameterSets {
  /// A VPS, its identifier the number of sub-layers.
  mutating func vps(subLayers: Int) -> [UInt8] {
    writer.write(UInt32(subLayers), 4)
    writer.write(3, 2)
    writer.write(0, 6)
    writer.write(UInt32(subLayers - 1), 3)
    writer.write(subLayers < 7)
    writer.write(0xFFFF, 16)
    profileTierLevel(subLayers: subLayers)
    writer.write(false)
    for value in [4, 2, 0] as [UInt32] { writer.writeUE(value) }
    writer.write(0, 6)
    writer.writeUE(0)
    writer.write(0, 2)
    return finish([0x40, 1])
  }

  private mutating func profileTierLevel(subLayers: Int) {
    writer.write(0, 2)
    bits(1)
    let profile = UInt32(random(1...4))
    writer.write(profile, 5)
    writer.write(1 << (31 - profile) | 1 << 29, 32)
    bits(4)
    if profile == 4 { bits(9) } else { writer.write(0, 9) }
    writer.write(0, 32)
    writer.write(0, 3)
    bits(8)
    guard subLayers > 1 else { return }
    let flags = (0..<subLayers - 1).map { _ in [flag(), flag()] }
    writer.write(0, 2 * (9 - subLayers))
    for pair in flags {
      if pair[0] {
        writer.write(2, 8)
        writer.write(1 << 29, 32)
        writer.write(0, 32)
        writer.write(0, 16)
      }
      if pair[1] { bits(8) }
    }
  }

  /// An SPS that refers to a VPS that there is not: FFmpeg compares the two where it can.
  mutating func hevcSPS(depths: ClosedRange<Int> = 0...8) -> [UInt8] {
    writer.write(15, 4)
    let subLayers = random(1...7)
    writer.write(UInt32(subLayers - 1), 3)
    writer.write(subLayers == 1 ? 1 : UInt32(random(0...1)), 1)
    profileTierLevel(subLayers: subLayers)
    code(0...15)
    let chroma = random(0...3)
    writer.writeUE(UInt32(chroma))
    if chroma == 3 { _ = flag() }
    let width = random(8...500) * 8, height = random(8...500) * 8
    writer.writeUE(UInt32(width))
    writer.writeUE(UInt32(height))
    if flag() { for _ in 0..<4 { code(0...7) } }
    for _ in 0..<2 { code(depths) }
    let orderCountBits = random(4...16)
    writer.writeUE(UInt32(orderCountBits - 4))
    for _ in 0..<(flag() ? subLayers : 1) {
      for value in [15, 0, 0] as [UInt32] { writer.writeUE(value) }
    }
    for value in [0, 3, 0, 3, 1, 2] as [UInt32] { writer.writeUE(value) }
    if flag(), flag() { scalingLists() }
    bits(2)
    if flag() {
      writer.write(0x77, 8)
      writer.writeUE(0)
      writer.writeUE(2)
      bits(1)
    }
    referencePictureSets()
    if flag() {
      let count = random(0...32)
      writer.writeUE(UInt32(count))
      for _ in 0..<count { bits(orderCountBits + 1) }
    }
    bits(2)
    if flag() { hevcUsability() }
    writer.write(false)
    return finish([0x42, 1])
  }

  private mutating func scalingLists() {
    for size in 0..<4 {
      for matrix in stride(from: 0, to: 6, by: size == 3 ? 3 : 1) {
        if flag() {
          if size > 1 { signedCode(-7...247) }
          for _ in 0..<min(64, 1 << (4 + 2 * size)) { signedCode(-128...127) }
        } else {
          code(0...(size == 3 ? matrix / 3 : matrix))
        }
      }
    }
  }

  private mutating func referencePictureSets() {
    let count = random(0...20)
    writer.writeUE(UInt32(count))
    // The differences of the last set, as the standard derives them, to know how many flags a predicted set has.
    var last: [Int] = []
    for index in 0..<count {
      if index > 0, flag() {
        let isNegative = flag(), magnitude = random(1...4)
        writer.writeUE(UInt32(magnitude - 1))
        var next: [Int] = []
        for delta in last + [0] {
          // No more pictures than the buffer holds, and each only once.
          let value = delta + (isNegative ? -magnitude : magnitude)
          let isKept = value != 0 && next.count < 8 && random(0...3) > 0
          let isUsed = isKept && random(0...1) == 1
          writer.write(isUsed)
          if !isUsed { writer.write(isKept) }
          if isKept { next.append(value) }
        }
        // Negative ones first, each group from the nearest on.
        last = next.filter { $0 < 0 }.sorted(by: >) + next.filter { $0 > 0 }.sorted()
      } else {
        last = []
        let counts = [random(0...4), random(0...4)]
        for count in counts { writer.writeUE(UInt32(count)) }
        for (count, sign) in zip(counts, [-1, 1]) {
          var delta = 0
          for _ in 0..<count {
            let step = random(1...3)
            writer.writeUE(UInt32(step - 1))
            bits(1)
            delta += sign * step
            last.append(delta)
          }
        }
      }
    }
  }

  private mutating func hevcUsability() {
    usability()
    bits(3)
    if flag() { for _ in 0..<4 { code(0...3) } }
    if flag() {
      timing()
      if flag() { code(0...9) }
      writer.write(false)
    }
    writer.write(false)
  }

  /// The part that both standards share.
  private mutating func usability() {
    if flag() {
      let index = random(0...20)
      writer.write(index > 16 ? 255 : UInt32(index), 8)
      if index > 16 { for _ in 0..<2 { writer.write(UInt32(random(0...3)), 16) } }
    }
    if flag() { bits(1) }
    if flag() {
      writer.write(5, 3)
      bits(1)
      // A matrix of 0 has rules of its own on chroma formats.
      if flag() { for value in [random(1...12), random(1...18), random(1...14)] { writer.write(UInt32(value), 8) } }
    }
    if flag() { for _ in 0..<2 { code(0...5) } }
  }

  private mutating func timing() {
    writer.write(UInt32(random(1...2000)), 32)
    writer.write(UInt32(random(1...0xFFFF_FFFF)), 32)
  }
}

// MARK: H.264

extension RandomParameterSets {
  /// An SPS.
  mutating func h264SPS() -> [UInt8] {
    let profile = [66, 77, 88, 100, 110, 122, 244, 44][random(0...7)]
    writer.write(UInt32(profile), 8)
    bits(6)
    writer.write(0, 2)
    bits(8)
    code(0...31)
    if profile == 44 || profile >= 100 {
      let chroma = random(0...3)
      writer.writeUE(UInt32(chroma))
      if chroma == 3 { _ = flag() }
      code(0...6)
      code(0...6)
      bits(1)
      if flag() { h264ScalingLists(count: chroma == 3 ? 12 : 8) }
    }
    code(0...12)
    let order = random(0...2)
    writer.writeUE(UInt32(order))
    if order == 0 { code(0...12) }
    if order == 1 {
      bits(1)
      for _ in 0..<2 { signedCode(-Int(Int32.max)...Int(Int32.max)) }
      let count = random(0...255)
      writer.writeUE(UInt32(count))
      for _ in 0..<count { signedCode(-1000...1000) }
    }
    code(0...16)
    bits(1)
    for _ in 0..<2 { code(1...200) }
    if !flag() { bits(1) }
    bits(1)
    if flag() { for _ in 0..<4 { code(0...4) } }
    if flag() { h264Usability() }
    return finish([0x67])
  }

  private mutating func h264ScalingLists(count: Int) {
    for index in 0..<count where flag() {
      var last = 8, next = 8
      for _ in 0..<(index < 6 ? 16 : 64) {
        if next != 0 {
          let delta = random(-4...4) == 0 ? -last : random(1 - last...min(127, 255 - last))
          writer.writeSE(Int32(max(-128, delta)))
          next = (last + max(-128, delta) + 256) % 256
        }
        last = next == 0 ? last : next
      }
    }
  }

  private mutating func h264Usability() {
    usability()
    if flag() {
      timing()
      bits(1)
    }
    let hasNAL = flag()
    if hasNAL { referenceDecoder() }
    let hasVCL = flag()
    if hasVCL { referenceDecoder() }
    if hasNAL || hasVCL { bits(1) }
    bits(1)
    if flag() {
      bits(1)
      for _ in 0..<4 { code(0...15) }
      writer.writeUE(0)
      code(0...16)
    }
  }

  private mutating func referenceDecoder() {
    let count = random(1...32)
    writer.writeUE(UInt32(count - 1))
    bits(8)
    for _ in 0..<count {
      for _ in 0..<2 { code(0...0xFFFF_FFFE) }
      bits(1)
    }
    bits(20)
  }
}
