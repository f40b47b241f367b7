import LivePhotoBitstream
import LivePhotoCore
import LivePhotoMuxer

/// A coding of video that frames are decoded from.
enum VideoCoding: Sendable, Equatable {
  case hevc
  case h264

  /// The coding of a sample entry's code, where the entry has a decoder's configuration; nil for others.
  init?(sampleEntry code: FourCC) {
    switch code {
    case "hvc1", "hev1", "dvh1", "dvhe": self = .hevc
    case "avc1", "avc3", "dva1", "dvav": self = .h264
    default: return nil
    }
  }

  /// The box that holds the decoder's configuration.
  var configurationBox: FourCC {
    switch self {
    case .hevc: "hvcC"
    case .h264: "avcC"
    }
  }

  /// How a message calls it.
  var name: String {
    switch self {
    case .hevc: "HEVC"
    case .h264: "H.264"
    }
  }
}

/// What a decoder needs before the first sample of a description.
struct VideoConfiguration {
  let framing: NALFraming
  let parameterSets: [[UInt8]]
  /// The highest temporal sub-layer that HEVC's sequence parameter sets allow; nil where there is none of them.
  private let highestSubLayer: UInt8?
  private let coding: VideoCoding

  /// Reads the configuration of a sample entry.
  ///
  /// - Throws: ``ParseError`` when there is none or it is damaged.
  init(of description: VideoDescription?, coding: VideoCoding) throws(ParseError) {
    let box = coding.configurationBox
    guard let payload = description?.configuration(box) else {
      throw .missing("'\(box)' box of the sample description", at: Place(offset: 0))
    }
    self.coding = coding
    var cursor = ByteCursor(payload.span)
    switch coding {
    case .hevc:
      let configuration = try HEVCDecoderConfiguration(parsing: &cursor)
      (framing, parameterSets) = (configuration.framing, configuration.parameterSets)
      highestSubLayer = configuration.units(.sps).compactMap { unit in
        (try? HEVCSequenceParameterSet(parsing: unit.span)).map { UInt8(clamping: $0.maxSubLayers - 1) }
      }.max()
    case .h264:
      let configuration = try AVCDecoderConfiguration(parsing: &cursor)
      (framing, parameterSets) = (configuration.framing, configuration.parameterSets)
      highestSubLayer = nil
    }
  }

  /// Whether no other picture refers to the one in a sample, so that it need not be decoded for another's sake.
  ///
  /// HEVC: a picture of the highest temporal sub-layer that is no reference within that (ITU-T H.265, 7.4.2.2). H.264:
  /// `nal_ref_idc` is 0 (ITU-T H.264, 7.4.1).
  func isDisposable(_ sample: Span<UInt8>) -> Bool {
    guard let units = try? framing.units(in: sample) else { return false }
    var hasPicture = false
    for unit in units {
      let first = sample[unit.lowerBound]
      switch coding {
      case .hevc:
        guard let header = try? HEVCNALUnitHeader(parsing: sample.extracting(unit)), header.layerID == 0 else {
          continue
        }
        guard !header.type.isParameterSet else { return false }
        guard header.type.isVCL else { continue }
        guard header.type.rawValue < 16, header.type.rawValue & 1 == 0, header.temporalID == highestSubLayer else {
          return false
        }
        hasPicture = true
      case .h264:
        guard first & 31 != 7, first & 31 != 8 else { return false }
        guard (1...5).contains(first & 31) else { continue }
        guard first >> 5 & 3 == 0 else { return false }
        hasPicture = true
      }
    }
    return hasPicture
  }
}
