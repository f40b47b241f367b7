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
      let workers = try Self.workers(
        min(decoder.threads.number, grid.tiles.count),
        limits: decoder.limits(ofCoded: (grid.tileWidth, grid.tileHeight)))
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
      let job = TileJob(grid, format, rows: rows), first = first.take()
      let canvas = unsafe PlanarImage(
        width: grid.layout.width, height: grid.pictureRows(rows).count, format: format, color: color
      ) { areas in
        // SAFETY: the areas live as long as the closure, and tiles share no sample.
        unsafe run(job, first) { tile, x, y in unsafe areas.place(tile, x: x, y: y) }
      }
      try job.check()
      return canvas
    }

    /// That part as RGB or grey, each tile converted by the thread that decoded it.
    ///
    /// - Throws: ``HEICError``.
    mutating func raster(rows: Range<Int>, with converter: RGBConverter) throws(HEICError) -> RasterImage {
      let job = TileJob(grid, format, rows: rows), first = first.take()
      let canvas = unsafe RasterImage(
        width: grid.layout.width, height: grid.pictureRows(rows).count, converter: converter
      ) { pixels in
        // SAFETY: the pixels live as long as the closure, and tiles share none.
        unsafe run(job, first) { tile, x, y in unsafe pixels.place(tile, x: x, y: y) }
      }
      try job.check()
      return canvas
    }

    /// Decodes the tiles of a job, as many at once as there are threads, and gives each to `place`.
    private func run(
      _ job: TileJob, _ first: PlanarImage?, _ place: @Sendable (_ tile: PlanarPointers, _ x: Int, _ y: Int) -> Void
    ) {
      if let first {
        job.run { () throws(HEICError) in
          let index = job.next() ?? 0
          // SAFETY: the samples live as long as the closure.
          try unsafe first.withPointers { unsafe job.place($0, index, place) }?.get()
        }
      }
      let (file, decoder) = (file, decoder), workers = workers.prefix(job.tiles.count)
      @Sendable func work(_ number: Int) {
        job.run { () throws(HEICError) in
          while let index = job.next() {
            // SAFETY: the samples live as long as the closure.
            try unsafe workers[number].lend(file, job.grid.tiles[index], with: decoder) {
              unsafe job.place($0, index, place)
            }
            .get()
          }
        }
      }
      if workers.count > 1 {
        DispatchQueue.concurrentPerform(iterations: workers.count, execute: work)
      } else {
        work(0)
      }
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

    /// Lends the samples to `body`, for as long as that runs.
    @unsafe func lend<Result: Sendable>(
      _ file: HEIFFile, _ id: HEIFItem.ID, with settings: HEICDecoder, _ body: @Sendable (PlanarPointers) -> Result
    ) throws(HEICError) -> Result {
      try decoder.withLock { (decoder) throws(HEICError) in
        unsafe try settings.lend(file, coded: id, with: &decoder, body)
      }
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

    init(_ grid: TileGrid, _ format: PixelFormat, rows: Range<Int>) {
      self.grid = grid
      self.format = format
      tiles = rows.lowerBound * grid.layout.columns..<rows.upperBound * grid.layout.columns
    }

    /// The next tile, or nil when there is none or another thread has failed.
    func next() -> Int? {
      guard error.withLock({ $0 == nil }) else { return nil }
      let next = count.wrappingAdd(1, ordering: .relaxed).oldValue
      return next < tiles.count ? tiles.lowerBound + next : nil
    }

    /// Gives a tile to `place` with its own place, which no other tile shares; fails where it is not like the others.
    @unsafe func place(
      _ tile: PlanarPointers, _ index: Int, _ place: (_ tile: PlanarPointers, _ x: Int, _ y: Int) -> Void
    ) -> Result<Void, HEICError> {
      let (width, height, found) = unsafe (tile.width, tile.height, tile.format)
      guard (width, height) == (grid.tileWidth, grid.tileHeight), found == format else {
        let error = ParseError.invalid(
          "tile \(index)", found: "\(width)x\(height) \(found.chroma) of \(found.bitDepth) bits",
          expected: "\(grid.tileWidth)x\(grid.tileHeight) \(format.chroma) of \(format.bitDepth) bits",
          at: Place(offset: 0, path: ["grid"]))
        return .failure(.structure(error))
      }
      let columns = grid.layout.columns
      // Where chroma is halved, inner tile edges lie between chroma samples.
      let x = index % columns * grid.tileWidth, y = (index - tiles.lowerBound) / columns * grid.tileHeight
      unsafe place(tile, x, y)
      return .success(())
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
