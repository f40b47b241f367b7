// swift-tools-version: 6.0
import PackageDescription

let library = "swift-live-photo"

// Default traits: HEVC is on, and must still not be reached.
let package = Package(
  name: "MuxerOnly",
  dependencies: [.package(name: library, path: "../..")],
  targets: [
    .executableTarget(
      name: "MuxerOnly",
      dependencies: [
        .product(name: "LivePhotoMuxer", package: library),
        .product(name: "LivePhotoCore", package: library),
      ], path: ".", sources: ["main.swift"])
  ]
)
