// swift-tools-version: 6.0
import PackageDescription

let library = "swift-live-photo"

// Default traits: HEVC is on, and must still not be reached.
let package = Package(
  name: "JPEGOnly",
  dependencies: [.package(name: library, path: "../..")],
  targets: [
    .executableTarget(
      name: "JPEGOnly",
      dependencies: [
        .product(name: "LivePhotoJPEG", package: library),
        .product(name: "LivePhotoCore", package: library),
      ], path: ".", sources: ["main.swift"])
  ]
)
