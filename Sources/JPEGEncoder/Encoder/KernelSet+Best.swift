package import LivePhotoJPEGKernels

#if KERNELS_V3
  import LivePhotoCore
  import LivePhotoJPEGKernelsV3
#endif

extension KernelSet {
  /// The vector kernels built for x86-64-v3; nil where the build has none or the processor is not of that level.
  package static let level3: KernelSet? = {
    #if KERNELS_V3
      // SAFETY: the instruction gets the memory it asks for.
      guard unsafe Processor.hasLevel3(saveState: StateSaving.save) else { return nil }
      // SAFETY: these take what those they replace take, on the same promises of their callers.
      var set = simd
      unsafe set.convert444 = WideColor.convert444
      unsafe set.convert422 = WideColor.convert422
      unsafe set.convert420 = WideColor.convert420
      unsafe set.convertGray = WideColor.convertGray
      unsafe set.transformFast = LivePhotoJPEGKernelsV3.SIMDTransform.transform
      unsafe set.transformAccurate = LivePhotoJPEGKernelsV3.SIMDAccurateTransform.transform
      unsafe set.encodeMCUs = LivePhotoJPEGKernelsV3.FastEntropy.encodeMCUs
      unsafe set.stuff = LivePhotoJPEGKernelsV3.FastEntropy.stuff
      return set
    #else
      return nil
    #endif
  }()

  /// The fastest set for the processor this runs on.
  package static let best: KernelSet = level3 ?? simd
}

extension JPEGEncoder {
  /// The instruction set whose kernels this processor gets: "x86-64-v3", or "baseline" for that of the build.
  ///
  /// The bytes that are written do not depend on it.
  public static var instructionSet: String { KernelSet.level3 == nil ? "baseline" : "x86-64-v3" }
}
