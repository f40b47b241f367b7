public import LivePhotoCore

/// The values that one sample of boxed metadata holds (QuickTime File Format, "Timed metadata sample data format").
public struct TimedMetadataSample: Sendable {
  /// The values in order, each with its key.
  public let values: [(key: TimedMetadataKey, value: MetadataValue)]

  /// Reads a sample of a track whose description lists `keys`.
  ///
  /// Values whose number stands for no key are skipped: that is how a sample says that there is nothing.
  ///
  /// - Throws: ``ParseError`` when a value reaches beyond the sample.
  public init(parsing bytes: [UInt8], keys: [TimedMetadataKey]) throws(ParseError) {
    var cursor = ByteCursor(bytes.span)
    var values: [(key: TimedMetadataKey, value: MetadataValue)] = []
    let keys = Dictionary(keys.map { ($0.localID, $0) }, uniquingKeysWith: { first, _ in first })
    while cursor.remaining >= 8 {
      let place = cursor.place
      let size = Int(try cursor.readUInt32()), id = try cursor.readUInt32()
      guard size >= 8 else { throw .invalid("size of a value", found: "\(size)", expected: "at least 8", at: place) }
      let content = try cursor.readBytes(size - 8)
      guard id != 0, let key = keys[id] else { continue }
      let type = if case .wellKnown(let type) = key.dataType { type } else { UInt32(0) }
      values.append((key, MetadataValue(type: type, bytes: content)))
    }
    self.values = values
  }

  /// The value of a key, by its name.
  public subscript(name: String) -> MetadataValue? { values.first { $0.key.name == name }?.value }
}

extension Movie {
  /// Reads a sample of a boxed metadata track (`mebx`).
  ///
  /// - Throws: ``ParseError`` when the track is of another kind, or the sample is damaged, not in the file, or larger
  ///   than `limits` allows.
  public func timedMetadata(of track: Track, sample index: Int, limits: Limits = .standard) throws(ParseError)
    -> TimedMetadataSample
  {
    try track.timedMetadata(ofSample: index, in: source, limits: limits)
  }
}

extension Track {
  func timedMetadata(ofSample index: Int, in source: any ByteSource, limits: Limits) throws(ParseError)
    -> TimedMetadataSample
  {
    guard index >= 0, index < samples.count else { throw .missing("sample \(index)", at: Place(offset: 0)) }
    let sample = samples[index]
    let place = Place(offset: sample.offset)
    guard sampleDescriptions.indices.contains(sample.descriptionIndex) else {
      throw .missing("sample description \(sample.descriptionIndex + 1)", at: place)
    }
    let description = sampleDescriptions[sample.descriptionIndex]
    guard description.format == "mebx" else {
      throw .unsupported("metadata of type '\(description.format)'", at: place)
    }
    guard sample.size <= limits.blobBytes else {
      throw .beyondLimit("size of a metadata sample", found: sample.size, limit: limits.blobBytes, at: place)
    }
    return try TimedMetadataSample(parsing: try source.parseBytes(sample.range), keys: description.metadataKeys)
  }
}
