// swift-tools-version: 6.2
// A package of its own: its targets link only under `--sanitize fuzzer`, which the root must not need.
import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
]

func fuzzer(_ name: String, _ products: [String]) -> Target {
  .executableTarget(
    name: name,
    dependencies: products.map { .product(name: $0, package: "Courier") } + ["FuzzTargets"],
    path: name, swiftSettings: settings)
}

let package = Package(
  name: "CourierFuzz",
  dependencies: [.package(name: "Courier", path: "../..")],
  targets: [
    .systemLibrary(name: "CLibFuzzer", path: "CLibFuzzer"),
    // What the four programs have in common.
    .target(
      name: "FuzzTargets", dependencies: ["CLibFuzzer"], path: "FuzzTargets",
      swiftSettings: settings),
    fuzzer("FuzzNetworkCore", ["NetworkCore"]),
    fuzzer("FuzzPdfThumbCore", ["PdfThumbCore"]),
    fuzzer("FuzzZipKitCodecs", ["ZipKitCodecs", "ZipKitCore"]),
    fuzzer("FuzzZipKitCore", ["InfoZipForms", "ZipKitCodecs", "ZipKitCore"]),
  ],
  swiftLanguageModes: [.v6]
)
