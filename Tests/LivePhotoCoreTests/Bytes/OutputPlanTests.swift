import LivePhotoCore
import Testing

@Suite struct OutputPlanTests {
  @Test func piecesFollowOneAnother() throws {
    let source = MemorySource([10, 11, 12, 13])
    var builder = OutputPlanBuilder()
    builder.append([1, 2])
    builder.append(1..<3, of: source)
    builder.append(2..<2, of: source)
    builder.append([UInt8]())
    #expect(builder.count == 4)
    let plan = try builder.finish()
    #expect(plan.pieces.count == 2)
    #expect(plan.count == 4)
    #expect(try plan.materialized() == [1, 2, 11, 12])
    #expect(throws: SourceError.self) { try OutputPlan([.copy(2..<5, from: source)]).materialized() }
  }

  @Test func offsetsAreFilledInForwardsAndBackwards() throws {
    var builder = OutputPlanBuilder()
    let start = builder.makeAnchor(), data = builder.makeAnchor()
    var head = ByteWriter()
    head.writeOffsets(from: data, distances: [0, 3, 258], width: 4)
    head.writeOffset(from: start, distance: 1, width: 8)
    builder.append([7])
    builder.place(start)
    builder.append(head)
    builder.place(data, offset: 2)
    var tail = ByteWriter()
    tail.writeOffset(from: start, distance: 0, width: 4)
    builder.append(tail)
    let bytes = try builder.finish().materialized()
    let end = 1 + 12 + 8 + 2
    let expected: [UInt8] =
      [7, 0, 0, 0, UInt8(end), 0, 0, 0, UInt8(end + 3), 0, 0, 1, UInt8(end + 2)] + [0, 0, 0, 0, 0, 0, 0, 2]
      + [0, 0, 0, 1]
    #expect(bytes == expected)
  }

  @Test func offsetsThatDoNotFitAreRefused() {
    func finish(_ distance: Int, width: Int, at offset: Int = 0, place: Bool = true) throws(LayoutError) -> OutputPlan {
      var builder = OutputPlanBuilder()
      let anchor = builder.makeAnchor()
      var writer = ByteWriter()
      writer.writeOffset(from: anchor, distance: distance, width: width)
      builder.append(writer)
      if place { builder.place(anchor, offset: offset) }
      return try builder.finish()
    }
    let most = Int(UInt32.max)
    #expect(throws: Never.self) { try finish(most - 4, width: 4) }
    #expect(throws: LayoutError.offsetTooLarge(most + 1, width: 4)) { try finish(most - 3, width: 4) }
    #expect(throws: LayoutError.offsetTooLarge(most + 5, width: 4)) { try finish(0, width: 4, at: most + 1) }
    #expect(throws: Never.self) { try finish(most, width: 8) }
    #expect(throws: LayoutError.self) { try finish(.max, width: 8) }
    #expect(throws: LayoutError.self) { try finish(-1, width: 4) }
    #expect(throws: LayoutError.anchorNotPlaced) { try finish(0, width: 4, place: false) }
  }

  @Test func aMillionOffsetsAreFilledInQuickly() throws {
    var builder = OutputPlanBuilder()
    let anchor = builder.makeAnchor()
    var writer = ByteWriter()
    // One run a track, as in a movie of many tracks: each must not copy the whole.
    for _ in 0..<1000 { writer.writeOffsets(from: anchor, distances: 0..<1000, width: 4) }
    builder.append(writer)
    builder.place(anchor)
    let clock = ContinuousClock()
    var bytes: [UInt8] = []
    let time = try clock.measure { bytes = try builder.finish().materialized() }
    #expect(Array(bytes.suffix(4)) == [0, 0x3D, 0x0C, 0xE7])
    #expect(time < .seconds(20))
  }
}
