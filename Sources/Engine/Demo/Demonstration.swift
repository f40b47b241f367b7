import LivePhotoBitstream
public import LivePhotoCore
import LivePhotoFiles
import LivePhotoHEVC
import LivePhotoMuxer

/// Shows the whole way: makes a clip of its own, turns it into a Live Photo and checks the pair.
public struct Demonstration: Sendable {
  /// How many threads decode and encode.
  public var threads: Threads

  /// A demonstration, which uses one thread unless told otherwise.
  public init(threads: Threads = .count(1)) { self.threads = threads }

  /// What a demonstration left.
  public struct Result: Sendable {
    /// The clip that was made.
    public var clip: String
    /// The Live Photo made from it.
    public var pair: LivePhotoPair
    /// What checking the pair found.
    public var report: VerificationReport
  }

  /// Writes `demo-clip.mov`, `demo.HEIC` and `demo.MOV` into a folder, which is created where it is missing.
  ///
  /// - Parameters:
  ///   - folder: where the files go.
  ///   - overwrite: whether files of these names may be replaced.
  /// - Throws: ``LivePhotoError``.
  public func run(in folder: String, overwrite: Bool = false) throws(LivePhotoError) -> Result {
    let clip = folder.hasSuffix("/") ? "\(folder)demo-clip.mov" : "\(folder)/demo-clip.mov"
    let plan = try makeClip(named: clip)
    do { try FileWriter(overwrite: overwrite, createsFolders: true).write(plan, to: clip) } catch { throw .file(error) }
    let pair = try LivePhotoMaker(threads: threads).make(
      from: clip, into: PairDestination(folder: folder, stem: "demo", overwrite: overwrite))
    let report = try PairVerifier().verify(photo: pair.photo, movie: pair.movie)
    return Result(clip: clip, pair: pair, report: report)
  }

  /// Two and a half seconds of a made scene, coded with x265.
  private func makeClip(named file: String) throws(LivePhotoError) -> OutputPlan {
    #if HEVC
      let scene = DemoScene(width: 1440, height: 1080, frameCount: 75)
      var track = NewVideoTrack(codec: "hvc1", width: 1440, height: 1080, timescale: 600)
      track.color = DemoScene.color
      do throws(HEVCError) {
        var session = try HEVCEncoder(rateFactor: 24, preset: .ultrafast, isWavefront: true, threads: threads).session(
          width: scene.width, height: scene.height, format: PixelFormat(.yuv420), color: DemoScene.color,
          rate: (30, 1), keyInterval: 30, bPictures: 0)
        track.configuration = ("hvcC", try session.configuration().bytes)
        for index in 0..<scene.frameCount {
          track.append(try session.encode(scene.frame(index), at: Int64(index) * 20))
        }
        track.append(try session.finish())
      } catch { throw .codec(file: file, reason: error.description) }
      var movie = NewMovie(track: track)
      movie.metadata = [(key: "com.apple.quicktime.software", text: "swift-live-photo demo")]
      do { return try movie.plan() } catch { throw .unwritable(file: file, reason: error.description) }
    #else
      throw .needsHEVC("a clip of its own")
    #endif
  }
}

#if HEVC
  extension NewVideoTrack {
    fileprivate mutating func append(_ units: [HEVCAccessUnit]) {
      samples += units.map { NewSample(bytes: $0.bytes, duration: 20, isSync: $0.isIDR) }
    }
  }
#endif
