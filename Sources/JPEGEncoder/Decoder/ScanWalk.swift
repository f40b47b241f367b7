/// The order in which a scan visits blocks (ITU-T T.81, A.2), and what is lost on the way.
struct ScanWalk {
  /// MCUs across and down.
  let unitsAcross: Int, unitsDown: Int
  /// The blocks of an MCU, in order.
  let blocks: [Block]
  /// Rows of MCUs that one row of MCUs of all components covers: more than 1 where a scan has a single component.
  let rowsPerFrameRow: Int
  private let restartInterval: Int
  private var unitsToRestart: Int
  private var nextRestart: UInt8 = 0
  private var isStarved = false
  /// How many MCUs had no data, or not enough.
  private(set) var starvedUnits = 0
  /// The last row of MCUs of all components that had data.
  private(set) var lastGoodRow = 0

  /// A block of an MCU.
  struct Block {
    /// The component's number in the scan, and in the frame.
    let member: Int, component: Int
    /// Blocks from one MCU to the next, across and down, and the block's place in the MCU.
    let stepAcross: Int, stepDown: Int, across: Int, down: Int
  }

  /// What to do with an MCU.
  enum Step {
    /// Decode it.
    case decode
    /// The same, with predictions started anew.
    case restart
    /// There are no data for it.
    case skip
    /// There are none for any that follows either.
    case end
  }

  init(_ scan: ScanHeader, _ frame: DecodedFrame, restartInterval: Int) {
    self.restartInterval = restartInterval
    unitsToRestart = restartInterval
    if scan.components.count == 1 {
      let index = scan.components[0].index, geometry = frame.components[index]
      (unitsAcross, unitsDown) = (geometry.blocksAcross, geometry.blocksDown)
      rowsPerFrameRow = geometry.vertical
      blocks = [Block(member: 0, component: index, stepAcross: 1, stepDown: 1, across: 0, down: 0)]
    } else {
      (unitsAcross, unitsDown) = (frame.unitsAcross, frame.unitsDown)
      rowsPerFrameRow = 1
      blocks = scan.components.enumerated().flatMap { member, component in
        let (across, down) = (
          frame.components[component.index].horizontal, frame.components[component.index].vertical
        )
        return (0..<across * down).map {
          Block(
            member: member, component: component.index, stepAcross: across, stepDown: down, across: $0 % across,
            down: $0 / across)
        }
      }
    }
  }

  /// Begins the MCU that follows in `row`: passes a restart marker where one is due.
  @inline(__always)
  mutating func begin(row: Int, _ reader: inout BitReader) -> Step {
    var step = Step.decode
    if restartInterval > 0 {
      if unitsToRestart == 0 {
        if reader.passRestart(nextRestart) { isStarved = false }
        nextRestart = (nextRestart + 1) & 7
        unitsToRestart = restartInterval
        step = .restart
      }
      unitsToRestart -= 1
    }
    guard isStarved else {
      lastGoodRow = row / rowsPerFrameRow
      return step
    }
    starvedUnits += 1
    return restartInterval == 0 || reader.isAtEnd ? .end : .skip
  }

  /// Ends an MCU that was decoded.
  @inline(__always)
  mutating func finish(_ reader: borrowing BitReader) {
    guard reader.isExhausted else { return }
    isStarved = true
    starvedUnits += 1
  }
}
