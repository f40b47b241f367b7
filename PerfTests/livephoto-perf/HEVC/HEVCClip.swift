#if HEVC
  import Foundation
  import LivePhotoCore
  import LivePhotoEngine
  import LivePhotoFiles

  /// A clip that all encoders are given as one and the same YUV4MPEG2 file, in each depth.
  struct HEVCClip {
    let name: String
    let width: Int
    let height: Int
    let frames: Int
    /// The file in the folder of the run, by depth.
    let files: [Int: String]

    static let rate = (frames: 30, seconds: 1)

    /// A made scene of 960 × 540.
    init(frames: Int, in runner: ProcessRunner) throws {
      let scene = MovingScene(width: 960, height: 540)
      (name, width, height, self.frames) = ("made scene", scene.width, scene.height, frames)
      var files: [Int: String] = [:]
      for depth in [8, 10] {
        let file = "scene-\(depth).y4m"
        try Self.write(file, in: runner, (0..<frames).lazy.map { scene.frame($0, bitDepth: depth) })
        files[depth] = file
      }
      self.files = files
    }

    /// The first frames of a Y4M file or a HEVC movie, in its own depth only.
    init(_ path: String, frames: Int, in runner: ProcessRunner) throws {
      let whole = runner.path("whole.y4m")
      let isMovie = URL(filePath: path).pathExtension.lowercased() != "y4m"
      if isMovie { _ = try PictureDecoder(threads: .allCores).decode(path, as: .y4m, to: whole) }
      var reader = try Y4MReader(parsing: FileSource(path: isMovie ? whole : path))
      var images: [PlanarImage] = []
      while images.count < frames, let image = try reader.next() { images.append(image) }
      guard let first = images.first, first.format.chroma == .yuv420, [8, 10].contains(first.format.bitDepth) else {
        throw UsageError("\(path) is not a clip of 4:2:0 in 8 or 10 bits")
      }
      let file = "clip-\(first.format.bitDepth).y4m"
      try Self.write(file, in: runner, images)
      if isMovie { try FileManager.default.removeItem(atPath: whole) }
      name = URL(filePath: path).lastPathComponent
      (width, height, self.frames) = (first.width, first.height, images.count)
      files = [first.format.bitDepth: file]
    }

    /// The frames in one depth.
    func images(depth: Int, in runner: ProcessRunner) throws -> [PlanarImage] {
      guard let file = files[depth] else { return [] }
      var reader = try Y4MReader(parsing: FileSource(path: runner.path(file)))
      var images: [PlanarImage] = []
      while let image = try reader.next() { images.append(image) }
      return images
    }

    private static func write(_ file: String, in runner: ProcessRunner, _ images: some Sequence<PlanarImage>) throws {
      try Data().write(to: URL(filePath: runner.path(file)))
      let output = try FileHandle(forWritingTo: URL(filePath: runner.path(file)))
      var header: Y4MHeader?
      for image in images {
        let known = header ?? Y4MHeader(for: image, frameRate: rate)
        if header == nil { try output.write(contentsOf: known.bytes()) }
        try output.write(contentsOf: known.frame(image))
        header = known
      }
      try output.close()
    }
  }
#endif
