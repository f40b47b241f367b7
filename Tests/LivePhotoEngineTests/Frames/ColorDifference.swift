/// CIEDE2000 (ISO/CIE 11664-6) of sRGB pictures, as a function of Python.
enum ColorDifference {
  static let python = """
    import numpy as np

    def lab(rgb):
        c = np.asarray(rgb, dtype=np.float64) / 255
        c = np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)
        m = np.array([[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]])
        t = c @ m.T / np.array([0.95047, 1.0, 1.08883])
        f = np.where(t > 216 / 24389, np.cbrt(t), (24389 / 27 * t + 16) / 116)
        return np.stack([116 * f[..., 1] - 16, 500 * (f[..., 0] - f[..., 1]), 200 * (f[..., 1] - f[..., 2])], axis=-1)

    def ciede2000(first, second):
        a, b = lab(first), lab(second)
        l1, a1, b1 = a[..., 0], a[..., 1], a[..., 2]
        l2, a2, b2 = b[..., 0], b[..., 1], b[..., 2]
        mean = (np.hypot(a1, b1) + np.hypot(a2, b2)) / 2
        g = 0.5 * (1 - np.sqrt(mean ** 7 / (mean ** 7 + 25.0 ** 7)))
        a1, a2 = (1 + g) * a1, (1 + g) * a2
        c1, c2 = np.hypot(a1, b1), np.hypot(a2, b2)
        h1, h2 = np.degrees(np.arctan2(b1, a1)) % 360, np.degrees(np.arctan2(b2, a2)) % 360
        gray = c1 * c2 == 0
        dh = np.where(gray, 0, (h2 - h1 + 180) % 360 - 180)
        dl, dc, dh = l2 - l1, c2 - c1, 2 * np.sqrt(c1 * c2) * np.sin(np.radians(dh / 2))
        h = np.where(np.abs(h1 - h2) > 180, (h1 + h2 + 360) / 2 % 360, (h1 + h2) / 2)
        h = np.where(gray, h1 + h2, h)
        l, c = (l1 + l2) / 2, (c1 + c2) / 2
        t = (1 - 0.17 * np.cos(np.radians(h - 30)) + 0.24 * np.cos(np.radians(2 * h))
             + 0.32 * np.cos(np.radians(3 * h + 6)) - 0.20 * np.cos(np.radians(4 * h - 63)))
        sl = 1 + 0.015 * (l - 50) ** 2 / np.sqrt(20 + (l - 50) ** 2)
        sc, sh = 1 + 0.045 * c, 1 + 0.015 * c * t
        rt = (-2 * np.sqrt(c ** 7 / (c ** 7 + 25.0 ** 7)) * np.sin(np.radians(60 * np.exp(-((h - 275) / 25) ** 2))))
        return np.sqrt((dl / sl) ** 2 + (dc / sc) ** 2 + (dh / sh) ** 2 + rt * dc / sc * dh / sh)

    """
}
