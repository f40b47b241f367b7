#if HEVC
  internal import Dispatch
  internal import LivePhotoCore
  internal import LivePhotoHEIF
  internal import LivePhotoHEVC
  internal import Synchronization

  /// How a picture is cut: into the tiles of a grid, or not at all.
  struct Division {
    /// The grid; nil where one coded picture is shown as it is.
    let layout: GridLayout?
    /// The size of each coded picture.
    let tile: (width: Int, height: Int)
    /// Where the coded pictures begin, row by row.
    let origins: [(x: Int, y: Int)]

    /// The fewest rows of 4:2:2 that a coded picture shows: libde265 1.0.11 takes a cropped row of it for two, and
    /// refuses what would then leave nothing of 64.
    private static let fewestRows422 = 33

    /// Divides a picture.
    ///
    /// HEVC cannot say an odd side where chroma is halved. Such a picture is a grid of one tile of the next even size,
    /// for all readers crop a grid to its own size but FFmpeg, which shows the tile; where `clap` crops, FFmpeg loses a
    /// column or row instead, and others tell the size without the crop.
    init(of image: PlanarImage, tiles: HEICTiles) throws(HEICError) {
      let shift = image.format.chroma.chromaShift
      let fewestRows = image.format.chroma == .yuv422 ? Self.fewestRows422 : 1
      let whole = (
        width: ((image.width + (1 << shift.x) - 1) >> shift.x) << shift.x,
        height: max(fewestRows, ((image.height + (1 << shift.y) - 1) >> shift.y) << shift.y)
      )
      let side: Int
      switch tiles {
      case .none: side = .max
      case .standard: side = 512
      case .side(let wanted):
        guard wanted % 64 == 0, (64...8192).contains(wanted) else {
          throw .unsupported("a tile of \(wanted) samples; it is a multiple of 64 from 64 to 8192")
        }
        side = wanted
      }
      if image.width <= side, image.height <= side {
        tile = whole
        origins = [(0, 0)]
        layout =
          whole == (image.width, image.height)
          ? nil : GridLayout(rows: 1, columns: 1, width: image.width, height: image.height)
        return
      }
      guard let layout = GridLayout(covering: image.width, image.height, tileWidth: side, tileHeight: side) else {
        throw .unsupported("a grid of more than 256 rows or columns; larger tiles are needed, which")
      }
      tile = (side, side)
      self.layout = layout
      origins = (0..<layout.tileCount).map { ($0 % layout.columns * side, $0 / layout.columns * side) }
    }
  }

  extension HEICEncoder {
    /// Encodes the parts of a picture, as many at once as there are threads.
    ///
    /// Each part has an encoder of its own: one that is used again writes bytes that depend on what came before.
    func encode(_ image: PlanarImage, divided division: Division) throws(HEICError) -> [HEVCStill] {
      let isSingle = division.origins.count == 1
      let encoder = HEVCEncoder(
        rateFactor: Self.rateFactor(quality: quality), preset: preset, isLossless: isLossless,
        // One large picture is coded row by row at once; whether it is has to hang on the picture alone.
        isWavefront: isSingle && image.width * image.height > 512 * 512, threads: isSingle ? threads : .count(1))
      let job = TileJob(count: division.origins.count)
      DispatchQueue.concurrentPerform(iterations: min(threads.number, division.origins.count)) { _ in
        while let index = job.next() {
          let (x, y) = division.origins[index]
          let part = image.padded(x: x, y: y, width: division.tile.width, height: division.tile.height)
          job.finish(index, Result { () throws(HEVCError) in try encoder.encodeStill(part) })
        }
      }
      do { return try job.results() } catch { throw .coding(error) }
    }
  }

  /// The parts that are still to be encoded, shared by the threads of one call.
  private final class TileJob: Sendable {
    private let count: Int
    private let index = Atomic<Int>(0)
    private let stills: Mutex<[Result<HEVCStill, HEVCError>?]>

    init(count: Int) {
      self.count = count
      stills = Mutex(Array(repeating: nil, count: count))
    }

    func next() -> Int? {
      let next = index.wrappingAdd(1, ordering: .relaxed).oldValue
      return next < count ? next : nil
    }

    func finish(_ index: Int, _ result: Result<HEVCStill, HEVCError>) {
      stills.withLock { $0[index] = result }
      // Nothing is gained by the other parts once one has failed.
      if case .failure = result { self.index.store(count, ordering: .relaxed) }
    }

    func results() throws(HEVCError) -> [HEVCStill] {
      let all = stills.withLock { $0 }
      for case .failure(let error) in all { throw error }
      var done: [HEVCStill] = []
      for case .success(let still) in all { done.append(still) }
      return done
    }
  }
#endif
