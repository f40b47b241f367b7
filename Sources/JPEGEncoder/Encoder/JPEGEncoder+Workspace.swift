package import LivePhotoJPEGKernels

extension JPEGEncoder {
  /// The memory of an encoder, kept from one picture to the next.
  ///
  /// ```swift
  /// var workspace = JPEGEncoder.Workspace(), bytes: [UInt8] = []
  /// for frame in frames {
  ///   try encoder.encode(frame.pixels, into: &bytes, reusing: &workspace)
  ///   send(bytes.span)
  /// }
  /// ```
  ///
  /// From the second picture of one kind on (size, encoder, metadata) nothing is allocated on one thread, as long as
  /// the file fits the capacity of the buffer; ``JPEGEncoder/optimizesHuffmanTables`` makes its tables anew each time.
  /// Any kind of picture may follow any other. A workspace serves one call at a time, from any thread.
  public struct Workspace: ~Copyable {
    let scan: ScanEncoder
    private let kernels: KernelSet
    private var plan: EncodingPlan?

    /// An empty workspace; the first picture fills it.
    public init() { self.init(kernels: .best) }

    package init(kernels: KernelSet) {
      self.kernels = kernels
      scan = ScanEncoder(kernels: kernels)
    }

    /// What is built for pictures of `kind`: that of the last one, if it was of the same kind.
    mutating func plan(for kind: PictureKind) throws(JPEGError) -> EncodingPlan {
      if let plan, plan.kind == kind { return plan }
      let plan = try EncodingPlan(kind, kernels: kernels)
      self.plan = plan
      return plan
    }
  }
}

/// Sendable by hand: what it holds is its own, and is only reached through `inout`.
extension JPEGEncoder.Workspace: @unchecked Sendable {}
