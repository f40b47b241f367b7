public import LivePhotoCore

/// The sample by which a Live Photo's movie says which moment its still shows.
public struct StillImageMarker: Sendable {
  /// The track that holds it.
  public let trackID: UInt32
  /// The sample, counted from 0 in its track.
  public let sampleIndex: Int
  /// When the sample is presented, through the edit list: the moment of the still; nil when it never is.
  public let time: RationalTime?
  /// What the sample holds under `still-image-time`: -1 from cameras, and of no meaning.
  public let value: MetadataValue
  /// How the still's picture maps to the frame's, row by row; nil when not said.
  public let transform: [Double]?
  /// The dimensions that ``transform`` is meant for; nil when not said.
  public let referenceDimensions: Dimensions?
  /// The keys of the sample's description.
  public let keys: [TimedMetadataKey]

  /// How many bytes of samples are looked at before a movie is given up: empty samples may come first, but few.
  static let searchedBytes = 4 << 20

  /// The marker of a track: none or one.
  ///
  /// - Parameter budget: bytes of samples that may still be looked at.
  static func markers(of track: Track, in source: any ByteSource, budget: inout Int, limits: Limits)
    throws(ParseError) -> [StillImageMarker]
  {
    let name = MetadataName.stillImageTime
    guard track.sampleDescriptions.contains(where: { $0.metadataKeys.contains { $0.name == name } }) else { return [] }
    for index in track.samples.indices {
      budget -= max(track.samples[index].size, 8)
      guard budget >= 0 else {
        throw .beyondLimit(
          "metadata before the first still-image-time", found: searchedBytes - budget,
          limit: searchedBytes, at: Place(offset: track.samples[index].offset))
      }
      let sample = try track.timedMetadata(ofSample: index, in: source, limits: limits)
      guard let value = sample[name] else { continue }
      let description = track.sampleDescriptions[track.samples[index].descriptionIndex]
      var transform: [Double]?
      if case .perspectiveTransform(let numbers)? = sample[MetadataName.stillImageTransform] { transform = numbers }
      var reference: Dimensions?
      if case .dimensions(let width, let height)? = sample[MetadataName.stillImageReferenceDimensions] {
        reference = Dimensions(width: width, height: height)
      }
      return [
        StillImageMarker(
          trackID: track.id, sampleIndex: index, time: track.presentationTime(ofSample: index), value: value,
          transform: transform, referenceDimensions: reference, keys: description.metadataKeys)
      ]
    }
    return []
  }
}
