#if HEVC
  import Foundation
  import LivePhotoCore
  import LivePhotoEngine
  import Synchronization
  import TestSupport
  import Testing

  /// Jobs whose task is cancelled, and how far they say they are.
  @Suite struct CancellationTests {
    let folder: TemporaryFolder
    let photo: String
    let clip: String

    init() throws {
      folder = try TemporaryFolder()
      let demo = try Demonstration(threads: .allCores).run(in: folder.root)
      (photo, clip) = (demo.pair.photo, demo.clip)
      // A free box that takes some stretches to copy.
      let handle = try FileHandle(forUpdating: URL(filePath: clip))
      let end = try handle.seekToEnd(), size: UInt32 = 200 << 20
      try handle.write(
        contentsOf: Data((0..<4).map { UInt8(truncatingIfNeeded: size >> (24 - 8 * UInt32($0))) } + Array("free".utf8)))
      try handle.truncate(atOffset: end + UInt64(size))
      try handle.close()
    }

    private func cancelled(_ job: @escaping @Sendable (@escaping @Sendable (Double) -> Void) throws -> Void) async
      -> (any Error)?
    {
      let task = Task { () -> (any Error)? in
        do {
          try job { _ in
            // SAFETY: the task is used only inside the closure.
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
          }
        } catch { return error }
        return nil
      }
      return await task.value
    }

    @Test func aJobThatIsCancelledWhileItCopiesLeavesNothing() async throws {
      let (photo, clip) = (photo, clip), out = folder.path("out")
      let before = try folder.names()
      let pairing = await cancelled { progress in
        var maker = PairMaker()
        maker.progress = progress
        _ = try maker.pair(photo: photo, movie: clip, into: PairDestination(folder: out))
      }
      let making = await cancelled { progress in
        var maker = LivePhotoMaker(threads: .allCores)
        maker.progress = progress
        _ = try maker.make(from: clip, into: PairDestination(folder: out))
      }
      for error in [pairing, making] {
        let text = (error as? LivePhotoError)?.description
        #expect(text?.contains("cancelled") == true, "\(text ?? "no error")")
      }
      #expect(try folder.names() == before)
    }

    @Test func aTaskThatIsCancelledPlacesNothing() async throws {
      let (photo, clip) = (photo, clip), root = folder.root
      let (before, movie, still) = (try folder.names(), try readFile(clip), try readFile(photo))
      let jobs: [@Sendable () throws -> Void] = [
        { _ = try PictureEncoder().encode(photo, as: .jpeg(), to: "\(root)/x.jpg") },
        { _ = try PictureDecoder().decode(photo, as: .ppm, to: "\(root)/x.ppm") },
        { _ = try PictureDecoder().decode(clip, as: .y4m, to: "\(root)/x.y4m") },
        { _ = try PairMaker().pairInPlace(photo: photo, movie: clip) },
      ]
      for (index, job) in jobs.enumerated() {
        let error = await cancelled { progress in
          progress(0)
          try job()
        }
        let text = (error as? LivePhotoError)?.description
        #expect(text?.contains("cancelled") == true, "job \(index): \(text ?? "no error")")
      }
      #expect(try folder.names() == before)
      #expect(try readFile(clip) == movie && readFile(photo) == still)
    }

    @Test func progressGoesFromNothingToAll() throws {
      let parts = Mutex<[Double]>([])
      var maker = PairMaker()
      maker.progress = { part in parts.withLock { $0.append(part) } }
      _ = try maker.pair(photo: photo, movie: clip, into: PairDestination(folder: folder.path("out")))
      let told = parts.withLock { $0 }
      #expect(told.count > 5 && told == told.sorted() && told.last == 1)
      #expect(told.allSatisfy { (0...1).contains($0) })
      _ = try maker.pairInPlace(photo: photo, movie: clip)
      #expect(parts.withLock { $0.last } == 1)
    }
  }
#endif
