import LivePhotoCore
import LivePhotoEngine
import TestSupport
import Testing

@Suite struct InspectTests {
  /// The graph of a phone's HEIC, as exiftool's dump of its boxes shows it.
  @Test(.needsCorpus) func picturesOfAPhonesHEIC() throws {
    let report = try FileInspector().inspect(Corpus.file("01-livephotos/iphone15plus_IMG_3853.HEIC"))
    let photo = try #require(report.photo), pictures = try #require(photo.pictures)
    #expect(pictures.map(\.role) == ["primary", "thumbnail", "gain map", "tone-mapped form"])
    #expect(pictures.map(\.coding) == ["grid of hvc1", "hvc1", "grid of hvc1", "tmap of grid"])
    #expect(pictures[0].grid == photo.grid)
    #expect(photo.grid?.rows == 5 && photo.grid?.columns == 9)
    #expect(photo.grid?.tile == DisplaySize(width: 640, height: 896))
    #expect(pictures[2].bitsPerChannel == [8])
    #expect(photo.groups?.map(\.type) == ["altr"])
    #expect(photo.groups?.map(\.items) == [[pictures[3].item, pictures[0].item]])
  }

  /// The thumbnails of the primary picture.
  @Test(.needsCorpus, .judged(by: .python)) func pillowFindsTheSameThumbnails() throws {
    let files = Corpus.files(in: "02-heif", extensions: ["heic", "heif"])
    let program = """
      import sys, pillow_heif
      for path in sys.argv[1:]:
          try:
              file = pillow_heif.open_heif(path)
              print(len(file[file.primary_index].info.get('thumbnails', [])))
          except Exception: print('-')
      """
    let lines = try python(program, files.map(Corpus.file)).lines
    var compared = 0
    for (file, line) in zip(files, lines) {
      guard let count = Int(line), let pictures = try? FileInspector().inspect(Corpus.file(file)).photo?.pictures
      else { continue }
      // One file shows a thumbnail; pillow-heif then shows what it is one of.
      guard pictures.first?.role == "primary" else { continue }
      compared += 1
      #expect(pictures.filter { $0.role == "thumbnail" }.count == count, "\(file)")
    }
    #expect(compared > 20)
  }
}
