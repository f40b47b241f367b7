import Foundation
import LivePhotoCore
import TestSupport
import Testing

/// A movie of 10 GiB with a million frames, all of them between holes of a sparse file.
@Suite struct LargeMovieTests {
  static let samples = 1_000_000
  static let mediaEnd = 10 << 30

  /// It opens in less than 100 MiB; how long that takes is printed, since it depends on what else runs.
  @Test(.judged(by: .python), arguments: [false, true])
  func opensInLittleMemory(isReordered: Bool) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("large.mov")
    try Self.write(to: path, isReordered: isReordered)
    // The child's own peak, which the system counts.
    let program = """
      import resource, subprocess, sys, time
      start = time.perf_counter()
      result = subprocess.run([sys.argv[1], 'inspect', sys.argv[2]], stdout=subprocess.PIPE)
      print(result.returncode, int((time.perf_counter() - start) * 1000),
        resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
      print(result.stdout.decode())
      """
    let lines = try python(program, [EndToEndTests.tool, path]).lines
    let numbers = try #require(lines.first).split(separator: " ").compactMap { Int($0) }
    try #require(numbers.count == 3 && numbers[0] == 0)
    #expect(lines.contains { $0.contains("video hvc1 (HEVC), 1000000 samples, 16683.333 s") }, "\(lines)")
    // On Linux in KiB; two-sided, so that the test measures what it says.
    #expect((8 << 10..<100 << 10).contains(numbers[2]), "\(numbers[2]) KiB")
    print("a movie of 10 GiB, \(isReordered ? "reordered" : "in order"): \(numbers[1]) ms, \(numbers[2]) KiB")
  }

  /// Media of 10 GiB that is one hole, then `moov` with an entry a sample in `stsz`, `co64` and, if reordered, `ctts`.
  private static func write(to path: String, isReordered: Bool) throws {
    var start = ByteWriter()
    start.box("ftyp") { $0.writeUTF8("qt  \0\0\0\0qt  ") }
    let mediaStart = start.bytes.count
    start.writeUInt32(1)
    start.writeFourCC("mdat")
    start.writeUInt64(UInt64(mediaEnd - mediaStart))
    var header = ByteWriter()
    header.box("moov") { writer in
      writer.fullBox("mvhd", version: 0, flags: 0) { writer in
        for value in [0, 0, 60_000, duration, 0x10000, 0x100_0000, 0, 0] { writer.writeUInt32(value) }
        MovieMatrix.identity.write(to: &writer)
        writer.writeZeros(24)
        writer.writeUInt32(2)
      }
      writer.box("trak") { writeTrack(to: &$0, isReordered: isReordered) }
    }
    try writeFile(path, start.bytes)
    let handle = try #require(FileHandle(forWritingAtPath: path))
    try handle.seek(toOffset: UInt64(mediaEnd))
    try handle.write(contentsOf: header.bytes)
    try handle.close()
  }

  private static let duration = UInt32(samples) * 1001

  private static func writeTrack(to writer: inout ByteWriter, isReordered: Bool) {
    writer.fullBox("tkhd", version: 0, flags: 7) { writer in
      for value in [0, 0, 1, 0, duration, 0, 0, 0, 0] { writer.writeUInt32(value) }
      MovieMatrix.identity.write(to: &writer)
      for side in [1920, 1080] as [UInt32] { writer.writeUInt32(side << 16) }
    }
    writer.box("mdia") { writer in
      writer.fullBox("mdhd", version: 0, flags: 0) { writer in
        for value in [0, 0, 60_000, duration, 0x55C4_0000] { writer.writeUInt32(value) }
      }
      writer.fullBox("hdlr", version: 0, flags: 0) { $0.writeUTF8("mhlrvide\0\0\0\0\0\0\0\0\0\0\0\0\0") }
      writer.box("minf") { writer in writer.box("stbl") { writeTables(to: &$0, isReordered: isReordered) } }
    }
  }

  private static func writeTables(to writer: inout ByteWriter, isReordered: Bool) {
    let count = UInt32(samples)
    func table(_ type: FourCC, _ rows: some Sequence<UInt32>, head: [UInt32] = [], rowCount: UInt32) {
      writer.fullBox(type, version: 0, flags: 0) { writer in
        for value in head + [rowCount] { writer.writeUInt32(value) }
        for value in rows { writer.writeUInt32(value) }
      }
    }
    writer.fullBox("stsd", version: 0, flags: 0) { writer in
      writer.writeUInt32(1)
      writer.box("hvc1") { writer in
        writer.write([0, 0, 0, 0, 0, 0, 0, 1] + [UInt8](repeating: 0, count: 16))
        for side in [1920, 1080] as [UInt16] { writer.writeUInt16(side) }
        writer.writeZeros(50)
      }
    }
    table("stts", [count, 1001], rowCount: 1)
    if isReordered {
      // I P B B: no two neighbours have one offset.
      let offsets = [1001, 3003, 0, 0].map { UInt32($0) }
      table("ctts", (0..<samples).lazy.flatMap { [1, offsets[$0 % 4]] }, rowCount: count)
    }
    table("stss", (0..<samples / 60).lazy.map { UInt32($0 * 60 + 1) }, rowCount: count / 60)
    table("stsc", [1, 1, 1], rowCount: 1)
    table("stsz", (0..<samples).lazy.map { UInt32(1000 + $0 % 5000) }, head: [0], rowCount: count)
    writer.fullBox("co64", version: 0, flags: 0) { writer in
      writer.writeUInt32(count)
      let distance = (mediaEnd - 64) / samples
      for index in 0..<samples { writer.writeUInt64(UInt64(48 + index * distance)) }
    }
  }
}
