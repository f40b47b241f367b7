import LivePhotoCore
import LivePhotoJPEG
import TestSupport
import Testing

@Suite("JPEG, band by band")
struct BandTests {
  /// The planes of a file's bands, put together.
  private func joined(_ file: [UInt8], height: Int) throws -> (planes: [[UInt8]], warnings: [ParseError]) {
    var reader = try JPEGBandReader(MemorySource(file))
    var planes = [[UInt8]](repeating: [], count: reader.format.chroma.planeCount), rows = 0
    let all = reader.height
    try reader.readBands(of: height) { band in
      #expect(band.height == min(height, all - rows))
      rows += band.height
      for (index, plane) in band.planes.enumerated() {
        if case .bytes(let samples) = plane.samples { planes[index] += samples }
      }
    }
    #expect(rows == all)
    return (planes, reader.warnings)
  }

  /// The samples of the whole picture, without what pads its rows.
  private func planes(_ image: PlanarImage) -> [[UInt8]] {
    image.planes.map { plane in
      (0..<plane.height).flatMap { y in (0..<plane.width).map { UInt8(plane[$0, y]) } }
    }
  }

  private func coded(_ options: String, width: Int, height: Int) throws -> [UInt8] {
    let folder = try TemporaryFolder()
    let path = try folder.write(TestPicture(.smooth, width: width, height: height).netpbm(), as: "a.ppm")
    return try Judge.cjpeg.ask(options.split(separator: " ").map(String.init) + [path]).output
  }

  @Test(
    "bands of any even height are together the planes of the picture", .judged(by: .cjpeg),
    arguments: [
      "-sample 2x2", "-sample 1x1", "-sample 2x1 -restart 1", "-progressive -sample 2x2", "-grayscale",
      // One component's blocks stand row by row, whatever its factors.
      "-grayscale -sample 1x2", "-grayscale -sample 2x2", "-grayscale -sample 4x4 -restart 2",
    ])
  func joined(_ options: String) throws {
    for (width, height) in [(67, 45), (16, 16), (1, 1), (40, 83)] {
      let file = try coded(options, width: width, height: height)
      let image = try #require(try JPEGDecoder().decode(file).planarImage())
      for band in [2, 16, 30, 128] {
        let found = try joined(file, height: band)
        #expect(found.planes == planes(image) && found.warnings.isEmpty, "\(width)x\(height) in bands of \(band)")
      }
    }
  }

  @Test("a damaged file gives the bands and warnings that the whole picture has", .judged(by: .cjpeg))
  func damaged() throws {
    let file = try coded("-sample 2x2 -restart 3B", width: 67, height: 45)
    var compared = 0
    for copy in damagedCopies(of: file, count: 200, seed: 23) + truncations(of: file, count: 100) {
      guard let whole = try? JPEGDecoder().decode(copy), let image = whole.planarImage() else { continue }
      let found = try joined(copy, height: 16)
      #expect(found.planes == planes(image) && found.warnings == whole.warnings)
      compared += 1
    }
    #expect(compared > 100)
  }

  @Test("colours and samplings that planes cannot state are refused", .judged(by: .cjpeg))
  func refused() throws {
    for options in ["-sample 1x2", "-rgb"] {
      let file = try coded(options, width: 20, height: 20)
      #expect(throws: JPEGError.self) { try JPEGBandReader(MemorySource(file)) }
    }
  }
}
