import LivePhotoCore
import LivePhotoJPEG
import TestSupport
import Testing

@Suite("JPEG decoder and damage")
struct DecoderDamageTests {
  /// cjpeg's options for the files that are damaged.
  static let options = ["-sample 2x2 -restart 3B", "-progressive -sample 2x2", "-progressive -sample 2x1 -restart 1"]

  private static func sample(_ options: String) throws -> [UInt8] {
    let folder = try TemporaryFolder()
    let path = try folder.write(TestPicture(.smooth, width: 67, height: 45).netpbm(), as: "a.ppm")
    return try Judge.cjpeg.ask(options.split(separator: " ").map(String.init) + [path]).output
  }

  @Test(
    "a file that was cut off shows what djpeg shows of it, and says so", .judged(by: .cjpeg, .djpeg),
    arguments: options)
  func truncated(_ options: String) throws {
    let jpeg = try Self.sample(options)
    let scan = try #require(try JPEGFile(parsing: MemorySource(jpeg)).first(.scanHeader)).range.upperBound
    let folder = try TemporaryFolder()
    let parts = truncations(of: jpeg, count: 200).filter { $0.count >= scan }
    let paths = try parts.map { try folder.write($0, as: "\($0.count).jpg") }
    var same = 0, compared = 0
    for (part, judged) in zip(parts, try djpeg(paths)) {
      let picture = try JPEGDecoder().decode(part)
      #expect(!picture.warnings.isEmpty)
      #expect(throws: JPEGError.self) { try JPEGDecoder(isStrict: true).decode(part) }
      // djpeg shows nothing where a later header is cut off.
      guard let judged else { continue }
      compared += 1
      if try netpbm(picture.raster()) == judged { same += 1 }
    }
    #expect(compared > 50)
    // Zeros in place of what is missing may make coefficients so large that libjpeg-turbo's 16-bit kernels wrap.
    #expect(same >= compared - 2)
  }

  @Test("every truncation and 2000 damaged copies are decoded or refused", arguments: options)
  func hostile(_ options: String) throws {
    let jpeg = try Self.sample(options)
    for part in truncations(of: jpeg) { try attempt(part) }
    for copy in damagedCopies(of: jpeg, count: 700, seed: 11) { try attempt(copy) }
  }

  /// Decodes within narrow limits; the size of the result is then right.
  private func attempt(_ bytes: [UInt8]) throws {
    var limits = Limits.standard
    limits.pixels = 1 << 16
    limits.decodedBytes = 1 << 20
    guard let picture = try? JPEGDecoder(limits: limits).decode(bytes), let raster = try? picture.raster() else {
      return
    }
    #expect(raster.samples.count == picture.width * picture.height * raster.channels.rawValue)
    _ = picture.planarImage()
  }

  @Test("a byte damaged into a reserved marker costs no more than its restart interval", .judged(by: .cjpeg))
  func strayMarker() throws {
    let jpeg = try Self.sample("-sample 1x1 -restart 1")
    let file = try JPEGFile(parsing: MemorySource(jpeg))
    let data = try #require(file.first(.scanData)).range
    var bytes = jpeg
    (bytes[data.lowerBound + 4], bytes[data.lowerBound + 5]) = (0xFF, 0x34)
    let whole = try JPEGDecoder().decode(jpeg).raster(), damaged = try JPEGDecoder().decode(bytes)
    let rows = try damaged.raster().cropped(columns: 0..<67, rows: 8..<45)
    #expect(rows == whole.cropped(columns: 0..<67, rows: 8..<45))
    #expect(!damaged.warnings.isEmpty)
  }

  @Test("limits on pixels, memory and scans hold")
  func limits() throws {
    let jpeg = try Self.sample("-progressive")
    func error(_ change: (inout Limits) -> Void) -> String {
      var limits = Limits.standard
      change(&limits)
      do { return "\(try JPEGDecoder(limits: limits).decode(jpeg))" } catch { return "\(error)" }
    }
    #expect(error { $0.pixels = 3014 }.contains("number of pixels is 3015"))
    #expect(error { $0.pictureSide = 66 }.contains("side is 67"))
    #expect(error { $0.decodedBytes = 20_000 }.contains("memory"))
    #expect(error { $0.scans = 9 }.contains("number of scans is 10"))
    // Scans that bring nothing, each over the whole picture.
    let file = try JPEGFile(parsing: MemorySource(jpeg))
    let last = try #require(file.segments.last { $0.kind == .scanHeader }).range
    let more = (0..<400).flatMap { _ -> [UInt8] in Array(jpeg[last]) }
    let bomb: [UInt8] = Array(jpeg[..<(jpeg.count - 2)]) + more + [0xFF, 0xD9]
    var limits = Limits.standard
    limits.pixels = 4000
    #expect(throws: JPEGError.self) { try JPEGDecoder(limits: limits).decode(bomb) }
  }

  @Test("codings that are not read are named", arguments: [(3, "lossless"), (9, "arithmetic"), (5, "hierarchical")])
  func unsupported(_ process: Int, _ name: String) throws {
    var bytes = try TestPicture(.smooth, width: 9, height: 9).encoded(JPEGEncoder())
    let frame = try #require(try JPEGFile(parsing: MemorySource(bytes)).first(.frameHeader)).range.lowerBound
    bytes[frame + 1] = 0xC0 + UInt8(process)
    do {
      _ = try JPEGDecoder().decode(bytes)
      Issue.record("it was decoded")
    } catch {
      #expect(error.description.contains(name))
    }
  }

  @Test("malformed files of the corpus do not crash the decoder", .needsCorpus)
  func malformed() throws {
    var limits = Limits.standard
    limits.pixels = 1 << 24
    for path in Corpus.files(in: "07-malformed") {
      guard let picture = try? JPEGDecoder(limits: limits).decode(Corpus.bytes(path)) else { continue }
      _ = try? picture.raster()
    }
  }
}
