import Foundation
import LivePhotoCore
import LivePhotoEngine
import LivePhotoHEVC
import LivePhotoMuxer

/// Two seconds of grey that becomes brighter, small enough for an unoptimised build.
func makeClip() throws -> [UInt8] {
  let (side, frames) = (128, 60)
  var session = try HEVCEncoder(rateFactor: 24, preset: .ultrafast).session(
    width: side, height: side, format: PixelFormat(.yuv420), color: .unspecified, rate: (30, 1), bPictures: 0)
  var track = NewVideoTrack(codec: "hvc1", width: UInt16(side), height: UInt16(side), timescale: 600)
  track.configuration = ("hvcC", try session.configuration().bytes)
  var units: [HEVCAccessUnit] = []
  for index in 0..<frames {
    let image = PlanarImage(
      width: side, height: side, format: PixelFormat(.yuv420), fill: [UInt16(index * 4), 128, 128])
    units += try session.encode(image, at: Int64(index) * 20)
  }
  units += try session.finish()
  track.samples = units.map { NewSample(bytes: $0.bytes, duration: 20, isSync: $0.isIDR) }
  return try NewMovie(track: track).plan().materialized()
}

let folder = CommandLine.arguments[1]
let clip = folder + "/clip.mov"
try Data(try makeClip()).write(to: URL(filePath: clip))
for (stem, format) in [("heic", StillFormat.heic()), ("jpeg", .jpeg())] {
  let pair = try LivePhotoMaker().make(
    from: clip, still: .at(.fraction(0.25)), format: format, into: PairDestination(folder: folder, stem: stem))
  let report = try PairVerifier().verify(photo: pair.photo, movie: pair.movie)
  guard report.errors.isEmpty, pair.stillTime == RationalTime(1, 2) else { fatalError("\(pair) \(report)") }
}
print("it works")
