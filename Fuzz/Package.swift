// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that fuzzers are built with coverage and no product of the library ever is.
let library = "swift-live-photo"

func fuzzer(_ name: String, _ modules: String...) -> Target {
  .executableTarget(
    name: name, dependencies: modules.map { .product(name: $0, package: library) }, path: name,
    swiftSettings: [.enableUpcomingFeature("InternalImportsByDefault")])
}

let package = Package(
  name: "Fuzz",
  platforms: [.macOS(.v26)],
  dependencies: [.package(name: library, path: "..", traits: [])],
  targets: [
    fuzzer("FuzzExif", "LivePhotoCore"),
    fuzzer("FuzzH264", "LivePhotoCore", "LivePhotoBitstream", "LivePhotoH264"),
    fuzzer("FuzzHEIF", "LivePhotoCore", "LivePhotoBitstream", "LivePhotoHEIF"),
    fuzzer("FuzzJPEG", "LivePhotoCore", "LivePhotoJPEG"),
    fuzzer("FuzzMovie", "LivePhotoCore", "LivePhotoBitstream", "LivePhotoMuxer"),
    fuzzer("FuzzPNG", "LivePhotoCore", "LivePhotoPNG"),
  ],
  swiftLanguageModes: [.v6]
)
