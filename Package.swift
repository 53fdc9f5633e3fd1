// swift-tools-version: 6.2
import PackageDescription

/// Settings of every Swift target.
///
/// None is an unsafe flag, which would bar a module from being a
/// dependency of another package.
let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
]

func module(
  _ name: String, _ dependencies: [Target.Dependency] = [], excluding exclude: [String] = []
) -> Target {
  .target(
    name: name, dependencies: dependencies, path: "Modules/\(name)", exclude: exclude,
    swiftSettings: settings)
}

func cLibrary(_ name: String, pkgConfig: String? = nil, debian packages: String...) -> Target {
  .systemLibrary(
    name: name, path: "Modules/CSystem/\(name)", pkgConfig: pkgConfig,
    providers: packages.isEmpty ? nil : [.apt(packages)])
}

func app(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .executableTarget(
    name: name,
    dependencies: ["CommandLineSupport", "Dialogue", "ProgressReporting"] + dependencies,
    path: "Apps/\(name)", swiftSettings: settings,
    // Unlike modules, an app is no package's dependency. Its own copy of Swift's libraries starts quicker, and runs
    // where no Swift is installed.
    linkerSettings: [.unsafeFlags(["-static-stdlib"], .when(configuration: .release))])
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .testTarget(
    name: name, dependencies: dependencies + ["TestSupport"], path: "Tests/\(name)",
    swiftSettings: settings)
}

/// Products for the package of fuzz targets alone, which asks for them by this variable.
let fuzzed: [Product] =
  Context.environment["COURIER_FUZZ"] == nil
  ? [] : [.library(name: "InfoZipForms", targets: ["InfoZipForms"])]

let package = Package(
  name: "Courier",
  products: [
    .library(name: "NetworkCore", targets: ["NetworkCore"]),
    .library(name: "NetworkCoreFoundation", targets: ["NetworkCoreFoundation"]),
    .library(name: "PdfThumbCore", targets: ["PdfThumbCore"]),
    .library(name: "ProgressReporting", targets: ["ProgressReporting"]),
    .library(name: "RemoteZip", targets: ["RemoteZip"]),
    .library(name: "ZipKitCore", targets: ["ZipKitCore"]),
    .library(name: "ZipKitCodecs", targets: ["ZipKitCodecs"]),
  ] + fuzzed,
  targets: [
    // C libraries
    cLibrary("CChafa", pkgConfig: "chafa", debian: "libchafa-dev"),
    cLibrary("CExpat", debian: "libexpat1-dev"),
    cLibrary("CFontconfig", pkgConfig: "fontconfig", debian: "libfontconfig-dev"),
    cLibrary("CJbig2", pkgConfig: "jbig2dec", debian: "libjbig2dec0-dev"),
    cLibrary("CLcms", pkgConfig: "lcms2", debian: "liblcms2-dev"),
    cLibrary("CLateLibraries", debian: "libssl-dev", "libuchardet-dev"),
    cLibrary("CLibCurl", pkgConfig: "libcurl", debian: "libcurl4-openssl-dev"),
    cLibrary("CLinux"),
    cLibrary("COpenJpeg", pkgConfig: "libopenjp2", debian: "libopenjp2-7-dev"),
    cLibrary("COpenSSL", debian: "libssl-dev"),
    cLibrary("CPopplerGlib", pkgConfig: "poppler-glib", debian: "libpoppler-glib-dev"),
    cLibrary("CQpdf", pkgConfig: "libqpdf", debian: "libqpdf-dev"),
    cLibrary("CTurboJpeg", pkgConfig: "libturbojpeg", debian: "libturbojpeg0-dev"),
    cLibrary("CWebP", pkgConfig: "libwebp", debian: "libwebp-dev"),
    cLibrary("CSeccomp", pkgConfig: "libseccomp", debian: "libseccomp-dev"),
    cLibrary("CTLSServer", debian: "libssl-dev"),
    cLibrary("CZlib", debian: "zlib1g-dev"),
    cLibrary("CIsal", pkgConfig: "libisal", debian: "libisal-dev"),
    cLibrary("CBzip2", debian: "libbz2-dev"),
    cLibrary("CLzma", pkgConfig: "liblzma", debian: "liblzma-dev"),
    cLibrary("CZstd", pkgConfig: "libzstd", debian: "libzstd-dev"),
    cLibrary("CIconv"),

    // Shared ground
    module("SystemIO", ["CLinux"]),
    module("ProgressReporting"),
    module("Dialogue", ["ProgressReporting"]),

    // Cores
    module(
      "NetworkCore",
      ["CExpat", "CLibCurl", "COpenSSL", "CZlib", "ProgressReporting", "SystemIO"]),
    module(
      "PdfThumbCore",
      [
        "CFontconfig", "CIsal", "CJbig2", "CLcms", "COpenJpeg", "CPopplerGlib", "CQpdf", "CSeccomp",
        "CTurboJpeg", "CWebP", "CZlib", "ProgressReporting", "SystemIO",
      ]),
    module("ZipKitCore", ["CZlib", "ProgressReporting", "SystemIO"]),
    module(
      "ZipKitCodecs",
      [
        "CIconv", "CIsal", "CLateLibraries", "CLzma", "CZstd", "SystemIO", "ZipKitCore",
      ]),

    // Composition
    module("InfoZipForms", ["SystemIO", "ZipKitCore"]),
    module(
      "UnzipJobs",
      ["Dialogue", "InfoZipForms", "ProgressReporting", "SystemIO", "ZipKitCodecs", "ZipKitCore"]),
    module("NetworkCoreFoundation", ["NetworkCore"]),
    module("ThumbViewer"),
    module("TerminalPictures", ["CChafa", "PdfThumbCore", "SystemIO"]),
    module(
      "FetchJobs",
      [
        "Dialogue", "NetworkCore", "ProgressReporting", "RemoteZip", "ZipKitCodecs", "ZipKitCore",
      ]),
    module(
      "ThumbsJobs",
      [
        "Dialogue", "PdfThumbCore", "ProgressReporting", "SystemIO", "TerminalPictures",
        "ThumbViewer",
      ]),
    module("RemoteZip", ["NetworkCore", "ProgressReporting", "SystemIO", "ZipKitCore"]),

    // Apps
    module(
      "CommandLineSupport", ["Dialogue", "ProgressReporting", "SystemIO"], excluding: ["README.md"]),
    app("thumbs", ["PdfThumbCore", "TerminalPictures", "ThumbsJobs"]),
    app("fetch", ["FetchJobs", "NetworkCore"]),
    app("unzip", ["InfoZipForms", "SystemIO", "UnzipJobs", "ZipKitCodecs", "ZipKitCore"]),

    // Tests
    .target(
      name: "TestSupport",
      dependencies: ["CTLSServer", "Dialogue", "ProgressReporting", "SystemIO"],
      path: "Tests/TestSupport", swiftSettings: settings),
    .target(
      name: "TruthTable", dependencies: ["SystemIO", "TestSupport"], path: "Tests/TruthTable",
      swiftSettings: settings),
    .executableTarget(
      name: "TruthPage", dependencies: ["SystemIO", "TestSupport", "TruthTable", "fetch"],
      path: "Tests/TruthPage", swiftSettings: settings),
    // Tests run the apps, which lie beside them, and do not depend on them: they would be linked as apps are.
    .testTarget(
      name: "FetchTests", dependencies: ["SystemIO", "TestSupport", "TruthTable"],
      path: "Tests/AppTests/FetchTests", swiftSettings: settings),
    .testTarget(
      name: "UnzipTests", dependencies: ["SystemIO", "TestSupport"],
      path: "Tests/AppTests/UnzipTests", swiftSettings: settings),
    .testTarget(
      name: "ThumbsTests", dependencies: ["PdfThumbCore", "SystemIO", "TestSupport"],
      path: "Tests/AppTests/ThumbsTests", swiftSettings: settings),
    tests(
      "FetchJobsTests",
      ["Dialogue", "FetchJobs", "NetworkCore", "ProgressReporting", "SystemIO"]),
    tests("InfoZipFormsTests", ["InfoZipForms", "ZipKitCore"]),
    tests(
      "UnzipJobsTests",
      [
        "Dialogue", "InfoZipForms", "ProgressReporting", "SystemIO", "UnzipJobs", "ZipKitCore",
      ]),
    tests("NetworkCoreFoundationTests", ["NetworkCore", "NetworkCoreFoundation"]),
    tests("NetworkCoreTests", ["NetworkCore", "ProgressReporting", "SystemIO"]),
    .executableTarget(
      name: "WorkerProbe", dependencies: ["PdfThumbCore", "SystemIO"], path: "Tests/WorkerProbe",
      swiftSettings: settings),
    tests("PdfThumbCoreTests", ["PdfThumbCore", "SystemIO", "WorkerProbe"]),
    tests(
      "RemoteZipTests",
      ["NetworkCore", "ProgressReporting", "RemoteZip", "SystemIO", "ZipKitCore"]),
    tests("TerminalPicturesTests", ["PdfThumbCore", "TerminalPictures"]),
    tests(
      "ThumbsJobsTests",
      [
        "Dialogue", "PdfThumbCore", "ProgressReporting", "SystemIO", "TerminalPictures",
        "ThumbsJobs",
      ]),
    tests("ThumbViewerTests", ["ThumbViewer"]),
    tests("SystemIOTests", ["SystemIO"]),
    tests("DialogueTests", ["Dialogue", "ProgressReporting"]),
    tests("ProgressReportingTests", ["ProgressReporting", "SystemIO"]),
    tests("ZipKitCoreTests", ["ProgressReporting", "SystemIO", "ZipKitCore"]),
    .executableTarget(
      name: "CommandProbe", dependencies: ["CommandLineSupport", "ProgressReporting", "SystemIO"],
      path: "Tests/CommandProbe", swiftSettings: settings),
    tests(
      "CommandLineSupportTests",
      ["CommandLineSupport", "CommandProbe", "Dialogue", "ProgressReporting", "SystemIO"]),
    tests("ZipKitCodecsTests", ["CBzip2", "ZipKitCodecs", "ZipKitCore", "SystemIO"]),
  ],
  swiftLanguageModes: [.v6]
)
