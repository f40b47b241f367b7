// swift-tools-version: 6.0
import PackageDescription

let library = "swift-live-photo"
let products = ["LivePhotoCore", "LivePhotoHEVC", "LivePhotoMuxer", "LivePhotoEngine"]

let package = Package(
  name: "MakesPair",
  dependencies: [.package(name: library, path: "../..")],
  targets: [
    .executableTarget(
      name: "MakesPair", dependencies: products.map { .product(name: $0, package: library) }, path: ".",
      sources: ["main.swift"])
  ]
)
