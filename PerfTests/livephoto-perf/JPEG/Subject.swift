import Foundation
import LivePhotoCore
import LivePhotoFiles
import LivePhotoJPEG

#if HEVC
  import LivePhotoHEIC
  import LivePhotoHEIF
#endif

/// A picture to be encoded: the same one as RGB and as 4:2:0 planes.
struct Subject {
  let name: String
  let width: Int, height: Int
  let rgb: [UInt8]
  /// Y, Cb, Cr without gaps between rows; read as full-range BT.601.
  let planes: [[UInt8]]

  var pixels: Int { width * height }
  var chromaWidth: Int { (width + 1) / 2 }
  var chromaHeight: Int { (height + 1) / 2 }
}

extension Subject {
  /// What is measured: `inputs`, else the real pictures where they are, else a made-up one.
  static func choose(_ inputs: [String]) throws -> (subjects: [Subject], note: String?) {
    if !inputs.isEmpty { return (try inputs.map { try Subject(path: $0) }, nil) }
    guard readsHEIC, let paths = Corpus.paths(Corpus.pictures) else {
      return ([try synthetic()], "made-up picture: the real ones are not here, so the figures are not comparable")
    }
    return (try paths.map { try Subject(path: $0) }, nil)
  }

  /// Whether the package was built with the trait that decodes HEIC.
  private static var readsHEIC: Bool {
    #if HEVC
      true
    #else
      false
    #endif
  }

  private init(path: String) throws {
    let source = try FileSource(path: path)
    let name = URL(filePath: path).lastPathComponent
    if try source.read(0..<3) == [0xFF, 0xD8, 0xFF] {
      let picture = try JPEGDecoder().decode(source)
      try self.init(name: name, picture.planarImage(), picture.raster())
      return
    }
    #if HEVC
      let image = try HEICDecoder(threads: .allCores).decode(HEIFFile(parsing: source)).image
      try self.init(name: name, image, image.raster())
    #else
      throw UsageError("\(path): HEIC pictures need the HEVC trait")
    #endif
  }

  private init(name: String, _ planar: PlanarImage?, _ raster: RasterImage?) throws {
    guard let planar, planar.format == PixelFormat(.yuv420), let raster, case .bytes(let rgb) = raster.samples,
      raster.channels == .rgb
    else { throw UsageError("\(name) is not a colour picture of 8 bits and 4:2:0") }
    self.name = name
    (width, height) = (planar.width, planar.height)
    self.rgb = rgb
    planes = planar.planes.map { plane in
      guard case .bytes(let bytes) = plane.samples else { return [] }
      if plane.stride == plane.width { return Array(bytes.prefix(plane.width * plane.height)) }
      return (0..<plane.height).flatMap { bytes[$0 * plane.stride..<$0 * plane.stride + plane.width] }
    }
  }

  private static func synthetic() throws -> Subject {
    let raster = syntheticRaster()
    return try Subject(name: "synthetic", PlanarImage(raster, chroma: .yuv420, color: .jfif), raster)
  }

  /// Writes the made-up picture as a PPM; gives its path.
  static func writeSynthetic(to path: String) throws -> String {
    let raster = syntheticRaster()
    guard case .bytes(let rgb) = raster.samples else { return path }
    try (Data("P6 \(raster.width) \(raster.height) 255\n".utf8) + Data(rgb)).write(to: URL(filePath: path))
    return path
  }

  /// Waves of many sizes and some noise, 4032 × 3024.
  private static func syntheticRaster() -> RasterImage {
    let (width, height) = (4032, 3024)
    var state: UInt64 = 1
    var rgb = [UInt8](repeating: 0, count: width * height * 3)
    let waves: [Double] = (0..<width + height).map { index in
      let position = Double(index)
      return sin(position / 97) * 50 + sin(position / 7) * 14
    }
    for y in 0..<height {
      for x in 0..<width {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        let wave: Double = waves[x] + waves[y / 2 + x / 2] * 0.7
        let level = Int(wave) + 120 + Int(state >> 60)
        for channel in 0..<3 {
          rgb[(y * width + x) * 3 + channel] = UInt8(max(0, min(255, level + channel * 10 - 10)))
        }
      }
    }
    return RasterImage(width: width, height: height, channels: .rgb, samples: .bytes(rgb))
  }
}
