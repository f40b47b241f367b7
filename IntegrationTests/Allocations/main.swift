import Counter
import LivePhotoCore
import LivePhotoJPEG

/// A picture of noise over slopes, four bytes a pixel.
let (width, height) = (333, 201)
let pixels = (0..<width * height * 4).map { UInt8(truncatingIfNeeded: $0 / 7 &+ ($0 &* 2_654_435_761) >> 13) }

/// How often `body` allocates, in ten calls after two that may fill what is kept.
func allocations(_ body: () throws -> Void) rethrows -> Int {
  for _ in 0..<2 { try body() }
  let before = allocation_count()
  for _ in 0..<10 { try body() }
  return allocation_count() - before
}

func check(_ name: String, expected: Int = 0, _ body: () throws -> Void) rethrows {
  let found = try allocations(body)
  guard found == expected else { fatalError("\(name): \(found) allocations in ten calls, not \(expected)") }
}

/// Whoever counts nothing proves nothing: one allocation a call is ten.
func checkCounter() {
  guard allocation_count() >= 0 else { fatalError("allocations cannot be counted on this system") }
  check("an allocation that is freed at once", expected: 10) {
    UnsafeMutableRawPointer.allocate(byteCount: 64, alignment: 8).deallocate()
  }
  // Only with a workspace is anything kept: the counter sees into the library.
  let found = allocations {
    _ = try? JPEGEncoder().encode(PixelView(pixels.span, width: width, height: height, layout: .rgba))
  }
  guard found >= 100 else { fatalError("encoding without a workspace allocates \(found) times in ten calls") }
}

func checkEncoder() throws {
  var workspace = JPEGEncoder.Workspace()
  var bytes: [UInt8] = []
  for subsampling in [JPEGSubsampling.yuv444, .yuv422, .yuv420, .yuv411] {
    for quality in [50, 90, 97] {
      var encoder = JPEGEncoder(quality: quality, subsampling: subsampling)
      encoder.restartInterval = quality == 50 ? .mcus(7) : nil
      for layout in [PixelLayout.rgb, .bgra, .gray] {
        try check("\(layout) pixels, \(subsampling) at \(quality)") {
          let view = PixelView(pixels.span, width: width, height: height, layout: layout)
          try encoder.encode(view, into: &bytes, reusing: &workspace)
        }
      }
      for chroma in ChromaFormat.allCases {
        let image = PlanarImage(width: width, height: height, format: PixelFormat(chroma), color: .jfif)
        try check("\(chroma) planes, \(subsampling) at \(quality)") {
          try encoder.encode(image, into: &bytes, reusing: &workspace)
        }
      }
    }
  }
  let metadata = JPEGMetadata(icc: pixels, comment: [1, 2, 3])
  try check("borrowed planes with metadata") {
    let y = PlaneView(pixels.span, width: width, height: height, stride: width)
    let c = PlaneView(pixels.span, width: (width + 1) / 2, height: (height + 1) / 2, stride: width)
    try JPEGEncoder().encode(y: y, cb: c, cr: c, metadata: metadata, into: &bytes, reusing: &workspace)
  }
  let video = ColorDescription(primaries: 1, transfer: 1, matrix: 1, isFullRange: false)
  let image = PlanarImage(width: width, height: height, format: PixelFormat(.yuv420, bitDepth: 10), color: video)
  try check("planes that are converted") { try JPEGEncoder().encode(image, into: &bytes, reusing: &workspace) }
}

/// Rows pushed into a picture that has begun allocate nothing either.
func checkRows() throws {
  var bytes: [UInt8] = []
  bytes.reserveCapacity(1 << 20)
  var rows = try JPEGRowEncoder(JPEGEncoder(), width: width, height: 10_000, layout: .rgba)
  try check("rows") {
    bytes.removeAll(keepingCapacity: true)
    try rows.push(PixelView(pixels.span, width: width, height: 37, layout: .rgba), into: &bytes)
  }
}

checkCounter()
try checkEncoder()
try checkRows()
print("it works")
