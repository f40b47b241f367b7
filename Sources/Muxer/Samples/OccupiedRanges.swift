import LivePhotoCore

/// The parts of a file that samples of some tracks take.
struct OccupiedRanges {
  /// Sorted, and apart from each other.
  let ranges: [Range<Int>]

  init(of tracks: [Track]) {
    var all: [Range<Int>] = []
    for track in tracks {
      track.forEachOccupiedRange { range in
        if let last = all.last, last.upperBound == range.lowerBound {
          all[all.count - 1] = last.lowerBound..<range.upperBound
        } else if !range.isEmpty {
          all.append(range)
        }
      }
    }
    all.sort { $0.lowerBound < $1.lowerBound }
    var joined: [Range<Int>] = []
    for range in all {
      if let last = joined.last, range.lowerBound <= last.upperBound {
        joined[joined.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
      } else {
        joined.append(range)
      }
    }
    ranges = joined
  }

  /// Whether a part of the file has bytes of samples.
  func overlap(_ part: Range<Int>) -> Bool {
    let next = ranges.partitioningIndex { $0.upperBound > part.lowerBound }
    return next < ranges.count && ranges[next].lowerBound < part.upperBound
  }
}

extension Track {
  /// Calls `body` with the bytes of each chunk: where the description of sound and its table disagree, as far as
  /// either reaches, but for the size 1, with which QuickTime says nothing.
  fileprivate func forEachOccupiedRange(_ body: (Range<Int>) -> Void) {
    let packing = soundPacking
    let saysNothing = packing != nil && samples.sizes.constant == 1
    for chunk in samples.chunks(of: 0..<samples.count) {
      let range = samples.bytes(of: chunk, packing: packing)
      let stated = saysNothing ? range : samples.bytes(of: chunk, packing: nil)
      body(range.lowerBound..<max(range.upperBound, stated.upperBound))
    }
  }

  /// Whether ``OccupiedRanges`` has all bytes of the samples: those of sound are not known where its table says 1 for
  /// a coding that does not say its packets, or where table and description disagree.
  var hasKnownRanges: Bool {
    guard kind == .audio, let stated = samples.sizes.constant else { return statesSampleSizes }
    if soundPacking != nil { return stated == 1 && sampleDescriptions.count == 1 }
    return statesSampleSizes && (stated > 1 || describedPacking == SoundPacking(samples: 1, bytes: 1))
  }
}

extension SizeColumn {
  /// The size of all samples, where the table has only one.
  fileprivate var constant: Int? { if case .constant(let size) = self { size } else { nil } }
}
