import TestSupport

/// What tests of every movie of the corpus share.
enum EveryMovie {
  /// Parts of the names of movies without all of their samples.
  static let cutOff = ["fragmented_uuid", "gomp4_sample_qt", "bipbop_nonfragment", "invalid_userdata"]

  /// The mean CIEDE2000 of the still as Pillow and pillow-heif show it and of the frame as FFmpeg does, turned and cropped.
  static let comparison =
    ColorDifference.python + """
      import subprocess, sys, pillow_heif
      ffmpeg, clip, still, number = sys.argv[1:5]
      from PIL import Image, ImageOps
      shown = (ImageOps.exif_transpose(Image.open(still)) if open(still, 'rb').read(2) == b'\\xff\\xd8'
          else pillow_heif.open_heif(still, convert_hdr_to_8bit=True).to_pillow())
      shown = np.array(shown.convert('RGB'))
      raw = subprocess.run([ffmpeg, '-v', 'error', '-ignore_editlist', '1', '-i', clip, '-map', '0:v:0', '-vf',
          f"select='eq(n,{number})',scale=flags=accurate_rnd+full_chroma_int+neighbor", '-frames:v', '1', '-f', 'rawvideo',
          '-pix_fmt', 'rgb24', '-'], capture_output=True, check=True).stdout
      height, width = shown.shape[:2]
      if len(raw) != width * height * 3:
          print(f'{len(raw)} bytes for {width}x{height}')
      else:
          print(ciede2000(shown, np.frombuffer(raw, np.uint8).reshape(height, width, 3)).mean())
      """
}
