// swift-tools-version: 6.2
import PackageDescription

/// Settings of every Swift target: Swift 6 mode, each unsafe use spelled out, no warning left.
let strict: [SwiftSetting] = [
  .strictMemorySafety(),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  // Cursors over borrowed bytes are `~Escapable`; their lifetimes have to be written down.
  .enableExperimentalFeature("Lifetimes"),
  .treatAllWarnings(as: .error),
]

/// The same for the modules that are empty without the HEVC libraries.
let codec: [SwiftSetting] = strict + [.define("HEVC", .when(traits: ["HEVC"]))]

/// The kernels built for x86-64-v3: optimised builds only, since in others the compiler emits functions of the standard
/// library into each module, and the linker could take this module's for all.
#if arch(x86_64)
  let level3 = strict + [.define("KERNELS_V3", .when(platforms: [.linux], configuration: .release))]
  let level3Code: [SwiftSetting] = [
    .unsafeFlags(["-Xcc", "-march=x86-64-v3", "-disable-cmo"], .when(platforms: [.linux], configuration: .release))
  ]
#else
  let level3 = strict
  let level3Code: [SwiftSetting] = []
#endif

func module(_ name: String, _ folder: String, _ floor: [Target.Dependency] = [], settings: [SwiftSetting] = strict)
  -> Target
{
  .target(name: name, dependencies: floor, path: "Sources/\(folder)", swiftSettings: settings)
}

func tests(of name: String, _ extra: [Target.Dependency] = [], settings: [SwiftSetting] = strict) -> Target {
  .testTarget(
    name: "\(name)Tests", dependencies: [.byName(name: name), "TestSupport"] + extra,
    path: "Tests/\(name)Tests", swiftSettings: settings)
}

/// A dependency of the codec modules that exists only while the HEVC trait is on.
func library(_ name: String) -> Target.Dependency { .target(name: name, condition: .when(traits: ["HEVC"])) }

let publicModules = [
  "LivePhotoCore", "LivePhotoBitstream", "LivePhotoFiles", "LivePhotoJPEG", "LivePhotoPNG", "LivePhotoMuxer",
  "LivePhotoHEIF", "LivePhotoH264", "LivePhotoHEVC", "LivePhotoHEIC", "LivePhotoEngine",
]

let package = Package(
  name: "swift-live-photo",
  platforms: [.macOS(.v26), .iOS(.v26)],
  products: publicModules.map { .library(name: $0, targets: [$0]) } + [
    .library(name: "LivePhoto", targets: ["LivePhoto"]),
    .executable(name: "livephoto", targets: ["livephoto"]),
  ],
  traits: [
    .default(enabledTraits: ["HEVC"]),
    .trait(name: "HEVC", description: "HEVC through x265 (GPL) and libde265, and HEIC pictures through libheif"),
  ],
  targets: [
    module("LivePhotoCore", "Core"),
    module("LivePhotoBitstream", "Bitstream", ["LivePhotoCore"]),
    module("LivePhotoFiles", "Files", ["LivePhotoCore"]),
    module("LivePhotoJPEGKernels", "JPEGEncoder/Kernels"),
    module("LivePhotoJPEGKernelsV3", "JPEGEncoder/KernelsV3", settings: level3 + level3Code),
    .target(
      name: "LivePhotoJPEG", dependencies: ["LivePhotoJPEGKernels", "LivePhotoJPEGKernelsV3", "LivePhotoCore"],
      path: "Sources/JPEGEncoder", exclude: ["Kernels", "KernelsV3"], swiftSettings: level3),
    module("LivePhotoPNG", "PNG", ["LivePhotoCore"]),
    module("LivePhotoMuxer", "Muxer", ["LivePhotoCore", "LivePhotoBitstream"]),
    module("LivePhotoHEIF", "HEIF", ["LivePhotoCore", "LivePhotoBitstream"]),
    module("LivePhotoH264Kernels", "H264/Kernels"),
    module("LivePhotoH264KernelsV3", "H264/KernelsV3", settings: level3 + level3Code),
    .target(
      name: "LivePhotoH264",
      dependencies: ["LivePhotoH264Kernels", "LivePhotoH264KernelsV3", "LivePhotoBitstream", "LivePhotoCore"],
      path: "Sources/H264", exclude: ["Kernels", "KernelsV3"], swiftSettings: level3),

    .systemLibrary(
      name: "CX265", path: "Sources/HEVCBridge/Libraries/x265", pkgConfig: "x265", providers: [.apt(["libx265-dev"])]),
    .systemLibrary(
      name: "CDe265", path: "Sources/HEVCBridge/Libraries/libde265", pkgConfig: "libde265",
      providers: [.apt(["libde265-dev"])]),
    .systemLibrary(
      name: "CHeif", path: "Sources/HEVCBridge/Libraries/libheif", pkgConfig: "libheif",
      providers: [.apt(["libheif-dev"])]),
    .target(
      name: "CLivePhotoHEVC", dependencies: [library("CX265"), library("CDe265"), library("CHeif")],
      path: "Sources/HEVCBridge", exclude: ["Libraries"],
      cSettings: [
        .define("LP_HEVC", .when(traits: ["HEVC"])),
        .define("_POSIX_C_SOURCE", to: "200809L"),
      ]),
    module("LivePhotoHEVC", "HEVC", ["CLivePhotoHEVC", "LivePhotoBitstream", "LivePhotoCore"], settings: codec),
    module(
      "LivePhotoHEIC", "HEIC",
      ["CLivePhotoHEVC", "LivePhotoHEVC", "LivePhotoHEIF", "LivePhotoBitstream", "LivePhotoCore"], settings: codec),

    module(
      "LivePhotoEngine", "Engine",
      [
        "LivePhotoHEIC", "LivePhotoHEVC", "LivePhotoH264", "LivePhotoHEIF", "LivePhotoMuxer", "LivePhotoJPEG",
        "LivePhotoPNG", "LivePhotoFiles", "LivePhotoBitstream", "LivePhotoCore",
      ], settings: codec),
    module("LivePhoto", "LivePhoto", publicModules.map { .byName(name: $0) }, settings: codec),
    .executableTarget(
      name: "livephoto", dependencies: ["LivePhotoEngine", "LivePhotoCore"], path: "Sources/Tool", swiftSettings: codec),

    .executableTarget(
      name: "livephoto-perf",
      dependencies: [
        "LivePhotoEngine", "LivePhotoJPEG", "LivePhotoJPEGKernels", "LivePhotoPNG", "LivePhotoHEIC", "LivePhotoHEVC",
        "LivePhotoH264", "LivePhotoHEIF", "LivePhotoMuxer", "LivePhotoFiles", "LivePhotoBitstream", "LivePhotoCore",
        "PerfDecoders",
        library("CX265"),
        library("CDe265"),
      ],
      path: "PerfTests/livephoto-perf", swiftSettings: codec),
    .executableTarget(
      name: "livephoto-perf-decode", dependencies: ["PerfDecoders", "LivePhotoFiles", "LivePhotoCore"],
      path: "PerfTests/livephoto-perf-decode", swiftSettings: codec),
    .target(
      name: "PerfDecoders", dependencies: ["LivePhotoHEIC", "LivePhotoHEIF", "LivePhotoCore", library("CHeif")],
      path: "PerfTests/Decoders", swiftSettings: codec),

    .target(name: "TestSupport", dependencies: ["LivePhotoCore"], path: "Tests/TestSupport", swiftSettings: strict),
    .testTarget(
      name: "TestSupportTests", dependencies: ["TestSupport", "LivePhotoCore"], path: "Tests/TestSupportTests",
      swiftSettings: strict),
    tests(of: "LivePhotoCore"),
    tests(of: "LivePhotoBitstream", ["LivePhotoCore"]),
    tests(of: "LivePhotoFiles", ["LivePhotoCore"]),
    tests(of: "LivePhotoJPEG", ["LivePhotoJPEGKernels", "LivePhotoCore"]),
    tests(of: "LivePhotoPNG", ["LivePhotoCore"]),
    tests(of: "LivePhotoMuxer", ["LivePhotoBitstream", "LivePhotoFiles", "LivePhotoCore"]),
    tests(of: "LivePhotoHEIF", ["LivePhotoBitstream", "LivePhotoCore"]),
    tests(of: "LivePhotoH264", ["LivePhotoH264Kernels", "LivePhotoBitstream", "LivePhotoCore"]),
    tests(of: "LivePhotoHEVC", ["LivePhotoBitstream", "LivePhotoCore"], settings: codec),
    tests(
      of: "LivePhotoHEIC", ["LivePhotoHEVC", "LivePhotoHEIF", "LivePhotoBitstream", "LivePhotoCore"], settings: codec),
    tests(
      of: "LivePhotoEngine",
      [
        "LivePhotoHEIC", "LivePhotoHEVC", "LivePhotoH264", "LivePhotoHEIF", "LivePhotoMuxer", "LivePhotoJPEG",
        "LivePhotoPNG", "LivePhotoFiles", "LivePhotoBitstream", "LivePhotoCore",
      ], settings: codec),
    .testTarget(
      name: "ToolTests", dependencies: ["livephoto", "LivePhotoCore", "TestSupport"], path: "Tests/ToolTests",
      swiftSettings: codec),
  ],
  swiftLanguageModes: [.v6]
)
