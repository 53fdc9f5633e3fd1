// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that the root package builds nothing that only measures.
let package = Package(
  name: "CourierBenchmarks",
  dependencies: [.package(name: "Courier", path: "../..")],
  targets: [
    .executableTarget(
      name: "ProgressBenchmark",
      dependencies: [.product(name: "ProgressReporting", package: "Courier")],
      path: "ProgressBenchmark"),
    .executableTarget(
      name: "CodecBenchmark",
      dependencies: [
        .product(name: "ZipKitCodecs", package: "Courier"),
        .product(name: "ZipKitCore", package: "Courier"),
      ],
      path: "CodecBenchmark"),
  ],
  swiftLanguageModes: [.v6]
)
