#if arch(x86_64)
  internal import _Builtin_intrinsics.intel.cpuid
#endif

/// What the processor that this runs on can do.
package enum Processor {
  /// Whether it has all instructions of x86-64-v3 (the System V psABI's level with AVX2, BMI2 and FMA), and the system
  /// saves the registers that they use.
  ///
  /// - Parameter saveState: the instruction XSAVE, to be called only where it exists.
  package static func hasLevel3(saveState: (_ area: UnsafeMutableRawPointer, _ mask: UInt64) -> Void) -> Bool {
    #if arch(x86_64)
      // SSE3, SSSE3, FMA, CMPXCHG16B, SSE4.1, SSE4.2, MOVBE, POPCNT, OSXSAVE, AVX, F16C.
      let basic: UInt32 =
        1 << 0 | 1 << 9 | 1 << 12 | 1 << 13 | 1 << 19 | 1 << 20 | 1 << 22 | 1 << 23 | 1 << 27 | 1 << 28
        | 1 << 29
      // BMI1, AVX2, BMI2.
      let extended: UInt32 = 1 << 3 | 1 << 5 | 1 << 8
      // LAHF, LZCNT.
      let late: UInt32 = 1 << 0 | 1 << 5
      guard identification(1).ecx & basic == basic, identification(7).ebx & extended == extended,
        identification(0x8000_0001).ecx & late == late
      else { return false }
      return unsafe savesWideRegisters(saveState)
    #else
      return false
    #endif
  }

  #if arch(x86_64)
    /// Whether the high halves of the vector registers are switched on in extended control register 0.
    ///
    /// Swift has no instruction that reads that. XSAVE leaves a state's bit in its header as it was where the state is
    /// off, and writes it otherwise.
    private static func savesWideRegisters(
      _ saveState: (_ area: UnsafeMutableRawPointer, _ mask: UInt64) -> Void
    ) -> Bool {
      let header = 512, size = header + 64 + 256, highHalves: UInt64 = 1 << 2
      return unsafe withUnsafeTemporaryAllocation(byteCount: size, alignment: 64) { area in
        guard let start = area.baseAddress else { return false }
        // SAFETY: the area is as large and aligned as XSAVE asks for states up to this one.
        let after = [0, highHalves].map { before in
          unsafe area.storeBytes(of: before, toByteOffset: header, as: UInt64.self)
          unsafe saveState(start, highHalves)
          return unsafe area.load(fromByteOffset: header, as: UInt64.self) & highHalves
        }
        return after[0] == after[1]
      }
    }

    /// Two of the registers that CPUID fills for a leaf (its subleaf 0); zeros where there is no such leaf.
    private static func identification(_ leaf: UInt32) -> (ebx: UInt32, ecx: UInt32) {
      var (eax, ebx, ecx, edx): (UInt32, UInt32, UInt32, UInt32) = (0, 0, 0, 0)
      // SAFETY: the function writes four integers.
      let isThere = unsafe __get_cpuid_count(leaf, 0, &eax, &ebx, &ecx, &edx)
      return isThere == 1 ? (ebx, ecx) : (0, 0)
    }
  #endif
}
