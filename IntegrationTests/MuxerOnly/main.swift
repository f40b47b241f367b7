import LivePhotoCore
import LivePhotoMuxer

/// A movie with a header and no track, by hand.
func emptyMovie() -> [UInt8] {
  var writer = ByteWriter()
  FileType.quickTime.write(to: &writer)
  writer.box("moov") { writer in
    writer.fullBox("mvhd", version: 0, flags: 0) { writer in
      writer.writeZeros(8)
      writer.writeUInt32(600)
      writer.writeUInt32(1200)
      writer.writeUInt32(0x10000)
      writer.writeZeros(12)
      for value: Int32 in [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x4000_0000] { writer.writeInt32(value) }
      writer.writeZeros(24)
      writer.writeUInt32(1)
    }
  }
  return writer.bytes
}

let movie = try Movie(parsing: MemorySource(emptyMovie()))
guard movie.duration == RationalTime(2, 1), movie.tracks.isEmpty else { fatalError("the movie was read wrongly") }
print("it works")
