import LivePhotoBitstream
import LivePhotoH264Kernels

/// Which pictures may be referred to (ITU-T H.264, 8.2.5).
extension DecodedPictureBuffer {
  /// Numbers the frames as a picture sees them (8.2.4.1).
  func number(for header: SliceHeader, _ sps: H264SequenceParameterSet) {
    for frame in frames where frame.shortTerm != 0 {
      frame.wrappedNumber =
        frame.number > header.frameNumber ? frame.number - (1 << sps.frameNumberBits) : frame.number
    }
  }

  /// Marks references after a reference picture was decoded; true when all before were forgotten.
  mutating func mark(_ current: Frame<Sample>, _ header: SliceHeader, _ sps: H264SequenceParameterSet) -> Bool {
    let fields = header.structure.fields
    if header.isIDR {
      for frame in frames where frame !== current { (frame.shortTerm, frame.longTerm) = (0, 0) }
      if header.isLongTermReference {
        current.longTerm |= fields
        current.longTermIndex = 0
        longTermIndices = 1
      } else {
        current.shortTerm |= fields
        longTermIndices = 0
      }
      return false
    }
    number(for: header, sps)
    guard let steps = header.marking else {
      // The second field of a frame whose first one is marked moves no window.
      if current.shortTerm == 0 { slideWindow(sps, besides: current) }
      current.shortTerm |= fields
      return false
    }
    var forgotAll = false
    for step in steps {
      if case .forgetAll = step { forgotAll = true }
      apply(step, to: current, header)
    }
    if current.longTerm & fields == 0 { current.shortTerm |= fields }
    return forgotAll
  }

  /// Forgets the oldest short-term frame when there are as many references as there may be (8.2.5.3).
  mutating func slideWindow(_ sps: H264SequenceParameterSet, besides current: Frame<Sample>) {
    let referenced = frames.filter { $0 !== current && $0.referenced != 0 }
    guard referenced.count >= max(sps.maxReferenceFrames, 1) else { return }
    let oldest = referenced.filter { $0.shortTerm != 0 }.min { $0.wrappedNumber < $1.wrappedNumber }
    oldest?.shortTerm = 0
  }

  private mutating func apply(_ step: MarkingOperation, to current: Frame<Sample>, _ header: SliceHeader) {
    switch step {
    case .forgetShortTerm(let difference):
      guard let (frame, fields) = shortTerm(difference, current, header) else { return }
      frame.shortTerm &= ~fields
    case .forgetLongTerm(let number):
      guard let (frame, fields) = longTerm(number, current, header) else { return }
      frame.longTerm &= ~fields
    case .makeLongTerm(let difference, let index):
      guard let (frame, fields) = shortTerm(difference, current, header) else { return }
      freeLongTerm(index, except: frame)
      frame.shortTerm &= ~fields
      frame.longTerm |= fields
      frame.longTermIndex = index
    case .limitLongTerm(let count):
      longTermIndices = count
      for frame in frames where frame.longTerm != 0 && frame.longTermIndex >= count { frame.longTerm = 0 }
    case .forgetAll:
      for frame in frames where frame !== current { (frame.shortTerm, frame.longTerm) = (0, 0) }
      (current.shortTerm, current.longTerm) = (0, 0)
      longTermIndices = 0
    case .keepLongTerm(let index):
      freeLongTerm(index, except: current)
      current.shortTerm &= ~header.structure.fields
      current.longTerm |= header.structure.fields
      current.longTermIndex = index
    }
  }

  /// Takes a long-term index from the frame that has it.
  private func freeLongTerm(_ index: Int, except kept: Frame<Sample>) {
    for frame in frames where frame !== kept && frame.longTerm != 0 && frame.longTermIndex == index {
      frame.longTerm = 0
    }
    if kept.longTerm != 0, kept.longTermIndex != index { kept.longTerm = 0 }
  }

  /// The short-term picture whose number is so much lower than the current one's.
  private func shortTerm(
    _ difference: Int, _ current: Frame<Sample>, _ header: SliceHeader
  ) -> (frame: Frame<Sample>, fields: Int)? {
    guard header.structure.isField else {
      let number = header.frameNumber - difference
      return frames.first { $0 !== current && $0.shortTerm == 3 && $0.wrappedNumber == number }.map { ($0, 3) }
    }
    let (number, fields) = Self.field(2 * header.frameNumber + 1 - difference, header.structure)
    let candidates = frames.contains { $0 === current } ? frames : frames + [current]
    return candidates.first { $0.shortTerm & fields != 0 && $0.wrappedNumber == number }.map { ($0, fields) }
  }

  /// The long-term picture of a number.
  private func longTerm(
    _ number: Int, _ current: Frame<Sample>, _ header: SliceHeader
  ) -> (frame: Frame<Sample>, fields: Int)? {
    guard header.structure.isField else {
      return frames.first { $0.longTerm == 3 && $0.longTermIndex == number }.map { ($0, 3) }
    }
    let (index, fields) = Self.field(number, header.structure)
    return frames.first { $0.longTerm & fields != 0 && $0.longTermIndex == index }.map { ($0, fields) }
  }

  /// The frame's number and the field that a field's number means (8.2.4.1).
  static func field(_ number: Int, _ structure: PictureStructure) -> (number: Int, fields: Int) {
    (number >> 1, (number & 1 == 1 ? structure : structure.opposite).fields)
  }
}
