/// Zeroed memory for kernels, freed with its owner.
///
/// Its start is a pointer and is used as one: whoever passes it to a kernel sees to the bounds.
@safe struct AlignedBuffer<Element: BitwiseCopyable>: ~Copyable {
  /// The first element, aligned for the widest vectors.
  let start: UnsafeMutablePointer<Element>
  /// The number of elements.
  let count: Int

  /// Memory for `count` elements, all bits zero.
  init(count: Int) {
    let size = max(1, count) * MemoryLayout<Element>.stride
    let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 64)
    unsafe memory.initializeMemory(as: UInt8.self, repeating: 0, count: size)
    // SAFETY: the memory is of the size and alignment of `count` elements, for which zero bits are a value.
    unsafe start = memory.bindMemory(to: Element.self, capacity: max(1, count))
    self.count = count
  }

  /// Memory holding a copy of `elements`.
  init(_ elements: [Element]) {
    self.init(count: elements.count)
    // SAFETY: the memory was made for as many elements.
    for index in elements.indices { unsafe start[index] = elements[index] }
  }

  deinit {
    // SAFETY: the memory was allocated by `init` and nothing else frees it.
    unsafe UnsafeMutableRawPointer(start).deallocate()
  }
}
