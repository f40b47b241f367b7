#if HEVC
  internal import CLivePhotoHEVC
  public import LivePhotoBitstream
  public import LivePhotoCore

  /// A decoded picture.
  public struct HEVCPicture: Sendable {
    /// The samples, exactly as coded, cropped by the sequence parameter set's conformance window (ITU-T H.265, 7.4.3.2).
    public var image: PlanarImage
    /// The tag that came with the picture's NAL units.
    public var tag: Int64
    /// What is wrong with it: nil, or why the samples are not what was coded (data damaged or missing).
    public var damage: String?
  }

  /// Decodes HEVC into exact planes (libde265).
  ///
  /// Put in NAL units in decoding order, take out pictures in output order; a picture comes out once the units behind
  /// it show that it is complete, or after ``finish()``.
  ///
  /// ```swift
  /// var decoder = try HEVCDecoder()
  /// try decoder.decode(configuration.parameterSets)
  /// for sample in samples {
  ///   try decoder.decode(sample: sample.bytes, framing: configuration.framing, tag: sample.presentationTime)
  ///   while let picture = try decoder.nextPicture() { … }
  /// }
  /// try decoder.finish()
  /// while let picture = try decoder.nextPicture() { … }
  /// ```
  ///
  /// Decoding blocks the calling thread. When decoding begins at a CRA picture, its RASL pictures, which refer to what
  /// came before, are left out.
  @safe public struct HEVCDecoder: ~Copyable {
    private let handle: OpaquePointer
    private var limits: Limits
    private var sets = HEVCParameterSetStore()
    /// From the sequence parameter set in force: libde265 knows no code points beyond 10, such as P3's 12.
    private var color = ColorDescription.unspecified

    /// A decoder; `limits` bounds the size of its pictures by ``Limits/codedPixels``.
    ///
    /// - Throws: ``HEVCError/library(name:code:text:)`` when threads or memory are not to be had.
    public init(threads: Threads = .count(1), limits: Limits = .standard) throws(HEVCError) {
      var opened: OpaquePointer?
      // SAFETY: the pointers are used during the call only.
      try unsafe bridged { error in
        unsafe lp_decoder_open(Int32(min(threads.number, 32)), &opened, error)
      }
      guard let opened = unsafe opened else { throw .unsupported("no decoder") }
      unsafe handle = opened
      self.limits = limits
      self.limits.pixels = min(limits.pixels, limits.codedPixels)
    }

    // SAFETY: nothing else holds the handle, and it is closed once.
    deinit { unsafe lp_decoder_close(handle) }

    /// Puts in one NAL unit, header included, without start code or length.
    ///
    /// Repeated parameter sets and layers other than the base layer are passed over.
    ///
    /// - Throws: ``HEVCError/parse(_:)`` for a malformed unit or a picture size beyond the limits.
    public mutating func decode(unit: Span<UInt8>, tag: Int64 = 0) throws(HEVCError) {
      do {
        let header = try HEVCNALUnitHeader(parsing: unit)
        guard header.layerID == 0 else { return }
        if header.type.isParameterSet {
          var cursor = ByteCursor(unit)
          guard try sets.insert(cursor.readRemaining()) else { return }
        }
        // libde265 allocates what a parameter set asks for, whatever it is.
        if header.type == .sps { color = try HEVCSequenceParameterSet(parsing: unit, limits: limits).format.color }
      } catch { throw .parse(error) }
      // SAFETY: the bridge copies the bytes during the call.
      try unsafe bridged { error in
        unsafe unit.withUnsafeBufferPointer { bytes in
          unsafe lp_decoder_push(handle, bytes.baseAddress, bytes.count, tag, error)
        }
      }
    }

    /// Puts in NAL units: parameter sets, or the units of an access unit.
    ///
    /// - Throws: as ``decode(unit:tag:)``.
    public mutating func decode(_ units: [[UInt8]], tag: Int64 = 0) throws(HEVCError) {
      for unit in units { try decode(unit: unit.span, tag: tag) }
    }

    /// Puts in a sample of a track or the data of an item: NAL units in the framing that `hvcC` names.
    ///
    /// - Throws: as ``decode(unit:tag:)``, and ``HEVCError/parse(_:)`` when a length reaches beyond the sample.
    public mutating func decode(sample: Span<UInt8>, framing: NALFraming, tag: Int64 = 0) throws(HEVCError) {
      let units: [Range<Int>]
      do { units = try framing.units(in: sample) } catch { throw .parse(error) }
      for unit in units { try decode(unit: sample.extracting(unit), tag: tag) }
    }

    /// Says that no more units follow; the pictures that are left then come out.
    ///
    /// - Throws: ``HEVCError/library(name:code:text:)``.
    public mutating func finish() throws(HEVCError) {
      // SAFETY: the handle is open.
      try unsafe bridged { error in unsafe lp_decoder_flush(handle, error) }
    }

    /// The next picture in output order, or nil when more units are needed (after ``finish()``: when none is left).
    ///
    /// - Throws: ``HEVCError/library(name:code:text:)`` when the data cannot be decoded at all.
    public mutating func nextPicture() throws(HEVCError) -> HEVCPicture? {
      // SAFETY: the picture's samples are copied before the next call on the handle.
      guard let picture = unsafe try nextLent() else { return nil }
      return unsafe HEVCPicture(
        image: PlanarImage(copying: picture.samples), tag: picture.tag, damage: picture.damage)
    }

    /// The next picture; its samples are the library's, until the next call on the handle.
    private mutating func nextLent() throws(HEVCError) -> (samples: PlanarPointers, tag: Int64, damage: String?)? {
      var picture = lp_picture()
      // SAFETY: the handle is open.
      try unsafe bridged { error in unsafe lp_decoder_next(handle, &picture, error) }
      guard unsafe picture.planes.0.samples != nil else { return nil }
      let damage = unsafe picture.damage == 0 ? nil : String(cString: lp_decoder_damage_text(picture.damage))
      return unsafe (try PlanarPointers(picture, color: color), picture.tag, damage)
    }

    /// Forgets everything, to begin another stream; cheaper than a new decoder.
    public mutating func reset() {
      // SAFETY: the handle is open.
      unsafe lp_decoder_reset(handle)
      sets = HEVCParameterSetStore()
    }

    /// Decodes one still: parameter sets and the units of one picture, after a reset.
    ///
    /// - Throws: ``HEVCError/noPicture`` and ``HEVCError/damaged(_:)`` when the data does not hold a whole picture;
    ///   else as ``decode(unit:tag:)``.
    public mutating func decodeStill(
      parameterSets: [[UInt8]], sample: Span<UInt8>, framing: NALFraming
    ) throws(HEVCError) -> PlanarImage {
      // SAFETY: the samples are copied inside the closure.
      unsafe try withStill(parameterSets: parameterSets, sample: sample, framing: framing) {
        unsafe PlanarImage(copying: $0)
      }
    }

    /// Decodes one still and lends its samples to `body`, for as long as that runs, instead of copying them.
    ///
    /// - Throws: as ``decodeStill(parameterSets:sample:framing:)``.
    @unsafe package mutating func withStill<Result>(
      parameterSets: [[UInt8]], sample: Span<UInt8>, framing: NALFraming, _ body: (PlanarPointers) -> Result
    ) throws(HEVCError) -> Result {
      reset()
      try decode(parameterSets)
      try decode(sample: sample, framing: framing)
      try finish()
      guard let picture = unsafe try nextLent() else { throw .noPicture }
      if let damage = unsafe picture.damage { throw .damaged(damage) }
      return unsafe body(picture.samples)
    }
  }
#endif
