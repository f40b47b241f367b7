#if HEVC
  internal import Dispatch
  internal import LivePhotoCore
  internal import LivePhotoHEVC
  internal import Synchronization

  /// A part of a picture that is to be encoded.
  struct Tile: Sendable {
    /// Its number among the parts of the picture.
    let index: Int
    /// The picture, or those rows of it that the part is in.
    let image: PlanarImage
    /// Where the part begins in ``image``.
    let x: Int, y: Int
  }

  /// The parts of a picture that wait to be encoded, and what has become of the others; shared by the threads of one
  /// call.
  final class TileQueue: Sendable {
    /// What is done with a part.
    typealias Encode = @Sendable (Tile) -> Result<HEVCStill, HEVCError>

    private struct State {
      var waiting: [Tile] = []
      var stills: [HEVCStill?]
      /// Of the parts that could not be encoded, the first.
      var failure: (index: Int, error: HEVCError)?
      /// Whether helpers have been called, how many have come, and whether it is too late for others to.
      var hasBegun = false
      var helpers = 0
      var isClosed = false
    }

    private let encode: Encode
    private let threads: Int
    private let state: Mutex<State>
    /// Counts what waits; when all has been appended, one more for each thread.
    private let available = DispatchSemaphore(value: 0)
    /// Counts helpers that have left.
    private let left = DispatchSemaphore(value: 0)

    /// A queue for `count` parts.
    init(count: Int, threads: Int, encode: @escaping Encode) {
      self.encode = encode
      self.threads = max(1, min(threads, count))
      state = Mutex(State(stills: Array(repeating: nil, count: count)))
    }

    /// Whether a part could not be encoded, so that nothing is gained by others.
    var hasFailed: Bool { state.withLock { $0.failure != nil } }

    /// Encodes what `feed` appends, on as many threads as there are; `feed` is called on the calling one.
    ///
    /// - Returns: the coded parts in their order, nil for those that were not appended.
    func run(_ feed: () -> Void) throws(HEVCError) -> [HEVCStill?] {
      feed()
      for _ in 0..<threads { available.signal() }
      work()
      let helpers = state.withLock { state in
        state.isClosed = true
        return state.helpers
      }
      for _ in 0..<helpers { left.wait() }
      let state = state.withLock { $0 }
      if let failure = state.failure { throw failure.error }
      return state.stills
    }

    private func help() {
      let isLate = state.withLock { state in
        if !state.isClosed { state.helpers += 1 }
        return state.isClosed
      }
      guard !isLate else { return }
      work()
      left.signal()
    }

    /// Encodes until nothing is left and nothing follows.
    private func work() {
      while true {
        available.wait()
        guard let tile = next() else { return }
        finish(tile)
      }
    }

    /// Adds parts; called by `feed`.
    func append(_ tiles: [Tile]) {
      let begins = state.withLock { state in
        // They are taken from the end.
        if state.failure == nil { state.waiting.insert(contentsOf: tiles.reversed(), at: 0) }
        defer { state.hasBegun = true }
        return !state.hasBegun
      }
      for _ in tiles { available.signal() }
      guard begins else { return }
      // Where all threads of the system are taken, the calling one does the work, and waits for none that comes later.
      for _ in 1..<threads { DispatchQueue.global().async { self.help() } }
    }

    /// Encodes on the calling thread until no more than `count` parts wait; called by `feed`.
    func encode(untilWaiting count: Int) {
      while state.withLock({ $0.waiting.count }) > max(count, threads), available.wait(timeout: .now()) == .success {
        guard let tile = next() else { return }
        finish(tile)
      }
    }

    private func next() -> Tile? { state.withLock { $0.waiting.popLast() } }

    private func finish(_ tile: Tile) {
      let result = encode(tile)
      state.withLock { state in
        switch result {
        case .success(let still): state.stills[tile.index] = still
        case .failure(let error):
          if tile.index < state.failure?.index ?? .max { state.failure = (tile.index, error) }
          state.waiting = []
        }
      }
    }
  }
#endif
