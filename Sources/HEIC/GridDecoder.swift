#if HEVC
  internal import Dispatch
  internal import LivePhotoCore
  internal import LivePhotoHEIF
  internal import LivePhotoHEVC
  internal import Synchronization

  /// Decodes rows of a grid's tiles on several threads, each of which keeps its decoder from row to row.
  struct GridDecoder: ~Copyable {
    let grid: TileGrid
    /// What all tiles are like: the first one says it, the others have to agree.
    let format: PixelFormat
    let color: ColorDescription

    private let file: HEIFFile
    private let decoder: HEICDecoder
    private let workers: [Worker]
    /// The first tile until it is placed.
    private var first: PlanarImage?

    /// A decoder of a grid, the first tile of which it decodes.
    ///
    /// - Throws: ``HEICError``.
    init(_ grid: TileGrid, of file: HEIFFile, with decoder: HEICDecoder) throws(HEICError) {
      let workers = try Self.workers(min(decoder.threads.number, grid.tiles.count), limits: decoder.limits)
      let first = try workers[0].decode(file, grid.tiles[0], with: decoder)
      try grid.check(first.format.chroma)
      self.grid = grid
      self.file = file
      self.decoder = decoder
      self.workers = workers
      self.first = first
      (format, color) = (first.format, first.color)
    }

    private static func workers(_ count: Int, limits: Limits) throws(HEICError) -> [Worker] {
      var workers: [Worker] = []
      for _ in 0..<count { workers.append(try Worker(limits: limits)) }
      return workers
    }

    /// The part of the picture that some rows of tiles cover.
    ///
    /// - Throws: ``HEICError``.
    mutating func decode(rows: Range<Int>) throws(HEICError) -> PlanarImage {
      var canvas = PlanarImage(
        width: grid.layout.width, height: grid.pictureRows(rows).count, format: format, color: color)
      let columns = grid.layout.columns
      let job = TileJob(grid, format, tiles: rows.lowerBound * columns..<rows.upperBound * columns)
      let first = first.take()
      let (file, decoder, workers) = (file, decoder, workers.prefix(job.tiles.count))
      // SAFETY: the areas are used inside the closure only, and each tile is taken by one thread.
      unsafe canvas.withAreas { areas in
        if let first { job.run { () throws(HEICError) in unsafe try job.place(first, at: job.next() ?? 0, in: areas) } }
        let work = { @Sendable (number: Int) in
          job.run { () throws(HEICError) in
            while let index = job.next() {
              let tile = try workers[number].decode(file, job.grid.tiles[index], with: decoder)
              unsafe try job.place(tile, at: index, in: areas)
            }
          }
        }
        if workers.count > 1 {
          DispatchQueue.concurrentPerform(iterations: workers.count, execute: work)
        } else {
          work(0)
        }
      }
      try job.check()
      return canvas
    }
  }

  /// What one thread decodes with.
  private final class Worker: Sendable {
    private let decoder: Mutex<HEVCDecoder>

    init(limits: Limits) throws(HEICError) {
      do { decoder = Mutex(try HEVCDecoder(limits: limits)) } catch { throw .coding(error) }
    }

    func decode(_ file: HEIFFile, _ id: HEIFItem.ID, with settings: HEICDecoder) throws(HEICError) -> PlanarImage {
      try decoder.withLock { (decoder) throws(HEICError) in try settings.decode(file, coded: id, with: &decoder) }
    }
  }

  /// The tiles that are still to be decoded, shared by the threads of one call.
  private final class TileJob: Sendable {
    let grid: TileGrid
    let format: PixelFormat
    /// Positions in the grid, whole rows of it.
    let tiles: Range<Int>
    private let count = Atomic<Int>(0)
    private let error = Mutex<HEICError?>(nil)

    init(_ grid: TileGrid, _ format: PixelFormat, tiles: Range<Int>) {
      self.grid = grid
      self.format = format
      self.tiles = tiles
    }

    /// The next tile, or nil when there is none or another thread has failed.
    func next() -> Int? {
      guard error.withLock({ $0 == nil }) else { return nil }
      let next = count.wrappingAdd(1, ordering: .relaxed).oldValue
      return next < tiles.count ? tiles.lowerBound + next : nil
    }

    /// Puts a tile in its place, which no other tile shares.
    @unsafe func place(_ tile: PlanarImage, at index: Int, in areas: SharedAreas) throws(HEICError) {
      guard (tile.width, tile.height) == (grid.tileWidth, grid.tileHeight), tile.format == format else {
        throw .structure(
          .invalid(
            "tile \(index)",
            found: "\(tile.width)x\(tile.height) \(tile.format.chroma) of \(tile.format.bitDepth) bits",
            expected: "\(grid.tileWidth)x\(grid.tileHeight) \(format.chroma) of \(format.bitDepth) bits",
            at: Place(offset: 0, path: ["grid"])))
      }
      let columns = grid.layout.columns
      let x = index % columns * grid.tileWidth, y = (index - tiles.lowerBound) / columns * grid.tileHeight
      // SAFETY: the caller lends the areas; where chroma is halved, inner tile edges lie between chroma samples.
      unsafe areas.place(tile, x: x, y: y)
    }

    /// Runs a thread's part; the first error ends the whole job.
    func run(_ body: () throws(HEICError) -> Void) {
      do { try body() } catch { self.error.withLock { $0 = $0 ?? error } }
    }

    func check() throws(HEICError) {
      if let error = error.withLock({ $0 }) { throw error }
    }
  }
#endif
