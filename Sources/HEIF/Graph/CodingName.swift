public import LivePhotoCore

extension FourCC {
  /// What an item's type says of how a picture is coded or made, in words; nil for a type that is not known here.
  public var codingName: String? {
    switch self {
    case "hvc1", "hev1": "HEVC"
    case "lhv1", "lhe1": "layered HEVC"
    case "hvt1": "a tile of HEVC"
    case "avc1", "avc3": "H.264"
    case "vvc1", "vvi1": "VVC"
    case "evc1": "EVC"
    case "av01": "AV1"
    case "jpeg", "mjpg": "JPEG"
    case "j2k1", "mj2s": "JPEG 2000"
    case "jxl ", "jxlc": "JPEG XL"
    case "jxs1", "jxsi": "JPEG XS"
    case "unci": "uncompressed samples"
    case "mski": "a mask"
    case "grid": "a grid of tiles"
    case "iovl": "an overlay"
    case "iden": "another picture, turned or cropped"
    case "tmap": "a tone map"
    default: nil
    }
  }
}
