import Foundation
import TestSupport

/// A packet with the place of its bytes, as FFmpeg sees it.
struct PlacedPacket: Decodable {
  var pts: Int?
  var dts: Int?
  var duration: Int?
  var size: Int
  var position: Int?
  var isKey: Bool
  /// Whether it is only there to decode others: the edit list leaves it out.
  var isDiscarded: Bool

  init(from decoder: any Decoder) throws {
    var fields = try decoder.unkeyedContainer()
    pts = try fields.decode(Int?.self)
    dts = try fields.decode(Int?.self)
    duration = try fields.decode(Int?.self)
    size = try fields.decode(Int.self)
    position = try fields.decode(Int?.self)
    isKey = try fields.decode(Int.self) == 1
    isDiscarded = try fields.decode(Int.self) == 1
  }
}

/// The packets of each track by track identifier, in decoding order; or why a file is not read.
struct JudgedMovie: Decodable {
  var error: String?
  var tracks: [String: [PlacedPacket]]

  func packets(_ track: UInt32) -> [PlacedPacket]? { tracks["\(track)"] }
}

/// The packets of movies as the current FFmpeg sees them.
///
/// PyAV is the judge and not the distribution's ffprobe: its FFmpeg is years newer (it reads fragments of encrypted
/// movies, xHE-AAC, `ipcm`), it says which packets an edit list leaves out, and one process reads all movies. It says
/// what the container does: nothing is taken from the samples' bytes or guessed.
func judgedMovies(_ paths: [String], ignoringEdits: Bool) throws -> [String: JudgedMovie] {
  // Streams with number 0 are no tracks: they are the covers in user data.
  let program = """
    import av, json, sys
    movies = {}
    for path in sys.stdin.read().splitlines():
      movie = {"tracks": {}}
      try:
        options = {"ignore_editlist": sys.argv[1], "fflags": "+noparse+nofillin"}
        with av.open(path, format="mov", options=options) as container:
          for stream in container.streams:
            if stream.id: movie["tracks"][str(stream.id)] = []
          for packet in container.demux():
            if packet.stream.id and not (packet.size == 0 and packet.pts is None and packet.dts is None):
              movie["tracks"][str(packet.stream.id)].append([packet.pts, packet.dts, packet.duration, packet.size,
                packet.pos, int(packet.is_keyframe), int(packet.is_discard)])
      except Exception as error: movie["error"] = str(error)
      movies[path] = movie
    json.dump(movies, sys.stdout)
    """
  let result = try python(
    program, [ignoringEdits ? "1" : "0"], input: Array(paths.map { $0 + "\n" }.joined().utf8))
  return try JSONDecoder().decode([String: JudgedMovie].self, from: Data(result.output))
}

/// The packets of each track of one movie by track identifier, in decoding order.
func placedPackets(of path: String, ignoringEdits: Bool = false) throws -> [UInt32: [PlacedPacket]] {
  let movie = try judgedMovies([path], ignoringEdits: ignoringEdits)[path]
  let pairs = (movie?.tracks ?? [:]).compactMap { id, packets in UInt32(id).map { ($0, packets) } }
  return Dictionary(uniqueKeysWithValues: pairs)
}

/// Neighbouring ranges joined, for comparing PCM, whose samples are copied many at a time.
func joined(_ ranges: some Sequence<Range<Int>>) -> [Range<Int>] {
  var result: [Range<Int>] = []
  for range in ranges where !range.isEmpty {
    if let last = result.last, last.upperBound == range.lowerBound {
      result[result.count - 1] = last.lowerBound..<range.upperBound
    } else {
      result.append(range)
    }
  }
  return result
}
