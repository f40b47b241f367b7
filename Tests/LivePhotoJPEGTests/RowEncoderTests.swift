import LivePhotoCore
import LivePhotoJPEG
import TestSupport
import Testing

@Suite("JPEG encoder, row by row")
struct RowEncoderTests {
  @Test("any number of rows at a time gives the bytes of the whole picture", arguments: JPEGSubsampling.allCases)
  func pieces(_ subsampling: JPEGSubsampling) throws {
    for (width, height) in [(1, 1), (33, 17), (150, 95), (64, 128)] {
      let picture = TestPicture(.smooth, width: width, height: height)
      let layout: PixelLayout = subsampling == .gray ? .gray : .bgra
      var encoder = JPEGEncoder(quality: 87, subsampling: subsampling)
      encoder.restartInterval = .mcus(5)
      let metadata = JPEGMetadata(icc: [1, 2, 3])
      let expected = try encoder.encode(
        PixelView(picture.bytes(layout).span, width: width, height: height, layout: layout), metadata: metadata)
      for piece in [1, 3, 8, 16, 17, 200] {
        var rows = try JPEGRowEncoder(encoder, width: width, height: height, layout: layout, metadata: metadata)
        var whole: [UInt8] = [], bytes: [UInt8] = []
        let pixels = picture.bytes(layout, padding: 5)
        let stride = width * layout.bytesPerPixel + 5
        for first in Swift.stride(from: 0, to: height, by: piece) {
          let count = min(piece, height - first)
          let part = Array(pixels[first * stride..<(first + count) * stride])
          try rows.push(
            PixelView(part.span, width: width, height: count, stride: stride, layout: layout), into: &bytes)
          // What is there is taken away at once, as by a program that writes a file.
          whole += bytes
          bytes.removeAll(keepingCapacity: true)
        }
        #expect(rows.rowCount == height)
        try rows.finish(into: &bytes)
        #expect(whole + bytes == expected, "\(subsampling) \(width)x\(height), \(piece) rows at a time")
      }
    }
  }

  @Test("bytes are appended, and come as rows complete MCUs")
  func progress() throws {
    let picture = TestPicture(.noise, width: 64, height: 48)
    var rows = try JPEGRowEncoder(JPEGEncoder(), width: 64, height: 48, layout: .rgb)
    var bytes: [UInt8] = [7]
    func part(_ range: Range<Int>) -> [UInt8] { Array(picture.rgb[range.lowerBound * 192..<range.upperBound * 192]) }
    try rows.push(PixelView(part(0..<15).span, width: 64, height: 15, layout: .rgb), into: &bytes)
    let header = bytes.count
    try rows.push(PixelView(part(15..<16).span, width: 64, height: 1, layout: .rgb), into: &bytes)
    #expect(bytes.count > header + 500)
    try rows.push(PixelView(part(16..<48).span, width: 64, height: 32, layout: .rgb), into: &bytes)
    try rows.push(PixelView([UInt8]().span, width: 64, height: 0, layout: .rgb), into: &bytes)
    try rows.finish(into: &bytes)
    #expect(try bytes == [7] + picture.encoded(JPEGEncoder()))
  }

  @Test("rows that do not make the picture are refused, and nothing of them is taken")
  func refusals() throws {
    let pixels = [UInt8](repeating: 50, count: 4000)
    var rows = try JPEGRowEncoder(JPEGEncoder(), width: 10, height: 20, layout: .rgb)
    var bytes: [UInt8] = []
    #expect(throws: JPEGError.rowsDoNotMatch("9 pixels of rgb in a picture of 10 of rgb")) {
      try rows.push(PixelView(pixels.span, width: 9, height: 1, layout: .rgb), into: &bytes)
    }
    #expect(throws: JPEGError.rowsDoNotMatch("10 pixels of bgra in a picture of 10 of rgb")) {
      try rows.push(PixelView(pixels.span, width: 10, height: 1, layout: .bgra), into: &bytes)
    }
    try rows.push(PixelView(pixels.span, width: 10, height: 18, layout: .rgb), into: &bytes)
    let count = bytes.count
    #expect(throws: JPEGError.rowsDoNotMatch("3 rows where 2 of 20 are missing")) {
      try rows.push(PixelView(pixels.span, width: 10, height: 3, layout: .rgb), into: &bytes)
    }
    #expect(bytes.count == count && rows.rowCount == 18)
    do {
      try rows.finish(into: &bytes)
      Issue.record("a picture of 18 rows of 20 was finished")
    } catch {
      #expect(error == .rowsDoNotMatch("18 rows in a picture of 20"))
    }
    var optimizing = JPEGEncoder()
    optimizing.optimizesHuffmanTables = true
    #expect(throws: JPEGError.needsWholePicture) {
      _ = try JPEGRowEncoder(optimizing, width: 8, height: 8, layout: .rgb)
    }
    #expect(throws: JPEGError.sizeOutOfRange(width: 0, height: 8)) {
      _ = try JPEGRowEncoder(JPEGEncoder(), width: 0, height: 8, layout: .rgb)
    }
  }
}
