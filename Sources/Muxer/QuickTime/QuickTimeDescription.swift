import LivePhotoBitstream
import LivePhotoCore

/// A sample entry of MP4 as QuickTime has it.
struct QuickTimeDescription {
  let track: Track
  let index: Int
  let source: any ByteSource

  /// The whole entry.
  ///
  /// - Returns: the entry, and why it keeps a name that QuickTime does not know; nil where it does not.
  func entry() -> (bytes: [UInt8], warning: String?) {
    let description = track.sampleDescriptions[index]
    switch description.format {
    case "hev1", "dvhe", "avc3": return renamedVideo(description)
    case "mp4a": return (soundOfVersionOne(description) ?? description.bytes, nil)
    default: return (description.bytes, nil)
    }
  }

  // MARK: Video

  /// `hev1` becomes `hvc1`, and `avc3` `avc1`, where every parameter set among the samples is or can be in the
  /// decoder's configuration (ISO/IEC 14496-15, 5.4.2.1.1 and 8.4.1.1.1).
  private func renamedVideo(_ description: SampleDescription) -> (bytes: [UInt8], warning: String?) {
    let isHEVC = description.format != "avc3"
    let names: [FourCC: FourCC] = ["hev1": "hvc1", "dvhe": "dvh1", "avc3": "avc1"]
    let type: FourCC = isHEVC ? "hvcC" : "avcC"
    guard let name = names[description.format], let payload = description.video?.configuration(type) else {
      return (description.bytes, nil)
    }
    do throws(ParseError) {
      var cursor = ByteCursor(payload.span)
      let new: [UInt8]
      if isHEVC {
        let configuration = try HEVCDecoderConfiguration(parsing: &cursor)
        let sets = try inBand(configuration.parameterSets, configuration.framing, isHEVC: true)
        guard sets.isConstant else { return (description.bytes, Self.changing(track, description)) }
        new = try configuration.adding(sets.units).bytes
      } else {
        let configuration = try AVCDecoderConfiguration(parsing: &cursor)
        let sets = try inBand(configuration.parameterSets, configuration.framing, isHEVC: false)
        guard sets.isConstant else { return (description.bytes, Self.changing(track, description)) }
        new = try configuration.adding(sets.units).bytes
      }
      return (try Self.replacing(type, by: new, in: description.bytes, name: name), nil)
    } catch {
      return (description.bytes, "track \(track.id) stays '\(description.format)': \(error)")
    }
  }

  private static func changing(_ track: Track, _ description: SampleDescription) -> String {
    "track \(track.id) stays '\(description.format)': its parameter sets change among its samples"
  }

  private func inBand(_ known: [[UInt8]], _ framing: NALFraming, isHEVC: Bool) throws(ParseError)
    -> InBandParameterSets
  {
    guard case .lengthPrefixed(let size) = framing else {
      throw .unsupported("samples with start codes", at: Place(offset: 0))
    }
    return try InBandParameterSets(
      of: track, description: index, known: known,
      coding: InBandParameterSets.Coding(lengthSize: size.rawValue, isHEVC: isHEVC), source: source)
  }

  /// An entry of video with another name and another payload of one box.
  private static func replacing(_ type: FourCC, by payload: [UInt8], in entry: [UInt8], name: FourCC)
    throws(ParseError) -> [UInt8]
  {
    var cursor = ByteCursor(entry.span)
    try cursor.skip(8)
    var writer = ByteWriter()
    try writer.box(name) { (writer) throws(ParseError) in
      writer.write(try cursor.readBytes(78))
      for box in try cursor.peekChildren() {
        let bytes = try cursor.readBytes(box.range.count)
        if box.type == type { writer.box(type, payload) } else { writer.copy(box, bytes) }
      }
      writer.write(cursor.readRemaining())
    }
    return writer.bytes
  }

  // MARK: Sound

  /// AAC as cameras describe it in QuickTime: version 1 with packets of varying size, `esds` in `wave` (QuickTime File
  /// Format, "Sound sample description, version 1").
  private func soundOfVersionOne(_ description: SampleDescription) -> [UInt8]? {
    guard let audio = description.audio, audio.version == 0, audio.sampleRate > 0, audio.channels > 0,
      let stream = audio.extensions.first(where: { $0.type == "esds" })
    else { return nil }
    var cursor = ByteCursor(description.bytes.span)
    guard (try? cursor.skip(16)) != nil, let fixed = try? cursor.readBytes(20) else { return nil }
    var writer = ByteWriter()
    writer.box("mp4a") { writer in
      writer.writeZeros(6)
      writer.writeUInt16(description.dataReferenceIndex)
      writer.writeUInt16(1)
      writer.write(fixed[2..<8])
      writer.writeUInt16(UInt16(clamping: audio.channels))
      writer.writeUInt16(16)
      // Packets of varying size.
      writer.writeInt16(-2)
      writer.writeUInt16(0)
      writer.write(fixed[16..<20])
      writer.writeUInt32(framesPerPacket(audio))
      writer.writeUInt32(audio.channels > 1 ? 1 : 2)
      writer.writeUInt32(2)
      writer.writeUInt32(2)
      writer.box("wave") { writer in
        writer.box("frma") { $0.writeFourCC("mp4a") }
        writer.box("mp4a") { $0.writeZeros(4) }
        writer.box("esds", stream.payload)
        writer.box(FourCC(rawValue: 0), [])
      }
      for box in audio.extensions where box.type != "esds" { writer.box(box.type, box.payload) }
    }
    return writer.bytes
  }

  /// The samples of sound that a packet has: as long as most of them last, else AAC's 1024.
  private func framesPerPacket(_ audio: AudioDescription) -> UInt32 {
    let delta = track.samples.timeRuns.first.map { Double($0.delta) * audio.sampleRate / Double(track.timescale) }
    guard let delta, [960, 1024, 1920, 2048].contains(delta.rounded()) else { return 1024 }
    return UInt32(delta.rounded())
  }
}
