import LivePhotoH264Kernels

/// A fixed number of plain values at one place in memory, every access to which is checked.
///
/// What an array costs in the loops of a decoder (uniqueness, exclusivity and reference counts of its owner) it does
/// not; it belongs to whoever made it, who has to free it.
@safe struct Table<Element: BitwiseCopyable>: @unchecked Sendable {
  /// The first element, for kernels.
  let base: UnsafeMutablePointer<Element>
  /// How many there are.
  let count: Int

  /// Values that all are `fill`.
  init(count: Int, fill: Element) {
    self.count = count
    // SAFETY: all of what is allocated is initialised; at least one element, so that there is an address.
    unsafe base = .allocate(capacity: max(count, 1))
    unsafe base.initialize(repeating: fill, count: max(count, 1))
  }

  /// The values of an array.
  init(_ values: [Element]) {
    count = values.count
    // SAFETY: as many elements are initialised as the array has.
    unsafe base = .allocate(capacity: max(count, 1))
    for index in values.indices { unsafe (base + index).initialize(to: values[index]) }
  }

  /// Gives the memory back; nothing may be read from then on.
  func free() {
    // SAFETY: the elements are plain, and the owner calls this once.
    unsafe base.deallocate()
  }

  @inline(__always)
  subscript(index: Int) -> Element {
    get {
      precondition(UInt(bitPattern: index) < UInt(bitPattern: count))
      // SAFETY: the index was checked.
      return unsafe base[index]
    }
    nonmutating set {
      precondition(UInt(bitPattern: index) < UInt(bitPattern: count))
      // SAFETY: the index was checked.
      unsafe base[index] = newValue
    }
    nonmutating _modify {
      precondition(UInt(bitPattern: index) < UInt(bitPattern: count))
      // SAFETY: the index was checked.
      yield unsafe &base[index]
    }
  }

  /// Sets all elements of a range to one value.
  @inline(__always)
  func fill(_ range: Range<Int>, with value: Element) {
    precondition(range.lowerBound >= 0 && range.upperBound <= count)
    // SAFETY: the range was checked.
    for index in range { unsafe base[index] = value }
  }

  /// Sets all elements to one value.
  func fill(with value: Element) {
    // SAFETY: all elements are there.
    unsafe base.update(repeating: value, count: count)
  }

  /// Sets the elements to those of another table of the same size.
  func copy(from other: Table) {
    precondition(count == other.count)
    // SAFETY: both have so many elements.
    unsafe base.update(from: other.base, count: count)
  }

  /// The elements of a rectangle in rows that are `stride` apart, as an array.
  func rows(from start: Int, width: Int, height: Int, stride: Int) -> [Element] {
    precondition(start >= 0 && width >= 0 && height >= 0 && stride >= 0)
    precondition(height == 0 || start + (height - 1) * stride + width <= count)
    return unsafe Array(unsafeUninitializedCapacity: width * height) { buffer, initialized in
      guard let output = buffer.baseAddress else { return }
      // SAFETY: the rectangle was checked; the buffer has room for all rows.
      for row in 0..<height { unsafe (output + row * width).update(from: base + start + row * stride, count: width) }
      initialized = width * height
    }
  }

  /// Copies a row of elements inside the table.
  func copyRow(from source: Int, to target: Int, count length: Int) {
    precondition(source >= 0 && target >= 0 && length >= 0 && source + length <= count && target + length <= count)
    // SAFETY: both were checked; moving allows them to overlap.
    unsafe (base + target).update(from: base + source, count: length)
  }

  /// Copies four elements from another table.
  @inline(__always)
  func copyFour(from other: Table, at source: Int, to target: Int) {
    precondition(source >= 0 && source <= other.count - 4 && target >= 0 && target <= count - 4)
    // SAFETY: both were checked.
    for index in 0..<4 { unsafe base[target + index] = other.base[source + index] }
  }

  /// Takes over the first elements from an array.
  func update(from values: [Element]) {
    precondition(values.count <= count)
    // SAFETY: there is room for as many.
    unsafe values.withUnsafeBufferPointer { values in
      guard let first = values.baseAddress else { return }
      unsafe base.update(from: first, count: values.count)
    }
  }
}
