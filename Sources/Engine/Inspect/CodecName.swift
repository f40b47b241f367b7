import LivePhotoCore
import LivePhotoMuxer

/// Codings in words.
enum CodecName {
  /// What a sample description's coding is called; of encrypted samples, what they are inside.
  static func name(of description: SampleDescription) -> String? {
    if let audio = description.audioFormat { return audio.name }
    return description.elementaryStreamName ?? names[description.coding]
  }

  private static let names: [FourCC: String] = [
    "avc1": "H.264", "avc2": "H.264", "avc3": "H.264", "avc4": "H.264", "dva1": "H.264", "dvav": "H.264",
    "hvc1": "HEVC", "hvc2": "HEVC", "hev1": "HEVC", "hev2": "HEVC", "dvh1": "HEVC", "dvhe": "HEVC",
    "vvc1": "VVC", "vvi1": "VVC", "evc1": "EVC", "av01": "AV1", "dav1": "AV1", "vp08": "VP8", "vp09": "VP9",
    "jpeg": "JPEG", "mjpg": "JPEG", "mjpa": "JPEG", "mjpb": "JPEG", "png ": "PNG", "s263": "H.263", "h263": "H.263",
    "apch": "ProRes 422 HQ", "apcn": "ProRes 422", "apcs": "ProRes 422 LT", "apco": "ProRes 422 Proxy",
    "ap4h": "ProRes 4444", "ap4x": "ProRes 4444 XQ", "aprn": "ProRes RAW", "aprh": "ProRes RAW HQ",
    "rle ": "Animation", "SVQ3": "Sorenson Video 3", "SVQ1": "Sorenson Video", "cvid": "Cinepak",
    "uncv": "uncompressed",
    "2vuy": "uncompressed", "v210": "uncompressed", "raw ": "uncompressed",
    "text": "QuickTime text", "tx3g": "3GPP timed text", "wvtt": "WebVTT", "stpp": "TTML", "c608": "CEA-608 captions",
    "c708": "CEA-708 captions", "tmcd": "time code", "mebx": "boxed metadata", "mett": "text metadata",
    "metx": "XML metadata", "urim": "metadata by URI", "it35": "ITU-T T.35 metadata", "rtmd": "Sony metadata",
    "gpmd": "GoPro metadata", "camm": "camera motion metadata",
  ]
}
