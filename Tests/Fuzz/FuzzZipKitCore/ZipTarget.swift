import FuzzTargets
import ZipKitCodecs
// Parsers and plans are not public; a build for testing lets tests and fuzzers see them.
@testable import ZipKitCore

/// What is fed with bytes, each held to what it promises.
enum ZipTarget: String, FuzzTarget {
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

  /// Archives are changed as archives.
  func remade(_ bytes: [UInt8], _ random: inout SmallRandom) -> [UInt8]? {
    switch self {
    case .records, .extras, .times, .path, .names, .pattern, .link: return nil
    default: break
    }
    guard var model = ArchiveModel(bytes) else { return nil }
    for _ in 0...random.below(3) { model.mutate(&random) }
    return model.bytes(isHonest: random.below(8) > 0)
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
