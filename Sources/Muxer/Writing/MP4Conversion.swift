import LivePhotoCore

/// QuickTime's boxes in the form that ISO/IEC 14496-12 has for them; all others are the same in both.
///
/// `meta` with keys stays a plain box, as phones write it in MP4 too: exiftool reads no other.
enum MP4Conversion {
  /// A media handler without QuickTime's component type, its name terminated in place of counted (8.4.3).
  static func handler(_ box: BoxHeader, _ bytes: ArraySlice<UInt8>) -> [UInt8] {
    let bytes = Array(bytes), fixed = box.headerSize + 24
    guard bytes.count >= fixed, bytes[box.headerSize + 4..<box.headerSize + 8].contains(where: { $0 != 0 }) else {
      return bytes
    }
    let name = bytes[fixed...].dropFirst().prefix(Int(bytes[fixed...].first ?? 0))
    var writer = ByteWriter()
    writer.fullBox("hdlr", version: 0, flags: 0) { writer in
      writer.writeUInt32(0)
      writer.write(bytes[box.headerSize + 8..<box.headerSize + 12])
      writer.writeZeros(12)
      writer.write(name.prefix { $0 != 0 })
      writer.writeUInt8(0)
    }
    return writer.bytes
  }

  /// A description of sound in version 0: QuickTime's further fields go, what they say being said otherwise.
  ///
  /// Of `wave`, which QuickTime puts around the decoder's configuration, the content stays. Uncompressed sound of other
  /// than 16-bit integers becomes `ipcm` and `fpcm` (ISO/IEC 23003-5). A description that has no such form stays.
  static func sound(_ description: SampleDescription) -> [UInt8] {
    guard let audio = description.audio, audio.version == 1 || audio.version == 2,
      (0..<65536).contains(audio.sampleRate), audio.channels < 65536
    else { return description.bytes }
    let form = pulseCode(description, audio)
    let wrapped = audio.extensions.filter { $0.type == "wave" }.flatMap { wave in
      var cursor = ByteCursor(wave.payload.span)
      return DescriptionExtension.list(parsing: &cursor).filter {
        // The box of the format's own name is empty in that of AAC, the configuration in Apple Lossless.
        !["frma", "enda", "mp4a", FourCC(rawValue: 0)].contains($0.type)
      }
    }
    let others = audio.extensions.filter { $0.type != "wave" && $0.type.rawValue != 0 }
    // Compressed sound without a configuration of its own kind has no form in MP4.
    guard form != nil || !(wrapped + others).isEmpty else { return description.bytes }
    var writer = ByteWriter()
    writer.box(form?.format ?? description.format) { writer in
      writer.writeZeros(6)
      writer.writeUInt16(description.dataReferenceIndex)
      writer.writeZeros(8)
      writer.writeUInt16(UInt16(audio.channels))
      writer.writeUInt16(form.map { UInt16($0.bits) } ?? 16)
      writer.writeZeros(4)
      writer.writeUInt32(UInt32(audio.sampleRate * 65536))
      if let form, form.format == "ipcm" || form.format == "fpcm" {
        writer.fullBox("pcmC", version: 0, flags: 0) { writer in
          writer.writeUInt8(form.isLittleEndian ? 1 : 0)
          writer.writeUInt8(UInt8(form.bits))
        }
      }
      for box in (form == nil ? wrapped : []) + others { writer.box(box.type, box.payload) }
    }
    return writer.bytes
  }

  /// How uncompressed sound is coded.
  private struct PulseCode {
    var format: FourCC
    var bits: Int
    var isLittleEndian: Bool
  }

  private static func pulseCode(_ description: SampleDescription, _ audio: AudioDescription) -> PulseCode? {
    let isSwapped = audio.extensions.contains { wave in
      guard wave.type == "wave" else { return false }
      var cursor = ByteCursor(wave.payload.span)
      return DescriptionExtension.list(parsing: &cursor).contains { $0.type == "enda" && $0.payload.last == 1 }
    }
    switch description.format {
    case "sowt" where audio.bitsPerSample == 16: return PulseCode(format: "sowt", bits: 16, isLittleEndian: true)
    case "twos" where audio.bitsPerSample == 16: return PulseCode(format: "twos", bits: 16, isLittleEndian: false)
    case "in24": return PulseCode(format: "ipcm", bits: 24, isLittleEndian: isSwapped)
    case "in32": return PulseCode(format: "ipcm", bits: 32, isLittleEndian: isSwapped)
    case "fl32": return PulseCode(format: "fpcm", bits: 32, isLittleEndian: isSwapped)
    case "fl64": return PulseCode(format: "fpcm", bits: 64, isLittleEndian: isSwapped)
    case "lpcm":
      // Version 2: behind bits a channel come the format's flags (float 1, big-endian 2, signed 4).
      var cursor = ByteCursor(description.bytes.span)
      guard audio.version == 2, (try? cursor.skip(60)) != nil, let flags = try? cursor.readUInt32(),
        [16, 24, 32, 64].contains(audio.bitsPerSample), audio.bytesPerFrame == audio.channels * audio.bitsPerSample / 8
      else { return nil }
      let isFloat = flags & 1 != 0, isLittle = flags & 2 == 0
      guard isFloat ? audio.bitsPerSample >= 32 : audio.bitsPerSample <= 32 && flags & 4 != 0 else { return nil }
      let integer: FourCC = audio.bitsPerSample == 16 ? isLittle ? "sowt" : "twos" : "ipcm"
      return PulseCode(format: isFloat ? "fpcm" : integer, bits: audio.bitsPerSample, isLittleEndian: isLittle)
    default: return nil
    }
  }
}
