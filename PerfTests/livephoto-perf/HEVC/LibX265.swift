#if HEVC
  internal import CX265
  import LivePhotoCore

  /// x265 through its own C interface, with nothing in between: what the bridge's encoder is measured against.
  ///
  /// It is configured by x265's own parser of options, so that it shares no code with the bridge.
  @safe final class LibX265 {
    static var version: String {
      guard let interface = unsafe x265_api_query(8, X265_BUILD, nil) else { return "of unknown version" }
      return unsafe String(cString: interface.pointee.version_str)
    }

    /// Encodes frames that are in memory and gives the number of bytes, parameter sets included.
    static func encode(_ frames: [PlanarImage], _ setting: HEVCSetting) throws -> Int {
      guard let first = frames.first else { return 0 }
      let encoder = try LibX265(setting, width: first.width, height: first.height)
      for frame in frames { try encoder.encode(frame) }
      try encoder.finish()
      return encoder.bytes
    }

    private let interface: x265_api
    private let parameters: UnsafeMutablePointer<x265_param>
    private let encoder: OpaquePointer
    private var bytes = 0
    private var frames: Int64 = 0

    private init(_ setting: HEVCSetting, width: Int, height: Int) throws {
      guard let interface = unsafe x265_api_query(CInt(setting.depth), X265_BUILD, nil)?.pointee,
        let parameters = unsafe interface.param_alloc()
      else { throw UsageError("this x265 has no encoder for \(setting.depth) bits") }
      // SAFETY: x265 copies the strings during the calls.
      guard unsafe interface.param_default_preset(parameters, setting.preset, nil) == 0 else {
        throw UsageError("\(setting.preset) is no preset of x265's")
      }
      let size = [("input-res", "\(width)x\(height)"), ("fps", "\(HEVCClip.rate.frames)"), ("annexb", "0")]
      for (name, value) in setting.options + size {
        guard unsafe interface.param_parse(parameters, name, value) == 0 else {
          throw UsageError("x265 refuses \(name)=\(value)")
        }
      }
      guard unsafe interface.param_apply_profile(parameters, setting.profile) == 0,
        let encoder = unsafe interface.encoder_open(parameters)
      else { throw UsageError("x265 refuses the settings") }
      unsafe (self.interface, self.parameters, self.encoder) = (interface, parameters, encoder)
      try unsafe call { units, count in unsafe interface.encoder_headers(encoder, units, count) }
    }

    // SAFETY: both are ours and no longer used.
    deinit {
      unsafe interface.encoder_close(encoder)
      unsafe interface.param_free(parameters)
    }

    private func encode(_ frame: PlanarImage) throws {
      var picture = unsafe x265_picture()
      unsafe interface.picture_init(parameters, &picture)
      unsafe picture.bitDepth = CInt(frame.format.bitDepth)
      unsafe picture.pts = frames
      frames += 1
      try unsafe Self.withPlanes(of: frame, in: &picture) { picture in
        _ = try unsafe call { unsafe interface.encoder_encode(encoder, $0, $1, picture, nil) }
      }
    }

    private func finish() throws {
      while try unsafe call({ unsafe interface.encoder_encode(encoder, $0, $1, nil, nil) }) > 0 {}
    }

    /// Makes a call that hands out NAL units, and counts their bytes, which it returns too.
    @discardableResult
    private func call(
      _ body: (UnsafeMutablePointer<UnsafeMutablePointer<x265_nal>?>, UnsafeMutablePointer<UInt32>) -> CInt
    ) throws -> Int {
      var units: UnsafeMutablePointer<x265_nal>?, count: UInt32 = 0
      guard unsafe body(&units, &count) >= 0 else { throw UsageError("x265 could not encode") }
      // SAFETY: x265 hands out `count` units, which last until its next call.
      let size = unsafe UnsafeBufferPointer(start: units, count: Int(count)).reduce(0) {
        unsafe $0 + Int($1.sizeBytes)
      }
      bytes += size
      return size
    }

    /// Lends a frame's samples to a picture for the length of a call; x265 only reads them.
    private static func withPlanes(
      of frame: PlanarImage, in picture: inout x265_picture, _ body: (UnsafeMutablePointer<x265_picture>) throws -> Void
    ) throws {
      let size = frame.format.sampleSize
      // SAFETY: the planes are alive until `body` returns, and 4:2:0 has three of them.
      unsafe picture.stride.0 = CInt(frame.planes[0].stride * size)
      unsafe picture.stride.1 = CInt(frame.planes[1].stride * size)
      unsafe picture.stride.2 = CInt(frame.planes[2].stride * size)
      try unsafe withSamples(frame.planes[0]) { y in
        try unsafe withSamples(frame.planes[1]) { cb in
          try unsafe withSamples(frame.planes[2]) { cr in
            unsafe picture.planes.0 = unsafe UnsafeMutableRawPointer(mutating: y)
            unsafe picture.planes.1 = unsafe UnsafeMutableRawPointer(mutating: cb)
            unsafe picture.planes.2 = unsafe UnsafeMutableRawPointer(mutating: cr)
            try unsafe body(&picture)
          }
        }
      }
    }

    private static func withSamples(_ plane: Plane, _ body: (UnsafeRawPointer?) throws -> Void) throws {
      switch plane.samples {
      case .bytes(let bytes): try unsafe bytes.withUnsafeBytes { try unsafe body($0.baseAddress) }
      case .words(let words): try unsafe words.withUnsafeBytes { try unsafe body($0.baseAddress) }
      }
    }
  }
#endif
