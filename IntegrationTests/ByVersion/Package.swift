// swift-tools-version: 6.0
import PackageDescription

// `run` makes the repository and its tag, and says where and which.
let remote = Context.environment["LIVEPHOTO_REMOTE"] ?? "file:///nowhere/swift-live-photo.git"
let version = Version(Context.environment["LIVEPHOTO_VERSION"] ?? "0.0.0") ?? Version(0, 0, 0)

let package = Package(
  name: "ByVersion",
  dependencies: [.package(url: remote, exact: version)],
  targets: [
    .executableTarget(
      name: "ByVersion",
      dependencies: [
        .product(name: "LivePhotoJPEG", package: "swift-live-photo"),
        .product(name: "LivePhotoH264", package: "swift-live-photo"),
      ],
      path: ".", sources: ["main.swift"])
  ]
)
