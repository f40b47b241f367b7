import LivePhotoJPEG
import TestSupport
import Testing

@Suite("JPEG encoder: every small size")
struct SizeSweepTests {
  /// The slopes that the judge computes too.
  private static func slopes(_ width: Int, _ height: Int) -> [UInt8] {
    var pixels: [UInt8] = []
    pixels.reserveCapacity(width * height * 3)
    for y in 0..<height {
      for x in 0..<width { pixels += [UInt8(40 + 2 * x + y), UInt8(200 - 2 * y), UInt8(60 + x)] }
    }
    return pixels
  }

  @Test(
    "1 to 64 pixels a side decode without a warning, to the pixels that went in", .judged(by: .python, .djpeg),
    arguments: JPEGSubsampling.allCases)
  func sweep(_ subsampling: JPEGSubsampling) throws {
    var workspace = JPEGEncoder.Workspace()
    var jpeg: [UInt8] = [], all: [UInt8] = []
    var encoder = JPEGEncoder(quality: 95, subsampling: subsampling)
    for width in 1...64 {
      for height in 1...64 {
        encoder.restartInterval = (width + height) % 3 == 0 ? .mcus(width % 4 + 1) : nil
        let pixels = Self.slopes(width, height)
        let view = PixelView(pixels.span, width: width, height: height, layout: .rgb)
        try encoder.encode(view, into: &jpeg, reusing: &workspace)
        all += (0..<4).map { UInt8(truncatingIfNeeded: jpeg.count >> (8 * $0)) } + [UInt8(width), UInt8(height)] + jpeg
      }
    }
    let folder = try TemporaryFolder()
    let path = try folder.write(all, as: "all")
    #expect(try python(Self.program, [path, subsampling == .gray ? "gray" : "rgb"]).lines == ["4096 files"])
  }

  /// Decodes with the library behind djpeg, one file after the other, and prints what is wrong.
  private static let program = """
    import ctypes, struct, sys
    import numpy as np
    turbo = ctypes.CDLL("libturbojpeg.so.0")
    turbo.tjInitDecompress.restype = ctypes.c_void_p
    turbo.tjGetErrorStr2.restype = ctypes.c_char_p
    handle = ctypes.c_void_p(turbo.tjInitDecompress())
    data, position, files = open(sys.argv[1], "rb").read(), 0, 0
    while position < len(data):
        length, width, height = struct.unpack_from("<IBB", data, position)
        jpeg = data[position + 6:position + 6 + length]
        position += 6 + length
        size = [ctypes.c_int() for _ in range(4)]
        problem = turbo.tjDecompressHeader3(handle, jpeg, ctypes.c_ulong(length), *map(ctypes.byref, size))
        out = np.zeros((height, width, 3), np.uint8)
        if not problem:
            problem = turbo.tjDecompress2(handle, jpeg, ctypes.c_ulong(length), out.ctypes.data_as(ctypes.c_void_p), width, 0,
                height, 0, 4096)
        if problem or (size[0].value, size[1].value) != (width, height):
            print(width, height, turbo.tjGetErrorStr2(handle).decode())
        y, x = np.mgrid[0:height, 0:width]
        original = np.stack([40 + 2 * x + y, 200 - 2 * y, 60 + x], 2).astype(float)
        if sys.argv[2] == "gray":
            original[:] = (original @ [0.299, 0.587, 0.114])[..., None]
        # A chroma sample of 4:1:1 stands for four pixels of a slope.
        error = np.abs(original - out)
        if error.max() > 12 or error.mean() > 2.5:
            print(width, height, "error", error.max(), error.mean())
        files += 1
    print(files, "files")
    """
}
