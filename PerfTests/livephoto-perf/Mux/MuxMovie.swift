#if HEVC
  import Foundation
  import LivePhotoBitstream
  import LivePhotoCore
  import LivePhotoFiles
  import LivePhotoHEVC
  import LivePhotoJPEG
  import LivePhotoMuxer

  /// Movies of as many samples or bytes as wanted, from the coded pictures of one short scene, over and over.
  struct MuxMovie {
    private let track: NewVideoTrack
    private let photo: [UInt8]

    /// Codes a made scene with B pictures, so that samples are reordered as a camera's are not and most others' are.
    init(width: Int, height: Int, frames: Int) throws {
      let scene = MovingScene(width: width, height: height)
      var track = NewVideoTrack(
        codec: "hvc1", width: UInt16(width), height: UInt16(height), timescale: 600)
      var session = try HEVCEncoder(rateFactor: 20, preset: .ultrafast, threads: .allCores).session(
        width: width, height: height, format: PixelFormat(.yuv420), rate: (30, 1), keyInterval: 30, bPictures: 2)
      track.configuration = ("hvcC", try session.configuration().bytes)
      var units: [HEVCAccessUnit] = []
      for index in 0..<frames { units += try session.encode(scene.frame(index, bitDepth: 8), at: Int64(index) * 20) }
      units += try session.finish()
      let first = units.first?.decoding ?? 0
      track.samples = units.enumerated().map { index, unit in
        NewSample(
          bytes: unit.bytes, duration: 20,
          compositionOffset: Int32(clamping: unit.presentation - first - Int64(index) * 20), isSync: unit.isIDR)
      }
      self.track = track
      photo = try JPEGEncoder(quality: 90).encode(scene.frame(0, bitDepth: 8))
    }

    /// Writes a movie of at least so many bytes of samples, onto the disk.
    func write(bytes: Int, to path: String) throws {
      let size = track.samples.reduce(0) { $0 + $1.bytes.count }
      try write(samples: track.samples.count * ((bytes + size - 1) / max(size, 1)), to: path)
    }

    /// Writes a movie of so many samples, onto the disk.
    func write(samples: Int, to path: String) throws {
      var whole = track
      whole.samples = (0..<samples).map { track.samples[$0 % track.samples.count] }
      try FileWriter(durable: true).write(NewMovie(track: whole).plan(), to: path)
    }

    /// Writes a frame of the scene as a JPEG.
    func writePhoto(to path: String) throws { try Data(photo).write(to: URL(filePath: path)) }
  }
#endif
