import Foundation
import TestSupport

/// What independent decoders and libjpeg-turbo's encoder say of a set of pictures.
struct Verdict: Decodable {
  /// Warnings and errors of any decoder.
  let complaints: [String]
  /// Mean error of all samples as PSNR in dB, ours and that of Pillow's encoder (libjpeg-turbo, islow).
  let psnr: Double, peerPSNR: Double
  /// Bytes of all files.
  let bytes: Int, peerBytes: Int
}

/// JPEG files with the pictures they were made from, to be judged in few processes.
struct JudgedSet {
  private let folder: TemporaryFolder
  private(set) var count = 0

  init() throws { folder = try TemporaryFolder() }

  /// Adds a file and its original as a PPM or PGM file; `peer` are Pillow's options for the same encoding.
  mutating func add(_ jpeg: [UInt8], original: [UInt8], quality: Int, subsampling: Int) throws {
    let name = String(format: "%05d", count)
    try _ = folder.write(jpeg, as: "\(name).jpg")
    try _ = folder.write(original, as: "\(name).ppm")
    try _ = folder.write(Array("\(quality) \(subsampling)".utf8), as: "\(name).txt")
    count += 1
  }

  /// Decodes every file with djpeg, Pillow and FFmpeg.
  func judge() throws -> Verdict {
    let result = try python(Self.program, [folder.root])
    return try JSONDecoder().decode(Verdict.self, from: Data(result.output))
  }

  private static let program = """
    import io, json, math, os, subprocess, sys, warnings
    import numpy as np
    from PIL import Image
    warnings.simplefilter("error")
    folder, complaints = sys.argv[1], []
    error, peer_error, samples, size, peer_size, stream = 0, 0, 0, 0, 0, b""
    for name in sorted(n[:-4] for n in os.listdir(folder) if n.endswith(".jpg")):
        path = os.path.join(folder, name)
        quality, subsampling = map(int, open(path + ".txt").read().split())
        original = Image.open(path + ".ppm")
        pixels = np.asarray(original).astype(int)
        data = open(path + ".jpg", "rb").read()
        stream += data
        size += len(data)
        djpeg = subprocess.run(["djpeg", "-dct", "int", path + ".jpg"], capture_output=True)
        if djpeg.returncode or djpeg.stderr:
            complaints.append(f"djpeg on {name}, {original.size}: {djpeg.stderr}")
            continue
        try:
            ours = np.asarray(Image.open(io.BytesIO(data))).astype(int)
        except Exception as problem:
            complaints.append(f"Pillow on {name}, {original.size}: {problem}")
            continue
        theirs = np.asarray(Image.open(io.BytesIO(djpeg.stdout))).astype(int)
        if ours.shape != pixels.shape or np.abs(ours - theirs).max() > 3:
            complaints.append(f"{name}: {pixels.shape} decoded as {ours.shape}, decoders differ")
            continue
        peer = io.BytesIO()
        if subsampling < 3:
            original.save(peer, "JPEG", quality=quality, subsampling=subsampling)
        peer_pixels = np.asarray(Image.open(peer)).astype(int) if subsampling < 3 else ours
        peer_size += len(peer.getvalue()) if subsampling < 3 else len(data)
        error += ((ours - pixels) ** 2).sum()
        peer_error += ((peer_pixels - pixels) ** 2).sum()
        samples += pixels.size
    # FFmpeg's probing finds no EOI in a file under 2 KB, whoever wrote it: a larger one of Pillow's goes first.
    opening = io.BytesIO()
    Image.effect_noise((256, 256), 80).save(opening, "JPEG")
    ffmpeg = subprocess.run(["ffmpeg", "-v", "warning", "-f", "image2pipe", "-c:v", "mjpeg", "-i", "-",
        "-autoscale", "0", "-fps_mode", "passthrough", "-f", "null", "-"], input=opening.getvalue() + stream,
        capture_output=True)
    # The opening's sampling may be another, and FFmpeg then speaks of its own conversion.
    lines = [l for l in ffmpeg.stderr.decode().splitlines() if "deprecated pixel format used" not in l]
    if ffmpeg.returncode or lines:
        complaints.append(f"ffmpeg: {lines[:5]}")
    db = lambda e: 10 * math.log10(255 ** 2 * samples / e) if e else 99
    print(json.dumps({"complaints": complaints, "psnr": db(error), "peerPSNR": db(peer_error), "bytes": size,
        "peerBytes": peer_size}))
    """
}
