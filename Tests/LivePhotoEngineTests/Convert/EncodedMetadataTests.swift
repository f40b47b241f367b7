#if HEVC
  import LivePhotoCore
  import LivePhotoEngine
  import LivePhotoJPEG
  import TestSupport
  import Testing

  /// What describes a picture goes along when it is encoded anew, and stays true of it: judged by exiftool.
  @Suite struct EncodedMetadataTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A JPEG of 64 × 48 pixels that is shown turned, with all kinds of metadata.
    private func described(_ orientation: Orientation) throws -> String {
      var draft = ExifDraft(width: 64, height: 48)
      draft.orientation = orientation
      draft.make = "Example"
      draft.model = "Camera 1"
      let xmp = """
        <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">\
        <rdf:Description xmlns:tiff="http://ns.adobe.com/tiff/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/" \
        tiff:Orientation="\(orientation.rawValue)" dc:format="image/example"/></rdf:RDF></x:xmpmeta>
        """
      let image = PlanarImage.synthetic(width: 64, height: 48, format: PixelFormat(.yuv420), color: .jfif)
      let icc = try python(
        "import sys; from PIL import ImageCms; "
          + "sys.stdout.buffer.write(ImageCms.ImageCmsProfile(ImageCms.createProfile('sRGB')).tobytes())"
      ).output
      let bytes = try JPEGEncoder().encode(
        image, metadata: JPEGMetadata(exif: draft.makeBlock().bytes, xmp: Array(xmp.utf8), icc: icc))
      return try folder.write(bytes, as: "in.jpg")
    }

    @Test(.judged(by: .exiftool, .python), arguments: [Orientation.up, .right, .leftMirrored])
    func fromJPEGToHEICAndBack(orientation: Orientation) throws {
      let source = try described(orientation)
      let before = try tags(of: source)
      let heic = folder.path("out.heic"), jpeg = folder.path("out.jpg")
      #expect(try PictureEncoder().encode(source, as: .heic(), to: heic).warnings == [])
      #expect(try PictureEncoder().encode(heic, as: .jpeg(), to: jpeg).warnings == [])
      for (file, turned) in [(heic, orientation), (jpeg, .up)] {
        let after = try tags(of: file)
        for tag in [
          "IFD0:Make", "IFD0:Model", "XMP-dc:Format", "ICC-header:ProfileID", "ICC_Profile:ProfileDescription",
        ] {
          #expect(after[tag] == before[tag] && (after[tag] != nil || tag.hasPrefix("ICC-h")), "\(tag) of \(file)")
        }
        #expect(after["IFD0:Orientation"] == "\(turned.rawValue)")
        #expect(after["XMP-tiff:Orientation"] == "\(turned.rawValue)")
      }
      let swaps = orientation.swapsAxes
      #expect(try tags(of: jpeg)["ExifIFD:ExifImageWidth"] == (swaps ? "48" : "64"))
      #expect(try tags(of: heic)["ExifIFD:ExifImageWidth"] == "64")
      #expect(try tags(of: jpeg)["File:ImageWidth"] == (swaps ? "48" : "64"))
    }

    @Test(.judged(by: .exiftool, .python))
    func fromPNG() throws {
      let program = """
        import sys
        from PIL import Image
        exif = Image.Exif(); exif[0x010F] = 'Example'; exif[0x0112] = 6
        Image.new('RGB', (40, 30), (10, 200, 30)).save(sys.argv[1], exif=exif)
        """
      try python(program, [folder.path("in.png")])
      for (format, name) in [(StillFormat.heic(), "out.heic"), (.jpeg(), "out.jpg")] {
        let report = try PictureEncoder().encode(folder.path("in.png"), as: format, to: folder.path(name))
        #expect((report.width, report.height, report.warnings) == (30, 40, []))
        let after = try tags(of: folder.path(name))
        #expect(after["IFD0:Make"] == "Example")
        #expect(after["IFD0:Orientation"] == "1")
      }
    }

    /// Every tag of a camera's Exif, GPS and MakerNote, but for those of the form of the file.
    @Test(
      .needsCorpus, .judged(by: .exiftool),
      arguments: [Corpus.path("01-livephotos/iphone13pro", ".HEIC"), "01-livephotos/iphone7plus_waves.JPG"])
    func allTagsOfCameras(path: String) throws {
      let source = Corpus.file(path)
      let before = try tags(of: source)
      for (format, name) in [(StillFormat.heic(), "out.heic"), (.jpeg(), "out.jpg")] {
        let report = try PictureEncoder(threads: .allCores).encode(source, as: format, to: folder.path(name))
        let hasGainMap = before.keys.contains { $0.hasPrefix("XMP-HDRGainMap:") }
        let keepsGainMap = name == "out.heic"
        #expect(report.warnings.contains { $0.contains("gain map was left out") } == (hasGainMap && !keepsGainMap))
        let after = try tags(of: folder.path(name))
        let groups = ["IFD0:", "ExifIFD:", "GPS:", "Apple:", "XMP-"]
        let ofForm = ["Orientation", "ExifImageWidth", "ExifImageHeight"]
        for (tag, value) in before where groups.contains(where: tag.hasPrefix) {
          // The gain map has XMP of its own.
          guard !ofForm.contains(where: tag.hasSuffix), keepsGainMap || !tag.hasPrefix("XMP-HDRGainMap:") else {
            continue
          }
          #expect(after[tag] == value, "\(tag) in \(name)")
        }
        #expect(before.keys.contains { $0.hasPrefix("Apple:") })
      }
    }
  }
#endif
