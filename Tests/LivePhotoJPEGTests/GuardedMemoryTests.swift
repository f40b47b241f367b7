import Foundation
import LivePhotoCore
import LivePhotoJPEG
import TestSupport
import Testing

@Suite("JPEG encoder: nothing behind the pixels is read")
struct GuardedMemoryTests {
  /// Lends a copy of `bytes` that ends where memory ends: a read of the next byte ends the process.
  private static func withGuarded(_ bytes: [UInt8], _ body: (Span<UInt8>) throws -> Void) throws {
    let page = sysconf(Int32(_SC_PAGESIZE))
    let size = (bytes.count + page - 1) / page * page
    let memory = unsafe mmap(nil, size + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    let start = unsafe try #require(memory)
    defer { unsafe munmap(start, size + page) }
    let isGuarded = unsafe mprotect(start + size, page, PROT_NONE) == 0
    try #require(isGuarded)
    let copy = unsafe UnsafeMutableRawBufferPointer(start: start + size - bytes.count, count: bytes.count)
    unsafe copy.copyBytes(from: bytes)
    let pixels = unsafe UnsafeBufferPointer(copy.bindMemory(to: UInt8.self))
    try body(unsafe Span(_unsafeElements: pixels))
  }

  private static func encode(_ layout: PixelLayout, _ width: Int, _ height: Int) throws {
    let picture = TestPicture(.noise, width: width, height: height)
    try withGuarded(picture.bytes(layout)) { pixels in
      for subsampling in JPEGSubsampling.allCases {
        let encoder = JPEGEncoder(subsampling: subsampling)
        let view = PixelView(pixels, width: width, height: height, layout: layout)
        let whole = try encoder.encode(view)
        // The picture goes on behind these rows, in memory that is not there yet.
        var rows = try JPEGRowEncoder(encoder, width: width, height: height * 2, layout: layout), bytes: [UInt8] = []
        try rows.push(view, into: &bytes)
        try #require(whole.count > 0 && bytes.count > 0)
      }
    }
  }

  private static func encodePlanes(_ width: Int, _ height: Int) throws {
    try withGuarded(TestPicture(.noise, width: width, height: height).bytes(.gray)) { pixels in
      let plane = PlaneView(pixels, width: width, height: height, stride: width)
      for subsampling in JPEGSubsampling.allCases {
        let encoder = JPEGEncoder(subsampling: subsampling)
        for color in [
          ColorDescription.jfif, ColorDescription(primaries: 1, transfer: 1, matrix: 1, isFullRange: false),
        ] {
          try #require(encoder.encode(y: plane, cb: plane, cr: plane, color: color).count > 0)
        }
      }
    }
  }

  @Test("interleaved pixels, whole and row by row; planes, as they are and converted")
  func guarded() async {
    await #expect(processExitsWith: .success) {
      for (width, height) in [(1, 1), (16, 8), (16, 16), (17, 9), (31, 32), (64, 24), (100, 7)] {
        for layout in PixelLayout.allCases { try GuardedMemoryTests.encode(layout, width, height) }
        try GuardedMemoryTests.encodePlanes(width, height)
      }
    }
  }
}
