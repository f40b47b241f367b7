import LivePhotoCore
import TestSupport
import Testing

@Suite struct ICCProfileTests {
  /// What LittleCMS makes of colours in a profile, against arithmetic of its own from the points of H.273.
  @Test(
    .judged(by: .python, .exiftool),
    arguments: [
      (1, [0.640, 0.330, 0.300, 0.600, 0.150, 0.060]), (5, [0.64, 0.33, 0.29, 0.60, 0.15, 0.06]),
      (6, [0.630, 0.340, 0.310, 0.595, 0.155, 0.070]), (9, [0.708, 0.292, 0.170, 0.797, 0.131, 0.046]),
      (12, [0.680, 0.320, 0.265, 0.690, 0.150, 0.060]), (22, [0.630, 0.340, 0.295, 0.605, 0.155, 0.077]),
    ] as [(UInt16, [Double])])
  func littleCMSReadsTheColours(primaries: UInt16, points: [Double]) throws {
    let profile = try #require(ICCProfile.display(ColorDescription(primaries: primaries, transfer: 1)))
    let folder = try TemporaryFolder()
    let path = try folder.write(profile, as: "a.icc")
    let program = """
      import sys, numpy as n
      from PIL import Image, ImageCms
      points = [float(v) for v in sys.argv[2].split()]
      def matrix(p):
          columns = n.array([[x / y, 1, (1 - x - y) / y] for x, y in zip(p[::2], p[1::2])]).T
          return columns * n.linalg.solve(columns, [0.3127 / 0.3290, 1, (1 - 0.3127 - 0.3290) / 0.3290])
      srgb = matrix([0.640, 0.330, 0.300, 0.600, 0.150, 0.060])
      linear = lambda v: n.where(v <= 0.04045, v / 12.92, ((v + 0.055) / 1.055) ** 2.4)
      coded = lambda v: n.where(v <= 0.0031308, v * 12.92, 1.055 * n.maximum(v, 1e-9) ** (1 / 2.4) - 0.055)
      # Colours that both gamuts hold.
      pixels = n.random.default_rng(1).integers(110, 150, (64, 64, 3)).astype(n.uint8)
      expected = coded(n.linalg.inv(srgb) @ matrix(points) @ linear(pixels / 255).reshape(-1, 3).T)
      profiles = ImageCms.getOpenProfile(sys.argv[1]), ImageCms.createProfile('sRGB')
      shown = n.asarray(ImageCms.profileToProfile(Image.fromarray(pixels), *profiles, renderingIntent=1))
      print(n.abs(expected.T.reshape(64, 64, 3) * 255 - shown).max())
      """
    let result = try python(program, [path, points.map { "\($0)" }.joined(separator: " ")])
    let error = try #require(result.lines.first.flatMap { Double($0) }, "\(result)")
    #expect(error < 1.5)
    #expect(try Judge.exiftool.ask(["-validate", "-s3", "-warning", path]).lines.first == "OK")
    #expect(profile.count < 700)
  }

  /// Names in ASCII (version 2) and UTF-16 (version 4), as LittleCMS writes and reads them; no name of a damaged profile.
  @Test(.judged(by: .python)) func profilesHaveNames() throws {
    let program = """
      import sys
      from PIL import ImageCms
      profile = ImageCms.ImageCmsProfile(ImageCms.createProfile(sys.argv[1]))
      open(sys.argv[2], 'wb').write(profile.tobytes())
      print(profile.profile.profile_description)
      """
    let folder = try TemporaryFolder()
    for kind in ["sRGB", "LAB", "XYZ"] {
      let name = try python(program, [kind, folder.path("a.icc")]).lines.first.map { "\($0)" }
      let profile = try readFile(folder.path("a.icc"))
      #expect(ICCProfile.name(of: profile) == name && name != nil)
      for cut in truncations(of: profile, count: 200) { _ = ICCProfile.name(of: cut) }
      for copy in damagedCopies(of: profile, count: 200, seed: 3) { _ = ICCProfile.name(of: copy) }
    }
    let own = try #require(ICCProfile.display(ColorDescription(primaries: 12, transfer: 1)))
    #expect(ICCProfile.name(of: own) == "RGB of ITU-T H.273 primaries 12")
    #expect(ICCProfile.name(of: []) == nil)
  }

  @Test func whatIsNoDisplayHasNone() {
    #expect(ICCProfile.display(.unspecified) == nil)
    #expect(ICCProfile.display(ColorDescription(primaries: 9, transfer: 16)) == nil)
    #expect(ICCProfile.display(ColorDescription(primaries: 12, transfer: 8)) == nil)
    #expect(ICCProfile.display(ColorDescription(primaries: 3, transfer: 1)) == nil)
  }
}
