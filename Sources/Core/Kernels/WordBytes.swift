extension Span where Element == UInt16 {
  /// The words as bytes, each one's more significant byte first, or last.
  package func bytes(bigEndian: Bool) -> [UInt8] {
    // SAFETY: the array has room for two bytes a word, and all are written.
    unsafe [UInt8](unsafeUninitializedCapacity: count * 2) { buffer, initialized in
      initialized = count * 2
      guard let base = UnsafeMutableRawPointer(buffer.baseAddress) else { return }
      for index in indices {
        let word = bigEndian ? self[index].bigEndian : self[index].littleEndian
        unsafe base.storeBytes(of: word, toByteOffset: index * 2, as: UInt16.self)
      }
    }
  }
}
