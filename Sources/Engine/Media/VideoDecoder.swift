import LivePhotoBitstream
import LivePhotoCore
import LivePhotoH264
import LivePhotoHEVC

/// A picture of a video, as coded.
struct DecodedFrame {
  /// The samples, cropped as the sequence parameter set says.
  var image: PlanarImage
  /// The tag that came with the picture's NAL units.
  var tag: Int64
  /// What is wrong with it; nil where nothing is.
  var damage: String?
}

/// A decoder of whichever coding a video has: NAL units in decoding order in, pictures in output order out.
struct VideoDecoder: ~Copyable {
  private let file: String
  private var h264: H264Decoder?
  #if HEVC
    private var hevc: HEVCDecoder?
  #endif

  /// A decoder; the errors that it throws name `file`.
  ///
  /// - Throws: ``LivePhotoError/needsHEVC(_:)``, ``LivePhotoError/codec(file:reason:)``.
  init(_ coding: VideoCoding, file: String, threads: Threads, limits: Limits) throws(LivePhotoError) {
    self.file = file
    // A decoder holds up to 16 pictures, so a frame may be no larger than level 6.2 allows (ITU-T H.265, table A.8; ITU-T H.264, table A-1).
    var limits = limits
    limits.codedPixels = min(limits.codedPixels, 35_651_584)
    switch coding {
    case .hevc:
      h264 = nil
      #if HEVC
        do { hevc = try HEVCDecoder(threads: threads, limits: limits) } catch {
          throw .codec(file: file, reason: error.description)
        }
      #else
        throw .needsHEVC("decoding the HEVC video of \(file)")
      #endif
    case .h264: h264 = H264Decoder(limits: limits)
    }
  }

  /// Puts in parameter sets.
  ///
  /// - Throws: ``LivePhotoError/codec(file:reason:)``, as all functions here.
  mutating func decode(parameterSets: [[UInt8]]) throws(LivePhotoError) {
    do { try h264?.decode(parameterSets) } catch { throw .codec(file: file, reason: error.description) }
    #if HEVC
      do { try hevc?.decode(parameterSets) } catch { throw .codec(file: file, reason: error.description) }
    #endif
  }

  /// Puts in one NAL unit, without start code or length.
  mutating func decode(unit: Span<UInt8>, tag: Int64) throws(LivePhotoError) {
    do { try h264?.decode(unit: unit, tag: tag) } catch { throw .codec(file: file, reason: error.description) }
    #if HEVC
      do { try hevc?.decode(unit: unit, tag: tag) } catch { throw .codec(file: file, reason: error.description) }
    #endif
  }

  /// Puts in a sample of a track.
  mutating func decode(sample: Span<UInt8>, framing: NALFraming, tag: Int64) throws(LivePhotoError) {
    do { try h264?.decode(sample: sample, framing: framing, tag: tag) } catch {
      throw .codec(file: file, reason: error.description)
    }
    #if HEVC
      do { try hevc?.decode(sample: sample, framing: framing, tag: tag) } catch {
        throw .codec(file: file, reason: error.description)
      }
    #endif
  }

  /// Says that no more units follow; the pictures that are left then come out.
  mutating func finish() throws(LivePhotoError) {
    h264?.finish()
    #if HEVC
      do { try hevc?.finish() } catch { throw .codec(file: file, reason: error.description) }
    #endif
  }

  /// The next picture in output order; nil when more units are needed (after ``finish()``: when none is left).
  mutating func nextFrame() throws(LivePhotoError) -> DecodedFrame? {
    if let next = h264?.nextPicture() {
      return DecodedFrame(image: next.image, tag: next.tag, damage: next.damage)
    }
    #if HEVC
      do {
        if let next = try hevc?.nextPicture() {
          return DecodedFrame(image: next.image, tag: next.tag, damage: next.damage)
        }
      } catch { throw .codec(file: file, reason: error.description) }
    #endif
    return nil
  }
}
