import LivePhotoBitstream
import LivePhotoCore
import LivePhotoHEIF
import LivePhotoMuxer

/// An IRAP picture as it is coded in a movie: all that an item of a HEIC needs.
struct CodedKeyFrame {
  /// The `hvcC`: the parameter sets in use, and no others.
  let configuration: HEVCDecoderConfiguration
  /// The slices, each behind its length in four bytes.
  let data: [UInt8]
  /// What the sequence parameter set says of the picture.
  let format: VideoFormat

  /// Takes the slices of the base layer out of a sample's units; delimiters, messages (SEI) and parameter sets stay
  /// behind (ISO/IEC 23008-12, B.2.2.2; 14496-15, 8.3.3.1).
  ///
  /// - Parameter known: the sets of the sample entry, for which those of the sample stand in.
  /// - Returns: nil when the units are not one whole IRAP picture.
  /// - Throws: ``ParseError`` when a set is missing or damaged.
  init?(_ units: [[UInt8]], known: [[UInt8]], limits: Limits) throws(ParseError) {
    var sets: [ParameterSetIdentity: [UInt8]] = [:]
    for unit in known { sets[try ParameterSetIdentity(hevc: unit)] = unit }
    var slices: [[UInt8]] = []
    var inUse = Set<Int>()
    for unit in units {
      let header = try HEVCNALUnitHeader(parsing: unit.span)
      guard header.layerID == 0 else { continue }
      if header.type.isParameterSet { sets[try ParameterSetIdentity(hevc: unit)] = unit }
      guard header.type.isVCL else { continue }
      let slice = try HEVCSliceHeader(parsing: unit.span)
      guard header.type.isIRAP, slice.isFirstInPicture == slices.isEmpty else { return nil }
      inUse.insert(slice.ppsID)
      slices.append(unit)
    }
    guard !slices.isEmpty else { return nil }
    let chosen = try Self.sets(inUse, of: sets)
    configuration = try HEVCDecoderConfiguration(parameterSets: chosen)
    format = try configuration.sequenceParameterSet(limits: limits).format
    data = try NALFraming.lengthPrefixed(.four).joined(slices)
  }

  /// The sets that slices with these picture parameter sets need.
  private static func sets(_ pictureSets: Set<Int>, of sets: [ParameterSetIdentity: [UInt8]]) throws(ParseError)
    -> [[UInt8]]
  {
    func unit(_ type: HEVCNALUnitType, _ id: Int) throws(ParseError) -> [UInt8] {
      let found = sets.first { $0.key.type == type.rawValue && $0.key.layerID == 0 && $0.key.id == id }
      guard let found else { throw .missing("\(type) \(id)", at: Place(offset: 0, path: ["hvcC"])) }
      return found.value
    }
    var chosen: [[UInt8]] = []
    for id in pictureSets.sorted() {
      let pps = try unit(.pps, id)
      let sps = try unit(.sps, try HEVCPictureParameterSet(parsing: pps.span).spsID)
      chosen += [try unit(.vps, try HEVCSequenceParameterSet(parsing: sps.span).vpsID), sps, pps]
    }
    return chosen
  }

  /// The HEIC file of the picture.
  ///
  /// - Throws: ``LivePhotoError/codec(file:reason:)``.
  func plan(_ presentation: FramePresentation, color: ColorDescription, exif: ExifBlock, file: String)
    throws(LivePhotoError) -> OutputPlan
  {
    var builder = HEIFBuilder()
    let item = builder.addHEVCImage(
      data, configuration: configuration.bytes, width: UInt32(clamping: format.width),
      height: UInt32(clamping: format.height))
    do {
      try builder.setPresentation(
        PicturePresentation(
          color: color, pixelAspectRatio: presentation.pixelAspectRatio, cleanAperture: presentation.cleanAperture,
          orientation: presentation.orientation), of: item)
      builder.addExif(exif, describing: item)
      return try builder.plan()
    } catch { throw .codec(file: file, reason: "\(error)") }
  }
}
