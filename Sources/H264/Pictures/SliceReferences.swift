import LivePhotoH264Kernels

/// An entry of a reference list as prediction uses it.
struct ReferenceEntry<Sample: KernelSample>: BitwiseCopyable {
  /// The planes of its frame.
  var planes: (Table<Sample>, Table<Sample>, Table<Sample>)
  /// ``Reference/identity``.
  var identity: Int32
  /// Its picture order count.
  var order: Int32
  var structure: PictureStructure
  var isLongTerm: Bool
  /// Whether there is no such picture, or it is damaged.
  var isBroken: Bool
}

/// The reference lists of a slice, and what follows from them, in memory of the decoder.
struct SliceReferences<Sample: KernelSample> {
  /// By mode (macroblocks of the picture's structure; of the top, of the bottom field of an adaptive frame), list and
  /// index.
  let entries: Table<ReferenceEntry<Sample>>
  /// Implicit weights of list 1 by mode and indices (ITU-T H.264, 8.4.2.3.1).
  let implicitWeights: Table<Int16>
  /// How many entries there are in list 0 and list 1, of the picture's structure.
  private(set) var counts: Pair<Int> = Pair(first: 0, second: 0)
  /// The picture order counts of the current picture by mode.
  private(set) var orders: InlineArray<3, Int> = [0, 0, 0]
  /// The motion that direct prediction takes over, and which field of it a frame takes (8.4.1.2.1).
  private(set) var colocated: FrameMemory<Sample>
  private(set) var hasColocated = false
  private(set) var colocatedParity = 0
  /// The structure of the first entry of list 1, and whether its frame is an adaptive one.
  private(set) var colocatedStructure = PictureStructure.frame
  private(set) var isColocatedAdaptive = false

  /// The most entries of a list.
  static var capacity: Int { 48 }

  /// The lists of a slice of `current`, in memory of the decoder.
  init(
    _ lists: ReferenceLists<Sample>, _ header: SliceHeader, _ current: Frame<Sample>, isAdaptive: Bool,
    isImplicit: Bool,
    work: WorkingMemory<Sample>
  ) {
    entries = work.entries
    implicitWeights = work.implicitWeights
    colocated = FrameMemory(current)
    fill(lists, header, current, isAdaptive: isAdaptive, isImplicit: isImplicit)
  }

  /// Where an entry stands.
  @inline(__always)
  static func index(_ mode: Int, _ list: Int, _ reference: Int) -> Int { (mode * 2 + list) * capacity + reference }

  /// Takes over the lists of a slice.
  private mutating func fill(
    _ lists: ReferenceLists<Sample>, _ header: SliceHeader, _ current: Frame<Sample>, isAdaptive: Bool, isImplicit: Bool
  ) {
    counts = Pair(first: lists.lists[0].count, second: lists.lists[1].count)
    let whole =
      header.structure == .frame ? min(current.orders[0], current.orders[1]) : current.orders[header.structure.parity]
    orders = [whole, current.orders[0], current.orders[1]]
    for list in 0..<2 {
      for (index, reference) in lists.lists[list].enumerated() {
        put(reference, current, 0, list, index)
        guard isAdaptive else { continue }
        for (mode, own) in [(1, PictureStructure.topField), (2, .bottomField)] {
          put(reference.map { Reference(frame: $0.frame, structure: own) }, current, mode, list, 2 * index)
          put(reference.map { Reference(frame: $0.frame, structure: own.opposite) }, current, mode, list, 2 * index + 1)
        }
      }
    }
    if isImplicit {
      for mode in 0..<(isAdaptive ? 3 : 1) { fillWeights(mode) }
    }
    if let first = lists.lists[1].first, let first {
      colocated = FrameMemory(first.frame)
      hasColocated = true
      colocatedStructure = first.structure
      isColocatedAdaptive = !first.frame.isCodedAsFields
      let distances = first.frame.orders.map { abs($0 - whole) }
      colocatedParity = distances[0] >= distances[1] ? 1 : 0
    }
  }

  private func put(
    _ reference: Reference<Sample>?, _ current: Frame<Sample>, _ mode: Int, _ list: Int, _ index: Int
  ) {
    guard index < Self.capacity else { return }
    let memory = FrameMemory(reference?.frame ?? current)
    entries[Self.index(mode, list, index)] = ReferenceEntry(
      planes: (memory.planes[0], memory.planes[1], memory.planes[2]), identity: reference?.identity ?? -1,
      order: Int32(truncatingIfNeeded: reference?.order ?? 0), structure: reference?.structure ?? .frame,
      isLongTerm: reference?.isLongTerm ?? false,
      isBroken: reference.map { $0.frame.isMissing || $0.frame.damage != nil } ?? true)
  }

  private func fillWeights(_ mode: Int) {
    let factor = mode == 0 ? 1 : 2
    for first in 0..<min(counts.first * factor, 32) {
      for second in 0..<min(counts.second * factor, 32) {
        let a = entries[Self.index(mode, 0, first)], b = entries[Self.index(mode, 1, second)]
        var weight = 32
        if !a.isLongTerm, !b.isLongTerm,
          let scale = MotionScale.factor(current: orders[mode], from: Int(a.order), to: Int(b.order)),
          (-64...128).contains(scale >> 2)
        {
          weight = scale >> 2
        }
        implicitWeights[(mode * 32 + first) * 32 + second] = Int16(weight)
      }
    }
  }
}

/// How motion scales with time (ITU-T H.264, 8-197 and 8-201 to 8-202).
enum MotionScale {
  /// `DistScaleFactor`; nil where the two pictures are shown at one time.
  static func factor(current: Int, from first: Int, to second: Int) -> Int? {
    let distance = min(max(second - first, -128), 127)
    guard second != first else { return nil }
    let own = min(max(current - first, -128), 127)
    let reciprocal = (16384 + abs(distance / 2)) / distance
    return min(max((own * reciprocal + 32) >> 6, -1024), 1023)
  }
}
