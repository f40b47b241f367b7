import Foundation
import LivePhotoCore
import LivePhotoJPEG
import LivePhotoJPEGKernels

/// What the encoder is given.
enum Input: String, Encodable, CaseIterable {
  case rgb, planar
}

/// Measures the JPEG encoder beside libjpeg-turbo.
///
/// All contenders of a row take turns, so that load on the machine hits all of them; the shortest time of each counts.
/// Times are of whole calls of the public interface: header, tables and allocation of the output included.
struct JPEGBenchmark {
  let options: Options

  init(options: Options) { self.options = options }

  func run() throws {
    let (subjects, note) = try Subject.choose(options.inputs)
    let peer = options.only == nil ? TurboJPEG() : nil
    var report = JPEGReport(machine: .current(), peer: peer?.path, note: note)
    show(report.heading)
    for subject in subjects {
      for input in Input.allCases {
        for quality in [75, 90] {
          let rows = try measure(subject, input, quality, peer)
          rows.forEach { show($0.line) }
          report.rows += rows
        }
      }
    }
    report.summarize()
    show(report.closing)
    if let path = options.json { try report.prettyJSON().write(to: URL(filePath: path)) }
  }

  private func measure(_ subject: Subject, _ input: Input, _ quality: Int, _ peer: TurboJPEG?) throws -> [JPEGRow] {
    var contenders = Contender.all().filter { options.only == nil || options.only == $0.key(input) }
    if let peer {
      peer.prepare(width: subject.width, height: subject.height)
      contenders.insert(.peer(peer), at: 0)
    }
    var times = [Time](repeating: .longest, count: contenders.count)
    for _ in 0..<(options.isQuick ? 12 : 40) {
      for (index, contender) in contenders.enumerated() {
        times[index].shorten(to: try Time.of { _ = try contender.encode(subject, input, quality) })
      }
    }
    var last: (bytes: [UInt8], psnr: Double) = ([], 0)
    return try zip(contenders, times).map { contender, time in
      let bytes = try contender.bytes(subject, input, quality)
      // All of ours give the same bytes.
      if bytes != last.bytes { last = (bytes, try Fidelity.psnr(bytes, of: subject, input)) }
      return JPEGRow(
        picture: subject.name, input: input, quality: quality, encoder: contender.name, threads: contender.threads,
        key: contender.key(input),
        milliseconds: time.wall * 1000, processorMilliseconds: time.processor * 1000,
        megapixelsPerSecond: Double(subject.pixels) / time.wall / 1e6,
        ratio: peer == nil ? nil : times[0].wall / time.wall,
        processorRatio: peer == nil ? nil : times[0].processor / time.processor, bytes: bytes.count,
        psnr: last.psnr)
    }
  }
}

/// One encoder as it takes part.
enum Contender {
  case peer(TurboJPEG)
  case ours(KernelSet, name: String, threads: Int)

  /// Ours: each set of kernels, on one thread and on all.
  static func all() -> [Contender] {
    let sets = [("plain", KernelSet.simd as KernelSet?), ("v3", KernelSet.level3)]
    let counts = Set([1, 2, Threads.allCores.number]).sorted()
    return counts.flatMap { threads in
      sets.compactMap { name, set in set.map { .ours($0, name: name, threads: threads) } }
    }
  }

  var name: String {
    switch self {
    case .peer: "libjpeg-turbo"
    case .ours(_, let name, _): name
    }
  }

  var threads: Int {
    switch self {
    case .peer: 1
    case .ours(_, _, let threads): threads
    }
  }

  /// What the summary calls it.
  func key(_ input: Input) -> String { "\(input.rawValue)-\(threads)t-\(name)" }

  /// Encodes once, and says how many bytes there are.
  func encode(_ subject: Subject, _ input: Input, _ quality: Int) throws -> Int {
    switch self {
    case .peer(let peer):
      switch input {
      case .rgb: peer.encode(rgb: subject.rgb, width: subject.width, height: subject.height, quality: quality)
      case .planar: peer.encode(planes: subject.planes, width: subject.width, height: subject.height, quality: quality)
      }
    case .ours: try bytes(subject, input, quality).count
    }
  }

  /// The file that it makes.
  func bytes(_ subject: Subject, _ input: Input, _ quality: Int) throws -> [UInt8] {
    switch self {
    case .peer(let peer): return peer.bytes(try encode(subject, input, quality))
    case .ours(let kernels, _, let threads):
      let encoder = JPEGEncoder(quality: quality, threads: .count(threads))
      switch input {
      case .rgb:
        let view = PixelView(subject.rgb.span, width: subject.width, height: subject.height, layout: .rgb)
        return try encoder.encode(view, metadata: JPEGMetadata(), kernels: kernels)
      case .planar:
        let (width, height) = (subject.chromaWidth, subject.chromaHeight)
        let (y, cb, cr) = (subject.planes[0], subject.planes[1], subject.planes[2])
        return try encoder.encode(
          y: PlaneView(y.span, width: subject.width, height: subject.height, stride: subject.width),
          cb: PlaneView(cb.span, width: width, height: height, stride: width),
          cr: PlaneView(cr.span, width: width, height: height, stride: width),
          color: .jfif, metadata: JPEGMetadata(), kernels: kernels)
      }
    }
  }
}
