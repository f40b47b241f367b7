import LivePhotoCore
import TestSupport
import Testing

@testable import LivePhotoPNG

@Suite("PNG, band by band")
struct BandTests {
  /// The bands of a file, checked to be as high as they should, put together.
  private func joined(_ file: [UInt8], height: Int) throws -> (samples: [UInt16], warnings: [ParseError]) {
    var reader = try PNGBandReader(file)
    var samples: [UInt16] = [], rows = 0
    let (all, channels) = (reader.header.height, reader.channels)
    try reader.readBands(of: height) { band in
      #expect(band.height == min(height, all - rows) && band.channels == channels)
      rows += band.height
      switch band.samples {
      case .bytes(let bytes): samples += bytes.map(UInt16.init)
      case .words(let words): samples += words
      }
    }
    #expect(rows == all)
    return (samples, reader.warnings)
  }

  private func words(_ samples: Plane.Samples) -> [UInt16] {
    switch samples {
    case .bytes(let bytes): bytes.map(UInt16.init)
    case .words(let words): words
    }
  }

  @Test("bands of any height are together the picture", .judged(by: .python, .ffmpeg))
  func generated() throws {
    let files = try GeneratedFiles(sizes: [(9, 11), (33, 7)])
    #expect(files.entries.count == (15 + 11) * 2 * 2)
    for entry in files.entries {
      let file = try files.bytes(entry), expected = words(try files.expected(entry).samples)
      for height in [1, 2, 5, 64] {
        let found = try joined(file, height: height)
        #expect(found.samples == expected && found.warnings.isEmpty, "\(entry.name) in bands of \(height)")
      }
    }
  }

  @Test("a damaged file gives the bands and warnings that the whole picture has")
  func damaged() throws {
    for file in damagedCopies(of: DamageTests.file, count: 200, seed: 17) + truncations(of: DamageTests.file, count: 60)
    {
      guard let whole = try? PNGDecoder().decode(file) else {
        #expect(throws: PNGError.self) { try joined(file, height: 7) }
        continue
      }
      let found = try joined(file, height: 7)
      #expect(found.samples == words(whole.raster.samples) && found.warnings == whole.warnings)
    }
  }

  @Test("Paeth's predictor is that of the standard for all samples")
  func paeth() {
    func reference(_ a: Int, _ b: Int, _ c: Int) -> Int {
      let p = a + b - c
      let (pa, pb, pc) = (abs(p - a), abs(p - b), abs(p - c))
      return pa <= pb && pa <= pc ? a : pb <= pc ? b : c
    }
    var wrong = 0
    for left in 0..<256 {
      for up in 0..<256 {
        for first in stride(from: 0, to: 256, by: 8) {
          var corners = SIMD8<Int16>.zero
          for lane in 0..<8 { corners[lane] = Int16(first + lane) }
          let found = PaethPredictor.of(
            SIMD8(repeating: Int16(left)), SIMD8(repeating: Int16(up)), corners)
          for lane in 0..<8 where Int(found[lane]) != reference(left, up, first + lane) { wrong += 1 }
        }
      }
    }
    #expect(wrong == 0)
  }
}
