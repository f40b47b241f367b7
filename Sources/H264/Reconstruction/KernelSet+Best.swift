package import LivePhotoH264Kernels

#if KERNELS_V3
  import LivePhotoCore
  import LivePhotoH264KernelsV3

  // SAFETY: the instruction gets the memory it asks for.
  private let hasLevel3 = unsafe Processor.hasLevel3(saveState: StateSaving.save)
#endif

extension KernelSet where Sample == UInt8 {
  /// The vector kernels built for x86-64-v3; nil where the build has none or the processor is not of that level.
  package static let level3: KernelSet? = {
    #if KERNELS_V3
      guard hasLevel3 else { return nil }
      typealias Kernels = LivePhotoH264KernelsV3.ByteKernels
      // SAFETY: these take what the reference kernels take, on the same promises of their callers.
      var set = simd
      unsafe set.predictLuma = Kernels.predictLuma
      unsafe set.predictChroma = Kernels.predictChroma
      unsafe set.average = Kernels.average
      unsafe set.weight = Kernels.weight
      unsafe set.weightPair = Kernels.weightPair
      unsafe set.add4x4 = Kernels.add4x4
      unsafe set.add8x8 = Kernels.add8x8
      unsafe set.addDC4x4 = Kernels.addDC4x4
      unsafe set.addDC8x8 = Kernels.addDC8x8
      unsafe set.deblockLuma = Kernels.deblockLuma
      unsafe set.deblockLumaStrongly = Kernels.deblockLumaStrongly
      unsafe set.deblockChroma = Kernels.deblockChroma
      unsafe set.deblockChromaStrongly = Kernels.deblockChromaStrongly
      return set
    #else
      return nil
    #endif
  }()

  /// The fastest set for the processor this runs on.
  package static let best: KernelSet = level3 ?? simd
}

extension KernelSet where Sample == UInt16 {
  /// The vector kernels built for x86-64-v3; nil where the build has none or the processor is not of that level.
  package static let level3: KernelSet? = {
    #if KERNELS_V3
      guard hasLevel3 else { return nil }
      typealias Kernels = LivePhotoH264KernelsV3.DeepKernels
      // SAFETY: these take what the reference kernels take, on the same promises of their callers.
      var set = simd
      unsafe set.predictLuma = Kernels.predictLuma
      unsafe set.predictChroma = Kernels.predictChroma
      unsafe set.average = Kernels.average
      unsafe set.weight = Kernels.weight
      unsafe set.weightPair = Kernels.weightPair
      unsafe set.add4x4 = Kernels.add4x4
      unsafe set.add8x8 = Kernels.add8x8
      unsafe set.addDC4x4 = Kernels.addDC4x4
      unsafe set.addDC8x8 = Kernels.addDC8x8
      unsafe set.deblockLuma = Kernels.deblockLuma
      unsafe set.deblockLumaStrongly = Kernels.deblockLumaStrongly
      unsafe set.deblockChroma = Kernels.deblockChroma
      unsafe set.deblockChromaStrongly = Kernels.deblockChromaStrongly
      return set
    #else
      return nil
    #endif
  }()

  /// The fastest set for the processor this runs on.
  package static let best: KernelSet = level3 ?? simd
}
