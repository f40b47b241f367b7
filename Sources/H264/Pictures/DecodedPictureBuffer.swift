import LivePhotoBitstream
import LivePhotoH264Kernels

/// The frames that are referred to or wait to come out (ITU-T H.264, C.4).
struct DecodedPictureBuffer<Sample: KernelSample> {
  /// In decoding order.
  var frames: [Frame<Sample>] = []
  /// Frames in the order in which they come out, to be taken from the front.
  private(set) var output: [Frame<Sample>] = []
  /// How many long-term indices there may be.
  var longTermIndices = 0
  private var capacity = 16
  private var idle: [Frame<Sample>] = []
  private var nextID = 1

  /// A frame to decode into.
  mutating func makeFrame(_ geometry: Geometry) -> Frame<Sample> {
    idle.removeAll { $0.geometry != geometry }
    let frame = idle.popLast() ?? Frame(geometry)
    frame.reset(id: nextID)
    // 2 bits of an identity say which field it is.
    nextID = nextID < 1 << 28 ? nextID + 1 : 1
    return frame
  }

  /// Takes a frame back whose samples nobody needs any more.
  mutating func recycle(_ frame: Frame<Sample>) {
    if idle.count < 2, !frames.contains(where: { $0 === frame }) { idle.append(frame) }
  }

  /// The next frame to come out.
  mutating func nextOutput() -> Frame<Sample>? { output.isEmpty ? nil : output.removeFirst() }

  /// Makes room as a sequence parameter set asks.
  mutating func configure(_ sps: H264SequenceParameterSet) {
    let stated = sps.maxBufferedFrames ?? sps.largestBuffer
    capacity = max(stated, sps.maxReferenceFrames, 1)
    longTermIndices = 0
  }

  /// Puts a frame in that is complete, or whose first field is.
  mutating func insert(_ frame: Frame<Sample>) {
    if !frames.contains(where: { $0 === frame }) { frames.append(frame) }
  }

  /// Lets frames out until the buffer holds no more than it may.
  mutating func shrink() {
    dropUnneeded()
    while frames.count > capacity, letOutFirst() { dropUnneeded() }
  }

  /// Lets all frames out, in their order.
  mutating func flush() {
    while letOutFirst() {}
    dropUnneeded()
  }

  /// Ends all references.
  mutating func forgetAll() {
    for frame in frames { (frame.shortTerm, frame.longTerm) = (0, 0) }
    longTermIndices = 0
  }

  /// Lets the frame out that is shown first of those that wait.
  private mutating func letOutFirst() -> Bool {
    let waiting = frames.filter { $0.isWaiting && $0.isComplete }
    guard let first = waiting.min(by: { $0.order(.frame) < $1.order(.frame) }) else { return false }
    first.isWaiting = false
    output.append(first)
    return true
  }

  private mutating func dropUnneeded() {
    frames.removeAll { frame in
      guard frame.isComplete, !frame.isWaiting, frame.referenced == 0 else { return false }
      if idle.count < 2, !output.contains(where: { $0 === frame }) { idle.append(frame) }
      return true
    }
  }
}

extension H264SequenceParameterSet {
  /// The most frames that a decoder holds at the level (ITU-T H.264, A.3.1, table A-1: `MaxDpbMbs`).
  var largestBuffer: Int {
    let macroblocks: Int =
      switch level {
      case 9, 10: 396
      case 11: constraintFlags & 0x10 != 0 && [66, 77, 88].contains(profile) ? 396 : 900
      case 12, 13, 20: 2376
      case 21: 4752
      case 22, 30: 8100
      case 31: 18000
      case 32: 20480
      case 40, 41: 32768
      case 42: 34816
      case 50: 110_400
      case 51, 52: 184_320
      case 60...: 696_320
      default: 32768
      }
    return min(max(macroblocks / max(widthInMacroblocks * heightInMacroblocks, 1), 1), 16)
  }
}
