import LivePhotoBitstream
import LivePhotoCore

/// Reads the NAL units of a byte stream (ITU-T H.264 and H.265, annex B) one after the other, holding one at a time.
struct AnnexBReader {
  private let source: any ByteSource
  private let largestUnit: Int
  /// What is read and not yet dropped.
  private var buffer: [UInt8] = []
  private var position = 0
  /// Where the next search for a start code goes on: between calls, at that of the next unit.
  private var searched = 0

  private static let pieceSize = 1 << 18

  init(_ source: any ByteSource, limits: Limits) {
    self.source = source
    largestUnit = limits.blobBytes
  }

  /// The part of the source that was read, 0 to 1.
  var progress: Double { Double(position) / Double(max(source.count, 1)) }

  /// The next unit, without start code and trailing zeros; nil at the end of the stream.
  ///
  /// - Throws: ``ParseError`` when the source cannot be read, or a unit is beyond the limits.
  mutating func next() throws(ParseError) -> [UInt8]? {
    var start: Int?
    while true {
      while let code = NALFraming.nextStartCode(in: buffer.span, from: searched) {
        searched = code + 3
        guard let first = start else {
          start = searched
          continue
        }
        let unit = Self.trimmed(buffer[first..<code])
        guard !unit.isEmpty else {
          start = searched
          continue
        }
        // The next unit begins here; what lies before goes once more is read, not each unit by itself.
        searched = code
        return unit
      }
      guard position < source.count else {
        let unit = start.map { Self.trimmed(buffer[$0...]) } ?? []
        (buffer, searched) = ([], 0)
        return unit.isEmpty ? nil : unit
      }
      // Before the unit, or the first start code, there is nothing of use any more.
      let used = start ?? max(buffer.count - 2, 0)
      searched = max(searched, buffer.count - 2) - used
      buffer.removeFirst(used)
      start = start.map { _ in 0 }
      guard buffer.count <= largestUnit else {
        throw .beyondLimit(
          "bytes of a NAL unit", found: buffer.count, limit: largestUnit, at: Place(offset: position))
      }
      let piece = position..<min(position + Self.pieceSize, source.count)
      buffer += try source.parseBytes(piece)
      position = piece.upperBound
    }
  }

  private static func trimmed(_ unit: ArraySlice<UInt8>) -> [UInt8] {
    Array(unit.prefix(upTo: (unit.lastIndex { $0 != 0 } ?? unit.startIndex - 1) + 1))
  }
}
