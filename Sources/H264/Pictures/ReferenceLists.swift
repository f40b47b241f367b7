import LivePhotoBitstream
import LivePhotoH264Kernels

/// An entry of a reference list.
struct Reference<Sample: KernelSample> {
  /// The frame that it is, or is a field of.
  var frame: Frame<Sample>
  /// The whole frame or one field.
  var structure: PictureStructure

  /// What tells it from all others: the frame's number and the structure.
  var identity: Int32 { Int32(truncatingIfNeeded: frame.id << 2 | structure.rawValue) }
  /// Its picture order count.
  var order: Int { frame.order(structure) }
  /// Whether it is referred to as a long-term picture.
  var isLongTerm: Bool { frame.longTerm & structure.fields != 0 }
}

/// The reference lists of a slice (ITU-T H.264, 8.2.4).
struct ReferenceLists<Sample: KernelSample> {
  /// The two lists; nil where a picture is missing.
  private(set) var lists: [[Reference<Sample>?]] = [[], []]

  init(
    _ header: SliceHeader, _ sps: H264SequenceParameterSet, buffer: DecodedPictureBuffer<Sample>,
    current: Frame<Sample>
  ) {
    guard header.type != .i else { return }
    buffer.number(for: header, sps)
    current.wrappedNumber = header.frameNumber
    var frames = buffer.frames.filter { $0 !== current }
    // The first field of the frame may be referred to by the second.
    if header.structure.isField, current.fields != 0 { frames.append(current) }
    let order = current.order(header.structure)
    var initial: [[Reference<Sample>?]] =
      header.type == .p
      ? [Self.forP(frames, header)] : (0..<2).map { Self.forB(frames, header, order: order, list: $0) }
    if header.type == .b, initial[1].count > 1, Self.areSame(initial[0], initial[1]) { initial[1].swapAt(0, 1) }
    for list in initial.indices {
      let count = header.referenceCounts[list]
      var entries = Array(initial[list].prefix(count))
      while entries.count < count { entries.append(nil) }
      if let steps = header.modifications[list] {
        Self.modify(&entries, steps, frames, header, sps)
      }
      lists[list] = entries
    }
  }

  private static func areSame(_ a: [Reference<Sample>?], _ b: [Reference<Sample>?]) -> Bool {
    a.count == b.count && zip(a, b).allSatisfy { $0?.identity == $1?.identity }
  }
}

// MARK: The initial order

extension ReferenceLists {
  private static func forP(_ frames: [Frame<Sample>], _ header: SliceHeader) -> [Reference<Sample>?] {
    guard header.structure.isField else {
      let short = frames.filter { $0.shortTerm == 3 }.sorted { $0.wrappedNumber > $1.wrappedNumber }
      let long = frames.filter { $0.longTerm == 3 }.sorted { $0.longTermIndex < $1.longTermIndex }
      return (short + long).map { Reference(frame: $0, structure: .frame) }
    }
    let short = frames.filter { $0.shortTerm != 0 }.sorted { $0.wrappedNumber > $1.wrappedNumber }
    let long = frames.filter { $0.longTerm != 0 }.sorted { $0.longTermIndex < $1.longTermIndex }
    return alternating(short, header.structure, \.shortTerm) + alternating(long, header.structure, \.longTerm)
  }

  private static func forB(
    _ frames: [Frame<Sample>], _ header: SliceHeader, order: Int, list: Int
  ) -> [Reference<Sample>?] {
    let isField = header.structure.isField
    let candidates = frames.filter { isField ? $0.shortTerm != 0 : $0.shortTerm == 3 }
    // Of a frame of which one field is decoded, that field counts (8.2.4.2.4).
    func count(_ frame: Frame<Sample>) -> Int { frame.order(.frame) }
    let before = candidates.filter { isField ? count($0) <= order : count($0) < order }
      .sorted { count($0) > count($1) }
    let after = candidates.filter { count($0) > order }.sorted { count($0) < count($1) }
    let short = list == 0 ? before + after : after + before
    let long = frames.filter { isField ? $0.longTerm != 0 : $0.longTerm == 3 }
      .sorted { $0.longTermIndex < $1.longTermIndex }
    guard isField else { return (short + long).map { Reference(frame: $0, structure: .frame) } }
    return alternating(short, header.structure, \.shortTerm) + alternating(long, header.structure, \.longTerm)
  }

  /// Fields of frames in turn, beginning with the parity of the current one; once one parity is used up, the rest of
  /// the other (8.2.4.2.5).
  private static func alternating(
    _ frames: [Frame<Sample>], _ structure: PictureStructure, _ marks: KeyPath<Frame<Sample>, Int>
  ) -> [Reference<Sample>?] {
    let parities = [structure, structure.opposite]
    var rest = parities.map { parity in
      frames.filter { $0[keyPath: marks] & parity.fields != 0 }.map { Reference(frame: $0, structure: parity) }[...]
    }
    var result: [Reference<Sample>?] = []
    var turn = 0
    while let next = rest[turn].popFirst() {
      result.append(next)
      turn = 1 - turn
    }
    return result + Array(rest[1 - turn])
  }
}

// MARK: Reordering

extension ReferenceLists {
  /// Moves pictures to the front of a list (8.2.4.3).
  private static func modify(
    _ entries: inout [Reference<Sample>?], _ steps: [ListModification], _ frames: [Frame<Sample>],
    _ header: SliceHeader, _ sps: H264SequenceParameterSet
  ) {
    let isField = header.structure.isField
    let range = (isField ? 2 : 1) << sps.frameNumberBits
    let current = isField ? 2 * header.frameNumber + 1 : header.frameNumber
    var predicted = current
    for (index, step) in steps.enumerated() where index < entries.count {
      let found: Reference<Sample>?
      switch step {
      case .shortTerm(let difference):
        predicted = (predicted + difference + range) % range
        let number = predicted > current ? predicted - range : predicted
        found = find(number, frames, header, \.shortTerm) { $0.wrappedNumber }
      case .longTerm(let number): found = find(number, frames, header, \.longTerm) { $0.longTermIndex }
      }
      entries.insert(found, at: index)
      var kept = entries[...index]
      for entry in entries[(index + 1)...] where found == nil || entry?.identity != found?.identity {
        kept.append(entry)
      }
      while kept.count < entries.count { kept.append(nil) }
      entries = Array(kept.prefix(entries.count - 1))
    }
  }

  private static func find(
    _ number: Int, _ frames: [Frame<Sample>], _ header: SliceHeader, _ marks: KeyPath<Frame<Sample>, Int>,
    _ ownNumber: (Frame<Sample>) -> Int
  ) -> Reference<Sample>? {
    guard header.structure.isField else {
      return frames.first { $0[keyPath: marks] == 3 && ownNumber($0) == number }
        .map { Reference(frame: $0, structure: .frame) }
    }
    let (frameNumber, fields) = DecodedPictureBuffer<Sample>.field(number, header.structure)
    return frames.first { $0[keyPath: marks] & fields != 0 && ownNumber($0) == frameNumber }
      .map { Reference(frame: $0, structure: fields == 1 ? .topField : .bottomField) }
  }
}
