#if HEVC
  import LivePhotoCore
  import LivePhotoHEIC
  import LivePhotoHEIF
  import TestSupport

  /// A picture as a reader shows it: upright, RGB of 8 bits.
  struct ShownPicture: Equatable {
    var width: Int
    var height: Int
    var rgb: [UInt8]

    /// The pixel at a place of the picture given as parts of its sides.
    func pixel(_ x: Double, _ y: Double) -> [UInt8] {
      let column = min(Int(x * Double(width)), width - 1), row = min(Int(y * Double(height)), height - 1)
      let start = (row * width + column) * 3
      return Array(rgb[start..<start + 3])
    }
  }

  /// What pillow-heif (the newest libheif) shows of the named files of a folder; one run for all of them.
  func pillow(_ names: [String], in folder: TemporaryFolder) throws -> [String: ShownPicture] {
    let program = """
      import sys, pillow_heif
      from PIL import Image
      pillow_heif.register_heif_opener()
      for path in sys.argv[1:]:
          image = Image.open(path).convert('RGB')
          open(path + '.pillow', 'wb').write(image.tobytes())
          print(image.width, image.height)
      """
    let lines = try python(program, names.map { folder.path($0) }).lines
    return try shown(names, sizes: lines, suffix: ".pillow", in: folder)
  }

  /// What heif-convert (the distribution's libheif) shows.
  func heifConvert(_ names: [String], in folder: TemporaryFolder) throws -> [String: ShownPicture] {
    for name in names { try Judge.heifConvert.ask([folder.path(name), folder.path(name + ".png")]) }
    let program = """
      import sys
      from PIL import Image
      for path in sys.argv[1:]:
          image = Image.open(path + '.png').convert('RGB')
          open(path + '.converted', 'wb').write(image.tobytes())
          print(image.width, image.height)
      """
    let lines = try python(program, names.map { folder.path($0) }).lines
    return try shown(names, sizes: lines, suffix: ".converted", in: folder)
  }

  private func shown(_ names: [String], sizes: [String], suffix: String, in folder: TemporaryFolder) throws
    -> [String: ShownPicture]
  {
    var pictures: [String: ShownPicture] = [:]
    for (name, line) in zip(names, sizes) {
      let sides = line.split(separator: " ").compactMap { Int($0) }
      guard sides.count == 2 else { continue }
      pictures[name] = ShownPicture(
        width: sides[0], height: sides[1], rgb: try readFile(folder.path(name + suffix)))
    }
    return pictures
  }

  /// All samples of a picture as FFmpeg lays out raw video.
  func rawVideo(_ image: PlanarImage) -> [UInt8] {
    image.planes.flatMap { plane -> [UInt8] in
      switch plane.samples {
      case .bytes(let bytes): bytes
      case .words(let words): words.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
      }
    }
  }

  /// The primary picture of a file as the newest FFmpeg shows it, not turned: a grid is put together.
  func ffmpegPicture(_ path: String, pixelFormat: String) throws -> [UInt8] {
    let output = ["-frames:v", "1", "-f", "rawvideo", "-pix_fmt", pixelFormat, "-"]
    return try Judge.currentFFmpeg.ask(["-v", "error", "-noautorotate", "-i", path] + output).output
  }

  /// Decodes a file's primary item.
  func decoded(_ bytes: [UInt8], threads: Threads = .count(2), limits: Limits = .standard) throws -> HEICPicture {
    let file = try HEIFFile(parsing: MemorySource(bytes), limits: limits)
    return try HEICDecoder(threads: threads, limits: limits).decode(file)
  }

  /// What an error says of itself when it is one of ours; nil for any other.
  func ownError(_ body: () throws -> Void) -> String? {
    do { try body() } catch let error as HEICError { return error.description } catch let error as ParseError {
      return error.description
    } catch { return nil }
    return nil
  }
#endif
