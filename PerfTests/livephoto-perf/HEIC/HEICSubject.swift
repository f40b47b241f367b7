#if HEVC
  import Foundation
  import LivePhotoCore
  import LivePhotoEngine
  import LivePhotoFiles
  import LivePhotoHEIC
  import LivePhotoHEIF
  import LivePhotoJPEG
  import LivePhotoPNG

  /// A picture that both encoders are given as one and the same file, a PNG or a JPEG.
  struct HEICSubject {
    let name: String
    /// The name of the file in the folder of the run.
    let file: String
    let width: Int
    /// What the file holds, as it is coded: neither turned nor cropped.
    let rgb: [UInt8]

    var size: String { "\(width)x\(rgb.count / 3 / width)" }

    /// Puts a picture into the folder: a JPEG as it is, anything else as a PNG of the upright picture.
    init(_ path: String, in runner: ProcessRunner) throws {
      let stem = URL(filePath: path).deletingPathExtension().lastPathComponent
      let isJPEG = try FileSource(path: path).read(0..<3) == [0xFF, 0xD8, 0xFF]
      file = stem + (isJPEG ? ".jpg" : ".png")
      let goal = runner.path(file)
      if isJPEG {
        try FileManager.default.copyItem(atPath: path, toPath: goal)
      } else {
        _ = try PictureDecoder(threads: .allCores).decode(path, as: .png, to: goal)
      }
      let source = try FileSource(path: goal)
      let raster = isJPEG ? try JPEGDecoder().decode(source).raster() : try PNGDecoder().decode(source).raster
      (name, width) = (stem, raster.width)
      rgb = try Self.bytes(raster, of: path)
    }

    /// How like the picture a HEIC file is, decoded by this package.
    func likeness(_ path: String) throws -> Likeness {
      let decoder = HEICDecoder(threads: .allCores)
      let raster = try decoder.decodeRaster(HEIFFile(parsing: FileSource(path: path))).raster
      let decoded = try Self.bytes(raster, of: path)
      guard raster.width == width, decoded.count == rgb.count else {
        throw UsageError("\(path) is \(raster.width)x\(raster.height), the picture that it was made of \(size)")
      }
      return Likeness(decoded, rgb, width: width)
    }

    private static func bytes(_ raster: RasterImage, of path: String) throws -> [UInt8] {
      guard raster.channels == .rgb, case .bytes(let bytes) = raster.samples else {
        throw UsageError("\(path) is not a colour picture of 8 bits without alpha")
      }
      return bytes
    }
  }
#endif
