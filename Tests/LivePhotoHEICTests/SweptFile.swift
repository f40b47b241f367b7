#if HEVC
  import LivePhotoCore
  import LivePhotoHEIC
  import LivePhotoHEIF
  import TestSupport
  import Testing

  /// A picture of a certain size and format as a HEIC file, and what is to be seen of it.
  struct SweptFile {
    let name: String
    let image: PlanarImage
    let file: HEIFFile
    /// The primary picture and its alpha: what was encoded, the items, and what is decoded of them here.
    let pictures: [(source: PlanarImage, item: HEIFItem, decoded: PlanarImage)]

    /// Encodes a made picture, with alpha where asked for, and writes the file into `folder`.
    init(
      _ width: Int, _ height: Int, _ format: PixelFormat, hasAlpha: Bool, color: ColorDescription,
      by encoder: HEICEncoder, into folder: TemporaryFolder
    ) throws {
      name =
        "\(width)x\(height)-\(format.chroma)-\(format.bitDepth)\(hasAlpha ? "-alpha" : "")"
        + "\(encoder.isLossless ? "-lossless" : "").heic"
      image = PlanarImage.synthetic(
        width: width, height: height, format: format, color: color, seed: UInt64(width * 1000 + height))
      var sources = [image]
      if hasAlpha {
        sources.append(
          PlanarImage.synthetic(
            width: width, height: height, format: PixelFormat(.yuv400, bitDepth: format.bitDepth),
            color: ColorDescription(isFullRange: true), seed: 7))
      }
      let bytes = try encoder.encode(image, companions: sources.dropFirst().map { .alpha($0) }).materialized()
      _ = try folder.write(bytes, as: name)
      let file = try HEIFFile(parsing: MemorySource(bytes))
      self.file = file
      let primary = try #require(file.primaryItem)
      let items = [primary] + file.auxiliaryImages(of: primary.id).filter { $0.kind == .alpha }.map(\.item)
      try #require(items.count == sources.count)
      pictures = try zip(sources, items).map { ($0, $1, try HEICDecoder().decode(file, item: $1.id).image) }
    }

    /// Whether there is alpha.
    var hasAlpha: Bool { pictures.count > 1 }

    /// What is asked of FFmpeg: the stream of each picture, for a grid of several tiles the group.
    func requests() -> [String] {
      let grids = file.items.filter { $0.type == "grid" }.map(\.id)
      return pictures.map(\.item).map { item in
        let tiles = file.tiles(of: item.id)
        if item.type == "grid", tiles.count > 1, let group = grids.firstIndex(of: item.id) { return "g:\(group)" }
        return "i:\(item.type == "grid" ? tiles[0] : item.id)"
      }
    }

    /// What FFmpeg shows of a picture whose samples are `image`: a grid of one tile as the tile is, one of several
    /// without the column or row that would halve a chroma sample.
    func shownByFFmpeg(_ item: HEIFItem, _ image: PlanarImage) throws -> PlanarImage {
      guard item.type == "grid" else { return image }
      let tiles = file.tiles(of: item.id)
      if tiles.count == 1 { return try HEICDecoder().decode(file, item: tiles[0]).image }
      let shift = image.format.chroma.chromaShift
      return image.cropped(
        x: 0, y: 0, width: (image.width >> shift.x) << shift.x, height: (image.height >> shift.y) << shift.y)
    }
  }

  extension SweptFile {
    /// What MediaInfo says of each picture: no size of a grid that has alpha, as of those that have a gain map.
    var sizesByMediaInfo: [String] {
      file.items.compactMap { item in
        guard let size = file.codedSize(of: item.id) else { return nil }
        let hidesSize = item.type == "grid" && item.id == file.primaryItem?.id && hasAlpha
        return "\(item.id):" + (hidesSize ? "x" : "\(size.width)x\(size.height)")
      }
    }
  }

  /// What others see of a HEIC file.
  struct SweepJudgement {
    /// FFmpeg's size and checksum of the samples of each picture, as text.
    var planes: [String] = []
    /// The size that heif-info tells.
    var info = ""
    /// The sizes of the pictures that heif-convert writes.
    var converted = ""
    /// The primary picture of pillow-heif: channels, bits of a sample, and samples.
    var pillow: (mode: String, samples: [UInt16])?

    /// Asks of all files at once: each start of a program costs more than most of the pictures.
    static func all(_ files: [SweptFile], in folder: TemporaryFolder) throws -> [SweepJudgement] {
      let jobs = files.map { ([folder.path($0.name)] + $0.requests()).joined(separator: "\t") }
      let programs = try [Judge.currentFFmpeg, .heifInfo, .heifConvert].map { try #require($0.path) }
      let lines = try Judge.python.ask(
        ["-c", program] + programs, input: Array(jobs.joined(separator: "\n").utf8), timeout: 1200
      ).lines
      try #require(lines.count == files.count)
      return try zip(files, lines).map { file, line in
        let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        try #require(fields.count == 4, "\(line)")
        let samples = try readFile(folder.path(file.name) + ".pillow")
        return SweepJudgement(
          planes: fields[0].split(separator: " ").map(String.init), info: fields[1], converted: fields[2],
          pillow: (
            fields[3],
            stride(from: 0, to: samples.count, by: 2).map { UInt16(samples[$0]) | UInt16(samples[$0 + 1]) << 8 }
          ))
      }
    }

    /// For each line of its input (a file, streams of FFmpeg's) a line: FFmpeg's sizes and checksums, heif-info's size,
    /// heif-convert's sizes, pillow-heif's size and layout; pillow-heif's samples go into a file beside it.
    private static let program = #"""
      import glob, re, subprocess, sys
      from concurrent.futures import ThreadPoolExecutor
      import numpy, pillow_heif
      from PIL import Image

      FFMPEG, INFO, CONVERT = sys.argv[1:]
      Image.MAX_IMAGE_PIXELS = None

      def run(*command):
          return subprocess.run(command, capture_output=True, text=True)

      def planes(jobs):
          inputs, outputs = [], []
          for n, (path, *streams) in enumerate(jobs):
              inputs += ['-noautorotate', '-i', path]
              for k, stream in enumerate(streams):
                  source = '[%d:%s]' % (n, stream) if stream[0] == 'g' else '%d:%s' % (n, stream)
                  outputs += ['-map', source, '-frames:v', '1', '-f', 'framehash', '-hash', 'crc32', '%s.%d' % (path, k)]
          log = run(FFMPEG, '-nostdin', '-hide_banner', '-v', 'error', '-y', *inputs, *outputs)
          for path, *streams in jobs:
              found = []
              for k in range(len(streams)):
                  try:
                      text = open('%s.%d' % (path, k)).read()
                      found.append(re.search(r'#dimensions 0: (\d+x\d+)', text)[1] + ':' + text.split()[-1])
                  except Exception as error:
                      found.append(re.sub(r'\s+', '_', log.stderr[-300:] or str(error)))
              yield ' '.join(found)

      def info(path):
          text = run(INFO, path).stdout
          return ' '.join(re.findall(r'^image: (\d+x\d+) ', text, re.M)) + (
              ' alpha' if 'alpha channel: yes' in text else '')

      def convert(path):
          result = run(CONVERT, path, path + '.png')
          if result.returncode: return result.stderr.strip() or result.stdout.strip()
          with Image.open(path + '.png') as picture: return '%dx%d %s' % (*picture.size, picture.mode)

      def pillow(path):
          try:
              picture = pillow_heif.open_heif(path, convert_hdr_to_8bit=False)
              rows = numpy.asarray(picture[picture.primary_index])
              rows.astype('<u2').tofile(path + '.pillow')
              return '%dx%d %s' % (*picture.size, picture.mode)
          except Exception as error:
              open(path + '.pillow', 'w').close()
              return str(error)

      def others(path):
          return [field.replace('\n', ' ') for field in (info(path), convert(path), pillow(path))]

      jobs = [line.rstrip('\n').split('\t') for line in sys.stdin]
      batches = [jobs[at:at + 40] for at in range(0, len(jobs), 40)]
      with ThreadPoolExecutor(2) as threads:
          theirs = [line for lines in threads.map(lambda batch: list(planes(batch)), batches) for line in lines]
          for first, rest in zip(theirs, threads.map(others, [job[0] for job in jobs])):
              print(first, *rest, sep='\t')
      """#
  }
#endif
