#if HEVC
  internal import CLivePhotoHEVC
  public import LivePhotoBitstream
  public import LivePhotoCore

  /// A coded picture of a stream.
  public struct HEVCAccessUnit: Sendable, Equatable {
    /// The NAL units, each behind its length in four bytes, without parameter sets: a sample of an `hvc1` track.
    public var bytes: [UInt8]
    /// The time that was given with the picture.
    public var presentation: Int64
    /// When it is to be decoded, in the same units; never after ``presentation``, and negative where B pictures ask
    /// for it.
    public var decoding: Int64
    /// Whether decoding can begin here.
    public var isIDR: Bool
  }

  /// A stream that is being encoded: pictures in, access units out, in decoding order.
  @safe public struct HEVCEncodingSession: ~Copyable {
    private let handle: OpaquePointer

    /// VPS, SPS and PPS of the stream, headers included.
    public let parameterSets: [[UInt8]]

    init(_ config: lp_encoder_config, preset: HEVCPreset) throws(HEVCError) {
      var opened: OpaquePointer?
      // SAFETY: the preset's name is borrowed for the call, which does not keep it.
      try unsafe bridged { error in
        unsafe preset.rawValue.withCString { name in
          var config = unsafe config
          unsafe config.preset = unsafe name
          return unsafe lp_encoder_open(&config, &opened, error)
        }
      }
      guard let opened = unsafe opened else { throw .unsupported("no encoder") }
      do {
        parameterSets = try unsafe Self.parameterSets(of: opened)
      } catch {
        // SAFETY: nothing else holds the handle yet.
        unsafe lp_encoder_close(opened)
        throw error
      }
      unsafe handle = opened
    }

    // SAFETY: nothing else holds the handle, and it is closed once.
    deinit { unsafe lp_encoder_close(handle) }

    /// The `hvcC` of the stream.
    ///
    /// - Throws: ``HEVCError/parse(_:)``, which would be a fault of x265's.
    public func configuration() throws(HEVCError) -> HEVCDecoderConfiguration {
      do { return try HEVCDecoderConfiguration(parameterSets: parameterSets) } catch { throw .parse(error) }
    }

    /// Puts in the next picture in presentation order; gives the coded pictures that are ready, which may be none.
    ///
    /// - Parameters:
    ///   - image: a picture of the session's size and format.
    ///   - time: its presentation time in any unit; it comes back with the coded picture.
    ///   - isIDR: whether it has to become an IDR picture.
    /// - Throws: ``HEVCError/unsupported(_:)`` for a picture of another size or format.
    public mutating func encode(
      _ image: PlanarImage, at time: Int64, isIDR: Bool = false
    ) throws(HEVCError) -> [HEVCAccessUnit] {
      try encode(image, at: time, isIDR: isIDR, offsets: [])
    }

    /// The same with offsets to the base quantisation parameter of each block, where the session was made for them.
    mutating func encode(
      _ image: PlanarImage, at time: Int64, isIDR: Bool = false, offsets: [Float]
    ) throws(HEVCError) -> [HEVCAccessUnit] {
      var unit = unsafe lp_access_unit()
      // SAFETY: x265 copies samples and offsets during the call.
      try unsafe bridged { error in
        unsafe image.withBridgePicture(tag: time) { picture in
          unsafe offsets.withUnsafeBufferPointer { offsets in
            let first = offsets.isEmpty ? nil : offsets.baseAddress
            return unsafe lp_encoder_encode(handle, picture, first, offsets.count, isIDR ? 1 : 0, &unit, error)
          }
        }
      }
      return unsafe [unit].compactMap { unsafe HEVCAccessUnit($0) }
    }

    /// Says that no more pictures follow; gives the coded pictures that are left.
    ///
    /// - Throws: ``HEVCError/library(name:code:text:)``.
    public mutating func finish() throws(HEVCError) -> [HEVCAccessUnit] {
      var units: [HEVCAccessUnit] = []
      while true {
        var unit = unsafe lp_access_unit()
        // SAFETY: the unit's bytes are copied before the next call on the handle.
        try unsafe bridged { error in unsafe lp_encoder_encode(handle, nil, nil, 0, 0, &unit, error) }
        guard let coded = unsafe HEVCAccessUnit(unit) else { return units }
        units.append(coded)
      }
    }

    private static func parameterSets(of handle: OpaquePointer) throws(HEVCError) -> [[UInt8]] {
      var bytes: UnsafePointer<UInt8>?
      var size = 0
      // SAFETY: the bytes last until the next call on the handle, and are copied before it.
      try unsafe bridged { error in unsafe lp_encoder_headers(handle, &bytes, &size, error) }
      let all = unsafe Array(UnsafeBufferPointer(start: bytes, count: size))
      do { return try NALFraming.lengthPrefixed(.four).units(in: all.span).map { Array(all[$0]) } } catch {
        throw .parse(error)
      }
    }
  }

  extension HEVCAccessUnit {
    /// A copy of what the bridge handed out; nil when that is nothing.
    fileprivate init?(_ unit: lp_access_unit) {
      guard unsafe unit.size > 0 else { return nil }
      // SAFETY: the bridge promises `size` bytes, alive until its next call.
      bytes = unsafe Array(UnsafeBufferPointer(start: unit.bytes, count: unit.size))
      presentation = unsafe unit.presentation
      decoding = unsafe unit.decoding
      isIDR = unsafe unit.is_idr != 0
    }
  }
#endif
