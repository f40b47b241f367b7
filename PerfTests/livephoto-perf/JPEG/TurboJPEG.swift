import Foundation

/// The peer: libjpeg-turbo through its TurboJPEG interface, loaded at run time so that nothing needs it to build.
///
/// It is told to use its accurate transform ("islow", the faster one where there is AVX2), to compress into memory that
/// was allocated before, and runs on one thread: it knows no other way.
@safe final class TurboJPEG {
  private typealias InitCompress = @convention(c) () -> OpaquePointer?
  private typealias Destroy = @convention(c) (OpaquePointer) -> CInt
  private typealias BufferSize = @convention(c) (CInt, CInt, CInt) -> CUnsignedLong
  private typealias Compress =
    @convention(c) (
      OpaquePointer, UnsafePointer<UInt8>, CInt, CInt, CInt, CInt, UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>,
      UnsafeMutablePointer<CUnsignedLong>, CInt, CInt, CInt
    ) -> CInt
  private typealias CompressPlanes =
    @convention(c) (
      OpaquePointer, UnsafePointer<UnsafePointer<UInt8>?>, CInt, UnsafePointer<CInt>, CInt, CInt,
      UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>, UnsafeMutablePointer<CUnsignedLong>, CInt, CInt
    ) -> CInt

  private static let yuv420: CInt = 2, pixelsRGB: CInt = 0
  private static let flags: CInt = 4096 | 1024  // TJFLAG_ACCURATEDCT, TJFLAG_NOREALLOC

  /// The name of the file that was loaded.
  let path: String
  private let handle: OpaquePointer
  private let destroy: Destroy
  private let bufferSize: BufferSize
  private let compress: Compress
  private let compressPlanes: CompressPlanes
  private var output: [UInt8] = []

  /// Loads the library; nil where it is not installed.
  init?() {
    guard let library = unsafe dlopen("libturbojpeg.so.0", RTLD_NOW) else { return nil }
    // SAFETY: the types are those of turbojpeg.h, which all versions 2 and 3 keep.
    guard let create = unsafe dlsym(library, "tjInitCompress"), let destroy = unsafe dlsym(library, "tjDestroy"),
      let bufferSize = unsafe dlsym(library, "tjBufSize"), let compress = unsafe dlsym(library, "tjCompress2"),
      let compressPlanes = unsafe dlsym(library, "tjCompressFromYUVPlanes")
    else { return nil }
    guard let handle = unsafe unsafeBitCast(create, to: InitCompress.self)() else { return nil }
    unsafe self.handle = handle
    unsafe self.destroy = unsafeBitCast(destroy, to: Destroy.self)
    unsafe self.bufferSize = unsafeBitCast(bufferSize, to: BufferSize.self)
    unsafe self.compress = unsafeBitCast(compress, to: Compress.self)
    unsafe self.compressPlanes = unsafeBitCast(compressPlanes, to: CompressPlanes.self)
    path = Self.loadedFile() ?? "libturbojpeg.so.0"
  }

  /// The name of the file behind the library's memory.
  private static func loadedFile() -> String? {
    guard let maps = try? String(contentsOfFile: "/proc/self/maps", encoding: .utf8) else { return nil }
    let line = maps.split(separator: "\n").first { $0.contains("libturbojpeg") }
    return line?.split(separator: "/").last.map(String.init)
  }

  // SAFETY: the handle is ours and no longer used.
  deinit { _ = unsafe destroy(handle) }

  /// Allocates and touches the output for pictures of this size.
  func prepare(width: Int, height: Int) {
    let size = Int(bufferSize(CInt(width), CInt(height), Self.yuv420))
    if output.count < size { output = [UInt8](repeating: 0, count: size) }
  }

  /// Compresses RGB pixels to 4:2:0; returns the number of bytes.
  func encode(rgb: [UInt8], width: Int, height: Int, quality: Int) -> Int {
    unsafe intoOutput { start, size in
      // SAFETY: the pixels are `width` × `height`, and `prepare` made room for the output.
      unsafe rgb.withUnsafeBufferPointer { pixels in
        guard let pixels = pixels.baseAddress else { return -1 }
        return unsafe compress(
          handle, pixels, CInt(width), 0, CInt(height), Self.pixelsRGB, start, size, Self.yuv420, CInt(quality),
          Self.flags)
      }
    }
  }

  /// Compresses planes of 4:2:0; returns the number of bytes.
  func encode(planes: [[UInt8]], width: Int, height: Int, quality: Int) -> Int {
    unsafe intoOutput { start, size in
      // SAFETY: as above; strides of 0 stand for planes without gaps.
      unsafe planes[0].withUnsafeBufferPointer { y in
        unsafe planes[1].withUnsafeBufferPointer { cb in
          unsafe planes[2].withUnsafeBufferPointer { cr in
            let pointers = unsafe [y.baseAddress, cb.baseAddress, cr.baseAddress], strides: [CInt] = [0, 0, 0]
            return unsafe compressPlanes(
              handle, pointers, CInt(width), strides, CInt(height), Self.yuv420, start, size, CInt(quality), Self.flags)
          }
        }
      }
    }
  }

  /// The first `count` bytes of the output.
  func bytes(_ count: Int) -> [UInt8] { Array(output.prefix(count)) }

  private func intoOutput(
    _ body: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>, UnsafeMutablePointer<CUnsignedLong>) -> CInt
  ) -> Int {
    let capacity = output.count
    return unsafe output.withUnsafeMutableBufferPointer { buffer in
      var start = buffer.baseAddress, size = CUnsignedLong(capacity)
      let status = unsafe body(&start, &size)
      return status == 0 ? Int(size) : 0
    }
  }
}
