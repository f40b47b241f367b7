#if HEVC
  internal import Dispatch
  internal import LivePhotoCore
  internal import LivePhotoHEIF
  internal import LivePhotoHEVC
  internal import Synchronization

  extension HEICDecoder {
    /// Decodes the tiles of a grid, as many at once as there are threads, and puts them together
    /// (ISO/IEC 23008-12, 6.6.2.3).
    func decode(_ file: HEIFFile, grid id: HEIFItem.ID) throws(HEICError) -> PlanarImage {
      let layout: GridLayout?
      do { layout = try file.gridLayout(of: id) } catch { throw .structure(error) }
      let tiles = file.tiles(of: id)
      guard let layout, let first = tiles.first else {
        throw .structure(.missing("tiles of grid item \(id)", at: Place(offset: 0, path: ["meta", "iref"])))
      }
      try check((layout.width, layout.height), of: id)
      let tile = try tileSize(file, tiles, layout, grid: id)

      // The first tile tells the format; the others have to agree with it.
      var decoder = try newDecoder()
      let image = try decode(file, coded: first, with: &decoder)
      let canvas = try GridCanvas(layout, tile: tile, like: image)
      let job = GridJob(canvas: canvas)
      try job.place(image, at: 0)
      let workers = min(threads.number, max(tiles.count - 1, 1))
      if workers == 1 {
        job.work { () throws(HEICError) in
          while let index = job.next(below: tiles.count) {
            try job.place(try decode(file, coded: tiles[index], with: &decoder), at: index)
          }
        }
      } else {
        DispatchQueue.concurrentPerform(iterations: workers) { _ in
          job.work { () throws(HEICError) in
            var decoder = try newDecoder()
            while let index = job.next(below: tiles.count) {
              try job.place(try decode(file, coded: tiles[index], with: &decoder), at: index)
            }
          }
        }
      }
      return try job.result()
    }

    private func newDecoder() throws(HEICError) -> HEVCDecoder {
      do { return try HEVCDecoder(limits: limits) } catch { throw .coding(error) }
    }

    /// The size that all tiles have, checked against the grid: tiles have to cover it, and none may be superfluous.
    private func tileSize(_ file: HEIFFile, _ tiles: [HEIFItem.ID], _ layout: GridLayout, grid id: HEIFItem.ID)
      throws(HEICError) -> (width: Int, height: Int)
    {
      let place = Place(offset: 0, path: ["grid item \(id)"])
      guard let size = tiles.first.flatMap({ file.codedSize(of: $0) }), size.width > 0, size.height > 0 else {
        throw .structure(.missing("'ispe' of the tiles", at: place))
      }
      let covers = layout.columns * size.width >= layout.width && layout.rows * size.height >= layout.height
      let isTight = (layout.columns - 1) * size.width < layout.width && (layout.rows - 1) * size.height < layout.height
      guard covers, isTight else {
        throw .structure(
          .invalid(
            "size of the grid", found: "\(layout.width)x\(layout.height)",
            expected: "what \(layout.columns) x \(layout.rows) tiles of \(size.width)x\(size.height) cover", at: place))
      }
      return size
    }
  }

  /// The tiles that are still to be decoded, and the picture that they go to, shared by the threads of one call.
  private final class GridJob: Sendable {
    private let index = Atomic<Int>(1)
    private let state: Mutex<State>

    private struct State {
      var canvas: GridCanvas
      var error: HEICError?
    }

    init(canvas: GridCanvas) { state = Mutex(State(canvas: canvas, error: nil)) }

    /// The next tile, or nil when there is none or another thread has failed.
    func next(below count: Int) -> Int? {
      guard state.withLock({ $0.error == nil }) else { return nil }
      let next = index.wrappingAdd(1, ordering: .relaxed).oldValue
      return next < count ? next : nil
    }

    func place(_ image: PlanarImage, at index: Int) throws(HEICError) {
      try state.withLock { (state) throws(HEICError) in try state.canvas.place(image, at: index) }
    }

    /// Runs a thread's part; its error ends the whole job.
    func work(_ body: () throws(HEICError) -> Void) {
      do { try body() } catch { state.withLock { $0.error = $0.error ?? error } }
    }

    func result() throws(HEICError) -> PlanarImage {
      try state.withLock { (state) throws(HEICError) in
        if let error = state.error { throw error }
        return state.canvas.image
      }
    }
  }

  /// The picture that tiles are put into.
  private struct GridCanvas {
    private let layout: GridLayout
    private let tile: (width: Int, height: Int)
    private(set) var image: PlanarImage

    init(_ layout: GridLayout, tile: (width: Int, height: Int), like first: PlanarImage) throws(HEICError) {
      let shift = first.format.chroma.chromaShift
      guard tile.width & ((1 << shift.x) - 1) == 0 || layout.columns == 1,
        tile.height & ((1 << shift.y) - 1) == 0 || layout.rows == 1
      else { throw .unsupported("a grid of tiles with odd sides (\(tile.width)x\(tile.height)) and halved chroma") }
      self.layout = layout
      self.tile = tile
      image = PlanarImage(width: layout.width, height: layout.height, format: first.format, color: first.color)
    }

    mutating func place(_ part: PlanarImage, at index: Int) throws(HEICError) {
      guard (part.width, part.height) == tile, part.format == image.format else {
        throw .structure(
          .invalid(
            "tile \(index)",
            found: "\(part.width)x\(part.height) \(part.format.chroma) of \(part.format.bitDepth) bits",
            expected: "\(tile.width)x\(tile.height) \(image.format.chroma) of \(image.format.bitDepth) bits",
            at: Place(offset: 0, path: ["grid"])))
      }
      let x = index % layout.columns * tile.width, y = index / layout.columns * tile.height
      let shift = image.format.chroma.chromaShift
      for plane in image.planes.indices {
        image.planes[plane].replace(
          atX: plane == 0 ? x : x >> shift.x, y: plane == 0 ? y : y >> shift.y, with: part.planes[plane])
      }
    }
  }
#endif
