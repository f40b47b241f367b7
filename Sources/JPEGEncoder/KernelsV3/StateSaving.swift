#if KERNELS_V3
  internal import _Builtin_intrinsics.intel

  /// What tells whether the code of this module may run.
  ///
  /// Nothing generic and nothing of another module may be compiled in this one: the linker could then take such code for
  /// the same code of a module that runs anywhere.
  package enum StateSaving {
    /// The instruction XSAVE: saves the register states of `mask` that the system has switched on.
    // SAFETY: the caller's memory is as large and aligned as the instruction asks for.
    package static func save(_ area: UnsafeMutableRawPointer, _ mask: UInt64) { unsafe _xsave(area, mask) }
  }
#endif
