// swift-tools-version: 6.0
import PackageDescription

let library = "swift-live-photo"

let package = Package(
  name: "MakesPair",
  dependencies: [.package(name: library, path: "../..")],
  targets: [
    .executableTarget(
      name: "MakesPair", dependencies: [.product(name: "LivePhotoEngine", package: library)], path: ".",
      sources: ["main.swift"])
  ]
)
