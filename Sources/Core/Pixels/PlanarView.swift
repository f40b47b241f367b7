/// A plane of 8-bit samples that somebody else owns.
public struct PlaneView: ~Escapable {
  /// The samples, at least `stride * (height - 1) + width` of them.
  public let samples: Span<UInt8>
  /// Samples a row.
  public let width: Int
  /// Rows.
  public let height: Int
  /// Samples from the start of one row to the start of the next.
  public let stride: Int

  /// Borrows `samples`.
  ///
  /// - Precondition: there are enough samples for `height` rows.
  @_lifetime(copy samples)
  public init(_ samples: Span<UInt8>, width: Int, height: Int, stride: Int) {
    precondition(width >= 0 && height >= 0 && stride >= width, "a plane's stride is at least its width")
    precondition(height == 0 || samples.count >= stride * (height - 1) + width, "too few samples")
    self.samples = samples
    self.width = width
    self.height = height
    self.stride = stride
  }
}
