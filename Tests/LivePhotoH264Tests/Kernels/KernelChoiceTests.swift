import LivePhotoH264
import LivePhotoH264Kernels
import TestSupport
import Testing

@Suite("H.264 kernels: the choice of a set")
struct KernelChoiceTests {
  @Test("an optimised build for Linux on x86-64 has kernels of level 3 where the processor can run them")
  func choice() throws {
    #if os(Linux) && arch(x86_64) && !DEBUG
      let flags = try String(decoding: readFile("/proc/cpuinfo"), as: UTF8.self).split(separator: "\n")
        .first { $0.hasPrefix("flags") }?.split(separator: " ").map(String.init)
      let asked: Set = ["avx2", "bmi1", "bmi2", "fma", "movbe", "abm", "f16c"]
      let isLevel3 = asked.isSubset(of: try #require(flags))
    #else
      let isLevel3 = false
    #endif
    #expect((KernelSet<UInt8>.level3 != nil) == isLevel3)
    #expect((KernelSet<UInt16>.level3 != nil) == isLevel3)
  }
}
