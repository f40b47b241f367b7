// swift-tools-version: 6.2
import PackageDescription

let library = "swift-live-photo"

// Counts what calls allocate that promise to allocate nothing.
let package = Package(
  name: "Allocations",
  dependencies: [.package(name: library, path: "../..", traits: [])],
  targets: [
    .target(name: "Counter", path: "Counter"),
    .executableTarget(
      name: "Allocations",
      dependencies: [
        "Counter",
        .product(name: "LivePhotoJPEG", package: library),
        .product(name: "LivePhotoCore", package: library),
      ], path: ".", exclude: ["Counter"], sources: ["main.swift"]),
  ]
)
