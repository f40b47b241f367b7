import Dispatch
import Synchronization

/// How a picture is divided into bands of MCU rows: enough work to be worth handing out, and no more.
struct BandLayout {
  private static let mcusPerBand = 512

  private let rows: Int
  private let rowsPerBand: Int

  init(_ frame: FrameLayout) {
    rows = frame.mcuRows
    rowsPerBand = (Self.mcusPerBand + frame.mcusPerRow - 1) / frame.mcusPerRow
  }

  /// The number of bands.
  var count: Int { (rows + rowsPerBand - 1) / rowsPerBand }

  /// The MCU rows of band `index`.
  func rows(of index: Int) -> Range<Int> {
    index * rowsPerBand..<min(rows, (index + 1) * rowsPerBand)
  }
}

/// The bands of one scan as the threads of a call share them: which is next, and which wait for those before them.
final class BandQueue: Sendable {
  private struct State {
    var next = 0
    /// The band that is to be written next.
    var due = 0
    var isWriting = false
    var waiting: [CodedBand] = []
    var spare: [CodedBand]

    /// The band that is due, if it waits and nobody writes.
    mutating func takeDue() -> CodedBand? {
      guard !isWriting, let at = waiting.firstIndex(where: { $0.index == due }) else { return nil }
      isWriting = true
      return waiting.remove(at: at)
    }
  }

  private let count: Int
  private let writer: ScanWriter
  private let state: Mutex<State>
  /// Bands in work or waiting: a thread that is held up must not make the others fill the memory.
  private let room: DispatchSemaphore

  /// The queue of `count` bands; memory for them is taken from `spare`.
  init(count: Int, threads: Int, writer: ScanWriter, spare: [CodedBand]) {
    self.count = count
    self.writer = writer
    state = Mutex(State(spare: spare))
    room = DispatchSemaphore(value: threads * 4)
  }

  /// A band that nobody codes yet; nil when there is none left.
  func next() -> CodedBand? {
    room.wait()
    let band = state.withLock { state -> CodedBand? in
      guard state.next < count else { return nil }
      let band = state.spare.popLast() ?? CodedBand()
      band.index = state.next
      state.next += 1
      return band
    }
    if band == nil { room.signal() }
    return band
  }

  /// Takes a coded band, and writes what is due unless another thread does.
  func finish(_ band: CodedBand) {
    var due = state.withLock { state in
      state.waiting.append(band)
      return state.takeDue()
    }
    while let band = due {
      writer.append(band)
      due = state.withLock { state in
        state.spare.append(band)
        state.due += 1
        state.isWriting = false
        return state.takeDue()
      }
      room.signal()
    }
  }

  /// The memory of the bands, to be used again.
  func takeSpare() -> [CodedBand] {
    state.withLock { state in
      defer { state.spare = [] }
      return state.spare
    }
  }
}
