import LivePhotoCore
import LivePhotoJPEG
import TestSupport
import Testing

@Suite("JPEG encoder, with a workspace")
struct WorkspaceTests {
  @Test("any picture may follow any other in one workspace and one buffer")
  func mixed() throws {
    var workspace = JPEGEncoder.Workspace()
    var bytes: [UInt8] = []
    var random = SplitMix64(seed: 9)
    for _ in 0..<120 {
      let width = Int(random.next() % 400) + 1, height = Int(random.next() % 300) + 1
      let subsampling = JPEGSubsampling.allCases[Int(random.next() % 5)]
      var encoder = JPEGEncoder(quality: Int(random.next() % 100) + 1, subsampling: subsampling)
      encoder.threads = .count(Int(random.next() % 3) + 1)
      encoder.optimizesHuffmanTables = random.next() % 4 == 0
      encoder.restartInterval = random.next() % 4 == 0 ? .mcus(Int(random.next() % 60) + 1) : nil
      let metadata = JPEGMetadata(icc: random.next() % 2 == 0 ? nil : random.bytes(9))
      if random.next() % 2 == 0 {
        let layout = PixelLayout.allCases[Int(random.next() % 5)]
        let pixels = TestPicture(.smooth, width: width, height: height).bytes(layout)
        let view = PixelView(pixels.span, width: width, height: height, layout: layout)
        try encoder.encode(view, metadata: metadata, into: &bytes, reusing: &workspace)
        #expect(try bytes == encoder.encode(view, metadata: metadata))
      } else {
        let chroma = ChromaFormat.allCases[Int(random.next() % 4)]
        let depth = random.next() % 3 == 0 ? 10 : 8
        let image = PlanarImage.synthetic(
          width: width, height: height, format: PixelFormat(chroma, bitDepth: depth), color: .jfif)
        try encoder.encode(image, metadata: metadata, into: &bytes, reusing: &workspace)
        #expect(try bytes == encoder.encode(image, metadata: metadata))
      }
    }
  }

  @Test("what is refused leaves the buffer as it is, and the workspace in order")
  func refusal() throws {
    var workspace = JPEGEncoder.Workspace()
    var bytes: [UInt8] = [1, 2, 3]
    let pixels = [UInt8](repeating: 9, count: 300)
    let view = PixelView(pixels.span, width: 10, height: 10, layout: .rgb)
    #expect(throws: JPEGError.qualityOutOfRange(0)) {
      try JPEGEncoder(quality: 0).encode(view, into: &bytes, reusing: &workspace)
    }
    #expect(bytes == [1, 2, 3])
    try JPEGEncoder().encode(view, into: &bytes, reusing: &workspace)
    #expect(try bytes == JPEGEncoder().encode(view))
  }
}
