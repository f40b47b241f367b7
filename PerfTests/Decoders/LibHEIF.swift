#if HEVC
  internal import CHeif

  /// The peer: libheif through its C interface, the library that the package itself is linked with.
  ///
  /// It decodes with its default number of threads. Pictures are neither turned nor cropped, as ours are not.
  package enum LibHEIF {
    package static var version: String { unsafe String(cString: heif_get_version()) }

    /// Decodes the primary picture of a file in memory, from its first byte on.
    package static func decode(_ file: [UInt8], as output: DecodeOutput) throws {
      try unsafe decode(file, as: output) { _ in }
    }

    private static func decode(_ file: [UInt8], as output: DecodeOutput, _ body: (OpaquePointer) -> Void) throws {
      guard let context = unsafe heif_context_alloc() else { throw LibHEIFError(description: "no memory for libheif") }
      // SAFETY: each object is released once, after those that were made of it; the file outlives them all.
      defer { unsafe heif_context_free(context) }
      try unsafe file.withUnsafeBytes { bytes in
        try unsafe check(heif_context_read_from_memory_without_copy(context, bytes.baseAddress, bytes.count, nil))
        var handle: OpaquePointer?, image: OpaquePointer?
        try unsafe check(heif_context_get_primary_image_handle(context, &handle))
        defer { unsafe heif_image_handle_release(handle) }
        let options = unsafe heif_decoding_options_alloc()
        defer { unsafe heif_decoding_options_free(options) }
        unsafe options?.pointee.ignore_transformations = 1
        let (colors, chroma) =
          output == .rgb
          ? (heif_colorspace_RGB, heif_chroma_interleaved_RGB) : (heif_colorspace_YCbCr, heif_chroma_420)
        try unsafe check(heif_decode_image(handle, &image, colors, chroma, options))
        defer { unsafe heif_image_release(image) }
        if let image = unsafe image { unsafe body(image) }
      }
    }

    /// The pixels of the primary picture, without gaps.
    package static func rgb(_ file: [UInt8]) throws -> [UInt8] {
      var pixels: [UInt8] = []
      try unsafe decode(file, as: .rgb) { image in
        var stride: CInt = 0
        let width = unsafe Int(heif_image_get_width(image, heif_channel_interleaved))
        let height = unsafe Int(heif_image_get_height(image, heif_channel_interleaved))
        // SAFETY: the plane has `height` rows of `stride` bytes, and lives as long as the image.
        guard let start = unsafe heif_image_get_plane_readonly(image, heif_channel_interleaved, &stride) else { return }
        for y in 0..<height {
          unsafe pixels.append(contentsOf: UnsafeBufferPointer(start: start + y * Int(stride), count: width * 3))
        }
      }
      return pixels
    }

    private static func check(_ error: heif_error) throws {
      guard unsafe error.code != heif_error_Ok else { return }
      throw LibHEIFError(description: "libheif refuses the file: \(unsafe String(cString: error.message))")
    }
  }

  /// Why libheif decodes a file not at all.
  struct LibHEIFError: Error, CustomStringConvertible {
    let description: String
  }
#endif
