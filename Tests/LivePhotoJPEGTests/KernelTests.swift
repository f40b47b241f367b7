import LivePhotoCore
import LivePhotoJPEG
import LivePhotoJPEGKernels
import TestSupport
import Testing

@Suite("JPEG kernels: every form gives the reference's bytes")
struct KernelTests {
  /// All sets that this processor and this build have, but the reference.
  static let sets: [(name: String, kernels: KernelSet)] =
    [("simd", .simd)] + (KernelSet.level3.map { [("level 3", $0)] } ?? [])

  @Test("an optimised build for Linux on x86-64 has kernels of level 3, and uses them where the processor can")
  func choice() throws {
    #if os(Linux) && arch(x86_64) && !DEBUG
      let flags = try String(decoding: readFile("/proc/cpuinfo"), as: UTF8.self).split(separator: "\n")
        .first { $0.hasPrefix("flags") }?.split(separator: " ").map(String.init)
      let asked: Set = ["avx2", "bmi1", "bmi2", "fma", "movbe", "abm", "f16c"]
      let isLevel3 = asked.isSubset(of: try #require(flags))
    #else
      let isLevel3 = false
    #endif
    #expect((KernelSet.level3 != nil) == isLevel3)
    #expect(JPEGEncoder.instructionSet == (isLevel3 ? "x86-64-v3" : "baseline"))
  }

  @Test("whole files, all samplings, layouts and kinds of picture", arguments: JPEGSubsampling.allCases)
  func files(_ subsampling: JPEGSubsampling) throws {
    for content in TestPicture.Content.allCases {
      for (width, height) in [(1, 1), (16, 16), (17, 9), (47, 33), (130, 50)] {
        let picture = TestPicture(content, width: width, height: height)
        for (quality, layout) in [(1, PixelLayout.rgb), (50, .bgr), (75, .rgba), (95, .bgra), (100, .rgb)] {
          let bytes = picture.bytes(layout, padding: 5)
          let view = PixelView(
            bytes.span, width: width, height: height, stride: width * layout.bytesPerPixel + 5, layout: layout)
          let encoder = JPEGEncoder(quality: quality, subsampling: subsampling)
          let expected = try encoder.encode(view, metadata: JPEGMetadata(), kernels: .reference)
          for (name, kernels) in Self.sets {
            #expect(
              try encoder.encode(view, metadata: JPEGMetadata(), kernels: kernels) == expected,
              "\(name): \(content) \(width)x\(height) \(layout) at \(quality)")
          }
        }
      }
    }
  }

  @Test("grey and planes, read where they are")
  func planes() throws {
    let picture = TestPicture(.noise, width: 121, height: 67)
    let luma = picture.bytes(.gray, padding: 7)
    let gray = PixelView(luma.span, width: 121, height: 67, stride: 128, layout: .gray)
    let chroma = TestPicture(.smooth, width: 61, height: 34).bytes(.gray, padding: 3)
    let y = PlaneView(luma.span, width: 121, height: 67, stride: 128)
    let c = PlaneView(chroma.span, width: 61, height: 34, stride: 64)
    for quality in [30, 90, 99] {
      let encoder = JPEGEncoder(quality: quality)
      let metadata = JPEGMetadata()
      let expected = (
        gray: try encoder.encode(gray, metadata: metadata, kernels: .reference),
        planar: try encoder.encode(y: y, cb: c, cr: c, color: .jfif, metadata: metadata, kernels: .reference)
      )
      for (name, kernels) in Self.sets {
        #expect(try encoder.encode(gray, metadata: metadata, kernels: kernels) == expected.gray, "\(name)")
        #expect(
          try encoder.encode(y: y, cb: c, cr: c, color: .jfif, metadata: metadata, kernels: kernels)
            == expected.planar, "\(name)")
      }
    }
  }

  /// Blocks that drive the 16-bit transform to its ends: the sign patterns of every coefficient, and noise of two
  /// values.
  static let extremeSamples: [UInt8] = {
    var blocks: [[UInt8]] = []
    for index in 0..<64 {
      let (u, v) = (Double(index % 8), Double(index / 8))
      blocks.append(
        (0..<64).map { sample in
          let (x, y) = (Double(sample % 8), Double(sample / 8))
          return cosine((2 * x + 1) * u) * cosine((2 * y + 1) * v) >= 0 ? 255 : 0
        })
      blocks.append(blocks[blocks.count - 1].map { 255 - $0 })
    }
    var random = SplitMix64(seed: 11)
    for _ in 0..<128 { blocks.append(random.bytes(64).map { $0 > 127 ? 255 : 0 }) }
    // Eight rows of all blocks side by side.
    return (0..<8).flatMap { row in blocks.flatMap { $0[row * 8..<row * 8 + 8] } }
  }()

  @Test("extreme blocks in both transforms", arguments: [1, 10, 50, 90, 95, 96, 98, 100])
  func extremes(_ quality: Int) throws {
    let samples = Self.extremeSamples
    let view = PixelView(samples.span, width: samples.count / 8, height: 8, layout: .gray)
    let encoder = JPEGEncoder(quality: quality)
    let expected = try encoder.encode(view, metadata: JPEGMetadata(), kernels: .reference)
    for (name, kernels) in Self.sets {
      #expect(try encoder.encode(view, metadata: JPEGMetadata(), kernels: kernels) == expected, "\(name)")
    }
  }

  @Test("stuffing finds every 0xFF wherever it stands")
  func stuffing() {
    var random = SplitMix64(seed: 3)
    for length in 0..<80 {
      let bytes = random.bytes(length).map { $0 & 3 == 0 ? 0xFF : $0 & 7 == 1 ? 0xFE : $0 }
      var expected: [UInt8] = []
      for byte in bytes { expected += byte == 0xFF ? [0xFF, 0] : [byte] }
      #expect(stuffed(bytes, .reference) == expected)
      for (name, kernels) in Self.sets { #expect(stuffed(bytes, kernels) == expected, "\(name)") }
    }
  }

  private func stuffed(_ bytes: [UInt8], _ kernels: KernelSet) -> [UInt8] {
    unsafe [UInt8](unsafeUninitializedCapacity: bytes.count * 2 + 8) { buffer, count in
      // SAFETY: the output has the room that the kernel asks for; an empty array is not read.
      unsafe bytes.withUnsafeBufferPointer { bytes in
        guard let from = bytes.baseAddress, let to = buffer.baseAddress else { return }
        count = unsafe kernels.stuff(from, bytes.count, to) - to
      }
    }
  }
}

/// cos(k π/16) from the angle-sum rule, so that no mathematics library is needed.
private func cosine(_ k: Double) -> Double {
  let step = (cosine: 0.9807852804032304, sine: 0.19509032201612825)
  var value = (cosine: 1.0, sine: 0.0)
  for _ in 0..<Int(k) % 32 {
    value = (
      value.cosine * step.cosine - value.sine * step.sine, value.sine * step.cosine + value.cosine * step.sine
    )
  }
  return value.cosine
}
