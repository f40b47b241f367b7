#if HEVC
  import Foundation
  import LivePhotoCore
  import PerfDecoders

  /// One decoder on one file.
  struct Decoding: Encodable {
    let file: String
    let output: DecodeOutput
    let decoder: String
    let pixels: Int
    let time: Time
    /// Of a process that decodes only this; none where it was not measured.
    var peak: Double?

    var line: String {
      [
        file.padded(30), output.rawValue.padded(7), decoder.padded(10),
        (Double(pixels) / 1e6).formatted(1).leftPadded(6), (time.wall * 1000).formatted(1).leftPadded(8),
        (time.processor * 1000).formatted(1).leftPadded(8),
        (time.wall / Double(pixels) * 1e9).formatted(1).leftPadded(6),
        (peak.map { $0.formatted(0) } ?? "-").leftPadded(8),
      ].joined(separator: " ")
    }

    static let heading = [
      "file".padded(30), "output".padded(7), "decoder".padded(10), "MP".leftPadded(6), "wall ms".leftPadded(8),
      "cpu ms".leftPadded(8), "ns/px".leftPadded(6), "peak MiB".leftPadded(8),
    ].joined(separator: " ")
  }

  /// Our decoder beside libheif on one file, in one process, taking turns.
  struct DecodeComparison: Encodable {
    let file: String
    let pixels: Int
    var decodings: [Decoding] = []
    /// How like the two decoders' RGB is, in decibels; none where libheif refuses the file.
    var psnr: Double?
    /// Why libheif refuses the file.
    var refusal: String?

    init(_ path: String, _ runner: ProcessRunner, rounds: Int) throws {
      file = URL(filePath: path).lastPathComponent
      let bytes = try [UInt8](Data(contentsOf: URL(filePath: path)))
      let raster = try OurDecoder.raster(MemorySource(bytes))
      pixels = raster.width * raster.height
      var withPeer = true
      do {
        let peer = try LibHEIF.rgb(bytes)
        if case .bytes(let ours) = raster.samples, ours.count == peer.count {
          psnr = Likeness(ours, peer, width: raster.width).psnr
        }
      } catch {
        refusal = "\(error)"
        withPeer = false
      }
      for output in DecodeOutput.allCases {
        var times = (ours: Time.longest, peer: Time.longest)
        for _ in 0..<rounds {
          times.ours.shorten(to: try Time.of { try OurDecoder.decode(MemorySource(bytes), as: output) })
          if withPeer { times.peer.shorten(to: try Time.of { try LibHEIF.decode(bytes, as: output) }) }
        }
        let names = [("livephoto", times.ours)] + (withPeer ? [("libheif", times.peer)] : [])
        decodings += try names.map { name, time in
          return Decoding(
            file: file, output: output, decoder: name, pixels: pixels, time: time,
            peak: try runner.run(Self.decodeProgram, [output.rawValue, name, path]).peak)
        }
      }
    }

    /// The program beside this one that decodes a file once and holds nothing else.
    private static let decodeProgram =
      ProcessRunner.ourselves.deletingLastPathComponent().appending(path: "livephoto-perf-decode").path

    func decoding(_ output: DecodeOutput, _ decoder: String) -> Decoding? {
      decodings.first { $0.output == output && $0.decoder == decoder }
    }

    /// How many times as fast as libheif ours is; nil where libheif refuses the file.
    func speedup(_ output: DecodeOutput, _ time: KeyPath<Time, Double>) -> Double? {
      guard let ours = decoding(output, "livephoto"), let peer = decoding(output, "libheif") else { return nil }
      return peer.time[keyPath: time] / ours.time[keyPath: time]
    }

    var text: String {
      let ratios = DecodeOutput.allCases.compactMap { output in
        speedup(output, \.wall).map { wall in
          "\(output.rawValue): \(wall.formatted(2)) times as fast as libheif (processor time "
            + "\((speedup(output, \.processor) ?? 0).formatted(2)))"
        }
      }
      let likeness = psnr.map { [$0 == 99 ? "RGB of both: equal" : "RGB of both: PSNR \($0.formatted(1)) dB"] } ?? []
      return (decodings.map(\.line) + ratios + likeness + (refusal.map { [$0] } ?? [])).joined(separator: "\n")
    }
  }
#endif
