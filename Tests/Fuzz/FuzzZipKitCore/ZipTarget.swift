import ZipKitCodecs
// Parsers and plans are not public; a debug build lets tests and fuzzers see them.
@testable import ZipKitCore

/// What is fed with bytes, each held to what it promises.
enum ZipTarget: String, CaseIterable {
  // Archives.
  case directory, content, listing, salvage, modulo, split, stream
  // An archive onto a disk.
  case extract, parallel, peers
  // Pieces.
  case records, extras, times, path, names, pattern, link

  func run(_ bytes: [UInt8]) {
    switch self {
    case .directory: ArchiveChecks.directory(bytes)
    case .content: ArchiveChecks.content(bytes)
    case .listing: ArchiveChecks.listing(bytes)
    case .salvage: ArchiveChecks.salvage(bytes)
    case .modulo: SourceChecks.modulo(bytes)
    case .split: SourceChecks.split(bytes)
    case .stream: SourceChecks.stream(bytes)
    case .extract: PlacementChecks.extract(bytes)
    case .parallel: PlacementChecks.parallel(bytes)
    case .peers: PeerChecks.peers(bytes)
    case .records: FormatChecks.records(bytes)
    case .extras: FormatChecks.extras(bytes)
    case .times: FormatChecks.times(bytes)
    case .path: FormatChecks.path(bytes)
    case .names: FormatChecks.names(bytes)
    case .pattern: FormatChecks.pattern(bytes)
    case .link: FormatChecks.link(bytes)
    }
  }

  /// Whether inputs are archives.
  var takesArchive: Bool {
    switch self {
    case .records, .extras, .times, .path, .names, .pattern, .link: false
    default: true
    }
  }

  /// Inputs to begin with.
  var seeds: [[UInt8]] {
    switch self {
    case .split: ArchiveSeeds.split
    case .records: ArchiveSeeds.records
    case .extras, .times: ArchiveSeeds.extras
    case .path, .pattern, .link, .names: ArchiveSeeds.texts
    default: ArchiveSeeds.archives
    }
  }
}

/// Ends the run where a promise does not hold.
func expect(_ condition: Bool, _ promise: @autoclosure () -> String) {
  if !condition { preconditionFailure("broken: \(promise())") }
}

/// How archives are opened here: with every decoder, and names in whatever they are in.
func open(_ bytes: [UInt8]) -> ZipArchive? {
  try? ZipArchive(bytes: bytes, options: opening)
}

/// As ``open(_:)`` does.
let opening: ZipArchive.Options = {
  var options = ZipArchive.Options()
  options.registry = .complete
  options.detector = NameDetection.detector
  return options
}()

/// The password of encrypted seeds.
let passwords = [Array("secret".utf8)]

/// Bytes of content that one entry may have.
let mostContent: UInt64 = 4 << 20
