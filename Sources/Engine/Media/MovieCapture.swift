import LivePhotoCore
import LivePhotoMuxer

/// What a movie says about the moment, the place and the camera: what its still inherits.
struct MovieCapture {
  var date: CaptureDate?
  var position: GPSPosition?
  var make: String?
  var model: String?
  var software: String?

  /// Reads the movie's metadata; the header's clock, in UTC, stands in for a missing creation date.
  init(of movie: Movie) {
    func text(_ keys: String...) -> String? {
      keys.lazy.compactMap { movie.metadata[$0]?.text }.first { !$0.isEmpty }
    }
    func classic(_ type: FourCC) -> String? { movie.userData[type]?.text.flatMap { $0.isEmpty ? nil : $0 } }
    let key = { (name: String) in "com.apple.quicktime.\(name)" }
    date =
      (text(key("creationdate")) ?? classic("©day")).flatMap(CaptureDate.init(quickTime:))
      ?? CaptureDate(movieHeader: movie.header.creationTime)
    position = (text(key("location.ISO6709")) ?? classic("©xyz")).flatMap(GPSPosition.init(iso6709:))
    make = text(key("make"), "com.android.manufacturer") ?? classic("©mak")
    model = text(key("model"), "com.android.model") ?? classic("©mod")
    software = text(key("software")) ?? classic("©swr")
  }

  /// The same without what is to be left out.
  func stripping(_ what: MetadataStripping?) -> MovieCapture {
    var capture = self
    if what != nil { capture.position = nil }
    if what == .all {
      (capture.date, capture.make, capture.model, capture.software) = (nil, nil, nil, nil)
    }
    return capture
  }

  /// What is to be told about what goes along.
  var warnings: [String] {
    position == nil ? [] : ["the clip's position (latitude and longitude) went along into the still"]
  }

  /// The Exif of a still that shows the frame presented `stillTime` into the movie.
  func exif(
    width: Int, height: Int, orientation: Orientation, isSRGB: Bool, stillTime: RationalTime,
    identifier: ContentIdentifier?
  ) -> ExifBlock {
    var draft = ExifDraft(width: width, height: height)
    draft.orientation = orientation
    draft.make = make
    draft.model = model
    draft.software = software
    draft.position = position
    draft.isSRGB = isSRGB
    draft.time = date?.advanced(by: stillTime.seconds).exifTime
    draft.makerNote = identifier.map { AppleMakerNote(contentIdentifier: $0) }
    return draft.makeBlock()
  }
}

extension CaptureDate {
  /// The texts that Exif holds.
  var exifTime: ExifTime {
    ExifTime(dateTime: exifText, offset: exifOffset, subSeconds: exifSubseconds)
  }
}
