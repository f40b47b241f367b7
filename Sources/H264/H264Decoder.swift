public import LivePhotoBitstream
public import LivePhotoCore
import LivePhotoH264Kernels

/// A decoded picture.
public struct H264Picture: Sendable {
  /// The samples, exactly as coded, cropped by the sequence parameter set (ITU-T H.264, 7.4.2.1.1).
  public var image: PlanarImage
  /// The tag that came with the picture's first NAL unit.
  public var tag: Int64
  /// What is wrong with it: nil, or why the samples are not what was coded (data damaged or missing).
  public var damage: String?
}

/// Decodes H.264 into exact planes (ITU-T H.264; ISO/IEC 14496-10).
///
/// All of the Constrained Baseline, Main and High profiles, frames and fields, and of High 10, High 4:2:2 and High 4:4:4
/// Predictive at up to 14 bits. Slice groups, data partitions, SP and SI slices, separate colour planes and different
/// depths of luma and chroma are refused.
///
/// Put in NAL units in decoding order, take out pictures in output order; a picture comes out once the units behind
/// it show that none comes before it, or after ``finish()``.
///
/// ```swift
/// var decoder = H264Decoder()
/// try decoder.decode(configuration.parameterSets)
/// for sample in samples {
///   try decoder.decode(sample: sample.bytes, framing: configuration.framing, tag: sample.presentationTime)
///   while let picture = try decoder.nextPicture() { … }
/// }
/// try decoder.finish()
/// while let picture = try decoder.nextPicture() { … }
/// ```
///
/// Decoding blocks the calling thread and uses no other.
public struct H264Decoder: ~Copyable {
  /// The decoder for the size of samples that the stream has.
  private enum Engine {
    case bytes(PictureDecoder<UInt8>)
    case words(PictureDecoder<UInt16>)
  }

  private let limits: Limits
  private var engine: Engine?
  private var sequences: [Int: H264SequenceParameterSet] = [:]
  private var pictureSets: [Int: [UInt8]] = [:]
  private var parsedSets: [Int: H264PictureParameterSet] = [:]
  /// Pictures of a decoder that was given up when the size of samples changed.
  private var left: [H264Picture] = []

  /// A decoder; `limits` bounds the size of its pictures by ``Limits/codedPixels``.
  public init(limits: Limits = .standard) {
    var limits = limits
    limits.pixels = min(limits.pixels, limits.codedPixels)
    self.limits = limits
  }

  /// Puts in one NAL unit, header included, without start code or length.
  ///
  /// Units that are not of the primary coded picture are passed over. Damage inside of a slice is reported with the
  /// picture, not here.
  ///
  /// - Throws: ``H264Error/parse(_:)`` for a malformed parameter set or slice header, or a picture size beyond the
  ///   limits; ``H264Error/unsupported(_:)``; ``H264Error/damaged(_:)`` for a slice without its parameter sets.
  public mutating func decode(unit: Span<UInt8>, tag: Int64 = 0) throws(H264Error) {
    let header: H264NALUnitHeader
    do { header = try H264NALUnitHeader(parsing: unit) } catch { throw .parse(error) }
    switch header.type {
    case .sps: try readSequence(unit)
    case .pps: try readPictureSet(unit)
    case .slice, .idrSlice: try decodeSlice(unit, header, tag)
    case .partitionA, .partitionB, .partitionC: throw .unsupported("data partitioning")
    case .sei:
      finishPicture()
      readSupplement(unit)
    case .accessUnitDelimiter, .endOfSequence, .endOfStream: finishPicture()
    default: break
    }
  }

  /// Puts in NAL units: parameter sets, or the units of an access unit.
  ///
  /// - Throws: as ``decode(unit:tag:)``.
  public mutating func decode(_ units: [[UInt8]], tag: Int64 = 0) throws(H264Error) {
    for unit in units { try decode(unit: unit.span, tag: tag) }
  }

  /// Puts in a sample of a track: the NAL units of whole access units in the framing that `avcC` names.
  ///
  /// - Throws: as ``decode(unit:tag:)``, and ``H264Error/parse(_:)`` when a length reaches beyond the sample.
  public mutating func decode(sample: Span<UInt8>, framing: NALFraming, tag: Int64 = 0) throws(H264Error) {
    let units: [Range<Int>]
    do { units = try framing.units(in: sample) } catch { throw .parse(error) }
    for unit in units {
      let bytes = sample.extracting(unit)
      try decode(unit: bytes, tag: tag)
      // Some phones put the slice behind a start code into the unit of its prefix, under one length.
      guard bytes[0] & 31 == H264NALUnitType.prefix.rawValue else { continue }
      let inner: [Range<Int>]
      do { inner = try NALFraming.annexB.units(in: bytes) } catch { throw .parse(error) }
      for unit in inner { try decode(unit: bytes.extracting(unit), tag: tag) }
    }
    finishPicture()
  }

  /// Says that no more units follow; the pictures that are left then come out.
  public mutating func finish() {
    switch engine {
    case .bytes(let decoder): decoder.finish()
    case .words(let decoder): decoder.finish()
    case nil: break
    }
  }

  /// The next picture in output order, or nil when more units are needed (after ``finish()``: when none is left).
  public mutating func nextPicture() -> H264Picture? {
    if !left.isEmpty { return left.removeFirst() }
    let next: (image: PlanarImage, tag: Int64, damage: String?)? =
      switch engine {
      case .bytes(let decoder): decoder.nextPicture()
      case .words(let decoder): decoder.nextPicture()
      case nil: nil
      }
    return next.map { H264Picture(image: $0.image, tag: $0.tag, damage: $0.damage) }
  }

  /// Forgets everything, to begin another stream.
  public mutating func reset() {
    engine = nil
    (sequences, pictureSets, parsedSets, left) = ([:], [:], [:], [])
  }
}

// MARK: Units

extension H264Decoder {
  private mutating func readSequence(_ unit: Span<UInt8>) throws(H264Error) {
    let set: H264SequenceParameterSet
    do { set = try H264SequenceParameterSet(parsing: unit, limits: limits) } catch { throw .parse(error) }
    guard sequences[set.id] != set else { return }
    finishPicture()
    sequences[set.id] = set
    parsedSets = [:]
  }

  private mutating func readPictureSet(_ unit: Span<UInt8>) throws(H264Error) {
    var cursor = ByteCursor(unit)
    let bytes = cursor.readRemaining()
    let set: H264PictureParameterSet
    let known = sequences
    do { set = try H264PictureParameterSet(parsing: unit) { known[$0] } } catch { throw .parse(error) }
    guard pictureSets[set.id] != bytes else { return }
    finishPicture()
    pictureSets[set.id] = bytes
    parsedSets[set.id] = set
  }

  /// The parameter sets that a slice refers to.
  private mutating func sets(_ id: Int) throws(H264Error) -> SliceHeader.Sets {
    guard let bytes = pictureSets[id] else { throw .damaged("PPS \(id) is missing") }
    let known = sequences
    let pps: H264PictureParameterSet
    if let parsed = parsedSets[id] {
      pps = parsed
    } else {
      do { pps = try H264PictureParameterSet(parsing: bytes.span) { known[$0] } } catch { throw .parse(error) }
      parsedSets[id] = pps
    }
    guard let sps = sequences[pps.spsID] else { throw .damaged("SPS \(pps.spsID) is missing") }
    guard pps.sliceGroups == 1 else { throw .unsupported("flexible macroblock ordering (slice groups)") }
    guard !sps.hasSeparateColourPlanes else { throw .unsupported("a picture of separate colour planes") }
    guard sps.format.chroma == .yuv400 || sps.format.lumaBitDepth == sps.format.chromaBitDepth else {
      throw .unsupported("different depths of luma and chroma")
    }
    return (pps, sps)
  }

  private mutating func decodeSlice(
    _ unit: Span<UInt8>, _ header: H264NALUnitHeader, _ tag: Int64
  ) throws(H264Error) {
    let rbsp = EmulationPrevention.removed(from: unit.extracting(H264NALUnitHeader.size..<unit.count))
    var reader = BitReader(rbsp.span, base: H264NALUnitHeader.size)
    let id = try SliceHeader.pictureSet(of: rbsp)
    let sets = try sets(id)
    let slice = try SliceHeader(&reader, header, sets)
    let depth = sets.sps.format.lumaBitDepth
    switch engine {
    case .bytes(let decoder) where depth == 8: try decoder.decode(slice, sets.pps, sets.sps, rbsp: rbsp, tag: tag)
    case .words(let decoder) where depth > 8: try decoder.decode(slice, sets.pps, sets.sps, rbsp: rbsp, tag: tag)
    default:
      leaveEngine()
      engine =
        depth == 8 ? .bytes(PictureDecoder(kernels: .best)) : .words(PictureDecoder(kernels: .best))
      try decodeSlice(unit, header, tag)
    }
  }

  /// Takes all pictures out before samples change their size.
  private mutating func leaveEngine() {
    finish()
    var pictures: [H264Picture] = []
    while let picture = nextPicture() { pictures.append(picture) }
    left = pictures
    engine = nil
  }

  private func finishPicture() {
    switch engine {
    case .bytes(let decoder): decoder.finishPicture()
    case .words(let decoder): decoder.finishPicture()
    case nil: break
    }
  }

  /// Looks for a recovery point (D.1.8).
  private func readSupplement(_ unit: Span<UInt8>) {
    guard let count = RecoveryPoint.frames(in: unit) else { return }
    switch engine {
    case .bytes(let decoder): decoder.expectRecovery(after: count)
    case .words(let decoder): decoder.expectRecovery(after: count)
    case nil: break
    }
  }
}
