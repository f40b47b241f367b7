#if HEVC
  import LivePhotoCore
  import LivePhotoHEIF
  import TestSupport
  import Testing

  /// What other decoders make of a HEIF file.
  struct JudgedFile {
    /// FFmpeg's samples of each HEVC picture that it decodes, grids included.
    var planes: [HEIFItem.ID: (width: Int, height: Int, checksum: UInt32)] = [:]
    /// The primary picture as pillow-heif shows it.
    var pixels: JudgedPixels?

    /// Whether FFmpeg, pillow-heif or the distribution's libheif decodes something of the file.
    func isDecoded(_ path: String) throws -> Bool {
      if !planes.isEmpty || pixels != nil { return true }
      let folder = try TemporaryFolder()
      return try Judge.heifConvert.askAnything([Corpus.file(path), folder.path("a.y4m")]).status == 0
    }

    /// Asks for all files at once: each start of Python costs more than most of the pictures.
    static func all(_ files: [(path: String, file: HEIFFile?)], in folder: TemporaryFolder) throws
      -> [String: JudgedFile]
    {
      let list = files.enumerated().map { index, entry in
        ([Corpus.file(entry.path), folder.path("\(index)")] + (entry.file.map(Self.requests) ?? []))
          .joined(separator: "\t")
      }
      let ffmpeg = try #require(Judge.currentFFmpeg.path)
      let lines = try Judge.python.ask(["-c", program, ffmpeg], input: Array(list.joined(separator: "\n").utf8)).lines
      var judged: [String: JudgedFile] = [:]
      for fields in lines.map({ $0.split(separator: "\t").map(String.init) }) {
        guard let index = Int(fields[0]) else { continue }
        let path = files[index].path
        let numbers = fields[2...].compactMap { Int($0) }
        if fields[1] == "pillow" {
          judged[path, default: JudgedFile()].pixels = JudgedPixels(
            folder: folder, name: "\(index)", width: numbers[0], height: numbers[1], channels: numbers[2],
            sampleSize: numbers[3], rowStep: numbers[4])
        } else if let checksum = UInt32(fields[5], radix: 16) {
          judged[path, default: JudgedFile()].planes[HEIFItem.ID(numbers[0])] = (numbers[1], numbers[2], checksum)
        }
      }
      return judged
    }

    /// The pictures to ask FFmpeg for: `item:width:height:stream`, or `group` for a stream that tiles are joined to.
    private static func requests(_ file: HEIFFile) -> [String] {
      file.items.compactMap { item in
        guard !item.isHidden, let size = file.codedSize(of: item.id) else { return nil }
        let tiles = file.tiles(of: item.id)
        let stream: String
        switch item.type {
        case "hvc1": stream = "\(item.id)"
        // FFmpeg makes no grid of a single tile.
        case "grid" where file.item(tiles[0])?.type == "hvc1": stream = tiles.count == 1 ? "\(tiles[0])" : "group"
        default: return nil
        }
        return "\(item.id):\(size.width):\(size.height):\(stream)"
      }
    }

    /// Of each line of its input (a file, a name for output, pictures) it prints FFmpeg's checksums, and puts rows of
    /// pillow-heif's pixels into the file of the name: not all rows of large pictures, for they are many.
    private static let program = """
      import os, re, subprocess, sys
      from concurrent.futures import ThreadPoolExecutor
      import numpy, pillow_heif

      def ffmpeg(path, *arguments):
          return subprocess.run([sys.argv[1], '-nostdin', '-hide_banner', '-y', '-noautorotate', '-apply_cropping',
                                 'codec', '-i', path, *arguments], capture_output=True, text=True)

      def planes(path, output, requests):
          about = ffmpeg(path).stderr
          groups = {int(id, 16): n for n, id in re.findall(r'Stream group #0:(\\d+)\\[(0x[0-9a-f]+)\\]: Tile Grid', about)}
          outputs = {}
          for id, width, height, stream in (request.split(':') for request in requests):
              if stream != 'group':
                  source = ['-map', '0:i:' + stream, '-vf', 'crop=%s:%s:0:0:exact=1' % (width, height)]
              elif int(id) in groups:
                  source = ['-map', '[0:g:%s]' % groups[int(id)]]
              else:
                  continue
              outputs[id] = source + ['-frames:v', '1', '-f', 'framehash', '-hash', 'crc32', output + '.' + id]
          # One item that cannot be decoded is no reason to know nothing of the others.
          if outputs and ffmpeg(path, *sum(outputs.values(), [])).returncode:
              for arguments in outputs.values(): ffmpeg(path, *arguments)
          for id in outputs:
              text = open(output + '.' + id).read() if os.path.exists(output + '.' + id) else ''
              size = re.search(r'#dimensions 0: (\\d+)x(\\d+)', text)
              if size and len(text.split()[-1]) == 8: yield 'planes', id, size[1], size[2], text.split()[-1]

      def pixels(path, output):
          try:
              file = pillow_heif.open_heif(path, convert_hdr_to_8bit=False)
              picture = file[file.primary_index]
              if picture.size[0] * picture.size[1] > 1 << 26: return
              rows = numpy.atleast_3d(numpy.asarray(picture))
          except Exception:
              return
          step = 1 + (rows.shape[0] * rows.shape[1] >> 22)
          rows[::step].tofile(output)
          yield 'pillow', rows.shape[1], rows.shape[0], rows.shape[2], rows.itemsize, step

      def judge(job):
          path, output, *requests = job.rstrip('\\n').split('\\t')
          return [*planes(path, output, requests), *pixels(path, output)]

      with ThreadPoolExecutor(2) as threads:
          for index, lines in enumerate(threads.map(judge, sys.stdin.readlines())):
              for line in lines: print(index, *line, sep='\\t')
      """
  }

  /// Some rows of a picture as another decoder shows it.
  struct JudgedPixels {
    /// Goes away, with the file, when no picture is left that is in it.
    var folder: TemporaryFolder
    var name: String
    var width: Int
    var height: Int
    var channels: Int
    var sampleSize: Int
    /// Which rows the file holds: each that is a multiple of this.
    var rowStep: Int

    /// The largest difference from a picture's samples, alpha left out; nil where sizes or channels differ.
    func largestDifference(from raster: RasterImage) throws -> Int? {
      let bytes = try readFile(folder.path(name))
      let channels = raster.channels.rawValue
      // Grey with alpha, or grey that is shown as RGB.
      guard (raster.width, raster.height) == (width, height), self.channels >= channels,
        (sampleSize == 2) == (raster.bitDepth > 8)
      else { return nil }
      return switch raster.samples {
      case .bytes(let samples): largestDifference(bytes, samples, channels, shift: 0)
      case .words(let samples): largestDifference(bytes, samples, channels, shift: 16 - raster.bitDepth)
      }
    }

    private func largestDifference<Sample: FixedWidthInteger>(
      _ theirs: [UInt8], _ ours: [Sample], _ channels: Int, shift: Int
    ) -> Int {
      var largest = 0
      var place = 0
      for y in stride(from: 0, to: height, by: rowStep) {
        for x in 0..<width {
          for channel in 0..<channels {
            let at = place + channel * sampleSize
            let value = (Int(theirs[at]) | (sampleSize == 2 ? Int(theirs[at + 1]) << 8 : 0)) >> shift
            largest = max(largest, abs(value - Int(ours[(y * width + x) * channels + channel])))
          }
          place += self.channels * sampleSize
        }
      }
      return largest
    }
  }

  extension PlanarImage {
    /// Each plane turned by itself: exact as long as chroma is halved in both directions or none, and sides are even.
    func turned(_ orientation: Orientation) -> PlanarImage {
      guard orientation != .up else { return self }
      let turned = planes.map { plane in
        let raster = RasterImage(
          width: plane.width, height: plane.height, channels: .gray, bitDepth: format.bitDepth, samples: plane.samples
        ).turned(orientation)
        return Plane(width: raster.width, height: raster.height, samples: raster.samples)
      }
      return PlanarImage(
        width: turned[0].width, height: turned[0].height, format: format, color: color, planes: turned)
    }
  }
#endif
