import Foundation
import LivePhotoCore
import TestSupport

/// PNG files of all kinds, written by a program of its own, and the samples that a reader should find in them.
struct GeneratedFiles {
  /// One file.
  struct Entry: Decodable {
    let name: String
    let width: Int
    let height: Int
    let channels: Int
    let bitDepth: Int
  }

  let folder: TemporaryFolder
  let entries: [Entry]

  /// Every colour type and depth, interlaced and not, with and without transparency, under all filters, in `sizes`.
  ///
  /// The program has Pillow read each of its own files of up to 8 bits, and FFmpeg those of 16, so that it is right.
  init(sizes: [(Int, Int)]) throws {
    folder = try TemporaryFolder()
    let list = sizes.map { "\($0.0)x\($0.1)" }.joined(separator: ",")
    let result = try python(Self.program, [folder.root, list])
    entries = try JSONDecoder().decode([Entry].self, from: Data(result.output))
  }

  func bytes(_ entry: Entry) throws -> [UInt8] { try readFile(folder.path(entry.name)) }

  /// The picture that a reader should see: words are little-endian in the generator's file.
  func expected(_ entry: Entry) throws -> RasterImage {
    let raw = try readFile(folder.path(entry.name + ".raw"))
    let samples: Plane.Samples =
      entry.bitDepth == 8
      ? .bytes(raw)
      : .words(stride(from: 0, to: raw.count, by: 2).map { UInt16(raw[$0]) | UInt16(raw[$0 + 1]) << 8 })
    return RasterImage(
      width: entry.width, height: entry.height, channels: RasterImage.Channels(rawValue: entry.channels) ?? .gray,
      bitDepth: entry.bitDepth, samples: samples)
  }

  private static let program = """
    import io, json, random, struct, subprocess, sys, zlib
    import numpy as np
    from PIL import Image
    folder, sizes = sys.argv[1], [tuple(map(int, s.split("x"))) for s in sys.argv[2].split(",")]
    r = random.Random(7)
    depths = {0: [1, 2, 4, 8, 16], 2: [8, 16], 3: [1, 2, 4, 8], 4: [8, 16], 6: [8, 16]}
    samples = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
    passes = [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]
    chunk = lambda t, d: struct.pack(">I", len(d)) + t + d + struct.pack(">I", zlib.crc32(t + d))
    def paeth(a, b, c):
        p = a + b - c
        return min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))[2]
    def rows(image, depth, distance):
        out, before = b"", None
        for row in image:
            bits = "".join(format(int(v), f"0{depth}b") for v in row.flatten())
            bits += "0" * (-len(bits) % 8)
            raw = [int(bits[i:i + 8], 2) for i in range(0, len(bits), 8)]
            up = before or [0] * len(raw)
            kind = r.randrange(5)
            out += bytes([kind])
            for i, x in enumerate(raw):
                a, c = (raw[i - distance], up[i - distance]) if i >= distance else (0, 0)
                b = up[i]
                out += bytes([(x - [0, a, b, (a + b) // 2, paeth(a, b, c)][kind]) % 256])
            before = raw
        return out
    entries = []
    for color, all_depths in depths.items():
      for depth in all_depths:
        for interlace in (0, 1):
          for clear in ((False, True) if color in (0, 2, 3) else (False,)):
            for width, height in sizes:
                count, top = samples[color], (1 << depth) - 1
                pixels = np.array([[[r.choice([r.randrange(top + 1), top, 0]) for _ in range(count)]
                    for _ in range(width)] for _ in range(height)])
                palette = [[r.randrange(256) for _ in range(3)] for _ in range(top + 1)] if color == 3 else []
                extra = b""
                if color == 3:
                    alpha = [r.randrange(256) for _ in range(r.randrange(1, top + 2))] if clear else []
                    table = np.array([p + [alpha[i] if i < len(alpha) else 255] for i, p in enumerate(palette)])
                    shown = table[pixels[..., 0]][..., :4 if clear else 3]
                    extra = chunk(b"PLTE", bytes(sum(palette, []))) + (chunk(b"tRNS", bytes(alpha)) if clear else b"")
                else:
                    shown = pixels * (255 // top) if depth < 8 else pixels
                    if clear:
                        key = pixels[0, 0]
                        extra = chunk(b"tRNS", b"".join(struct.pack(">H", int(v)) for v in key))
                        opaque = (pixels != key).any(axis=2) * (65535 if depth == 16 else 255)
                        shown = np.concatenate([shown, opaque[..., None]], axis=2)
                distance = max(1, depth * count // 8)
                data = b"".join(rows(pixels[y::dy, x::dx], depth, distance) for x, y, dx, dy in passes
                    if x < width and y < height) if interlace else rows(pixels, depth, distance)
                packed = zlib.compress(data, r.randrange(10))
                cut = r.randrange(len(packed) + 1)
                header = struct.pack(">IIBBBBB", width, height, depth, color, 0, 0, interlace)
                file = (b"\\x89PNG\\r\\n\\x1a\\n" + chunk(b"IHDR", header) + chunk(b"prVt", b"private") + extra
                    + chunk(b"IDAT", packed[:cut]) + chunk(b"IDAT", packed[cut:]) + chunk(b"IEND", b""))
                name = f"{color}-{depth}-{interlace}-{int(clear)}-{width}x{height}.png"
                wide = depth == 16
                open(f"{folder}/{name}", "wb").write(file)
                open(f"{folder}/{name}.raw", "wb").write(shown.astype("<u2" if wide else "u1").tobytes())
                if not wide:
                    mode = {1: "L", 2: "LA", 3: "RGB", 4: "RGBA"}[shown.shape[2]]
                    image = Image.open(io.BytesIO(file))
                    if color == 0 and depth in (2, 4): image.info.pop("transparency", None)
                    read = np.asarray(image.convert(mode if not (color == 0 and clear and depth in (2, 4)) else "L"))
                    want = shown if not (color == 0 and clear and depth in (2, 4)) else shown[..., :1]
                    assert (read.reshape(want.shape) == want).all(), ("Pillow", name)
                elif not clear:
                    form = {1: "gray16le", 2: "ya16le", 3: "rgb48le", 4: "rgba64le"}[count]
                    read = subprocess.run(["ffmpeg", "-v", "error", "-i", f"{folder}/{name}", "-f", "rawvideo",
                        "-pix_fmt", form, "-"], capture_output=True, check=True).stdout
                    assert read == shown.astype("<u2").tobytes(), ("FFmpeg", name)
                entries.append({"name": name, "width": width, "height": height, "channels": shown.shape[2],
                    "bitDepth": 16 if wide else 8})
    print(json.dumps(entries))
    """
}
