extension KernelSet {
  /// The fastest set for the processor this runs on.
  package static let best = reference
}
