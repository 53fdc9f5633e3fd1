import FuzzTargets
@testable import ProgressReporting
@testable import SystemIO
@testable import ZipKitCore

/// Ours beside Info-ZIP's unzip, bsdtar and 7-Zip: what all three take, with one result, we take with the same.
enum PeerChecks {
  private struct Peer {
    var path: String
    var arguments: @Sendable (_ archive: String, _ target: String) -> [String]
  }

  private static let peers = [
    Peer(path: "/usr/bin/unzip") { ["-qq", "-o", "-P", "secret", $0, "-d", $1] },
    Peer(path: "/usr/bin/bsdtar") { ["-xf", $0, "-C", $1, "--passphrase", "secret"] },
    Peer(path: "/usr/bin/7z") {
      ["x", "-y", "-bd", "-bso0", "-bse0", "-psecret", "-o\($1)", $0]
    },
  ]

  static func peers(_ bytes: [UInt8]) {
    guard !mayLeave(bytes) else { return }
    let folder = Place.folder("peers")
    defer { clear(folder) }
    var agreed: [ExactName: [UInt8]]?
    do {
      try FileSystem.makeDirectories(folder)
      try Place.write("a.zip", bytes, in: folder)
      for peer in peers {
        let target = Path.join(folder, "target")
        try FileSystem.makeDirectory(target)
        guard try run(peer, Path.join(folder, "a.zip"), target) else { return }
        let files = try files(target)
        clear(target)
        guard agreed == nil || agreed == files else { return }
        agreed = files
      }
    } catch {
      // Names that are no text on this system, or a peer that is not there.
      return
    }
    guard let agreed, !agreed.isEmpty else { return }
    if let difference = difference(bytes, folder, agreed) { keep(bytes, difference) }
  }

  /// Whether a peer might put something outside its target: links, and names that lead up or out.
  private static func mayLeave(_ bytes: [UInt8]) -> Bool {
    for place in bytes.indices.dropLast(3) {
      if bytes[place] == 0x2e, bytes[place + 1] == 0x2e { return true }
      let isCentral = bytes[place..<(place + 4)].elementsEqual([0x50, 0x4b, 1, 2])
      guard isCentral, place + 46 < bytes.count else { continue }
      if bytes[place + 41] & 0xf0 == 0xa0 || bytes[place + 46] == 0x2f { return true }
    }
    return false
  }

  private static func run(_ peer: Peer, _ archive: String, _ target: String) throws -> Bool {
    // Bombs: what a peer would write for minutes tells nothing. In units of 512 bytes, 8 MiB a file.
    let limit = "ulimit -f 16384; exec \"$0\" \"$@\""
    return try run(
      "/bin/sh", ["sh", "-c", limit, peer.path] + peer.arguments(archive, target))
  }

  private static func run(_ path: String, _ arguments: [String]) throws -> Bool {
    let nothing = try FileDescriptor.open("/dev/null", [.readWrite])
    let child = try ChildProcess(
      path: path, arguments: arguments,
      environment: ["LC_ALL=C.UTF-8", "PATH=/usr/bin:/bin", "TZ=UTC"],
      descriptors: [nothing.raw, nothing.raw, nothing.raw])
    child.limitProcessorTime(toSeconds: 5)
    return child.wait().ending == .exited(status: 0)
  }

  /// Removes a tree, also one with names that are no text.
  private static func clear(_ folder: String) {
    if (try? FileSystem.removeTree(folder)) == nil {
      let isGone = try? run("/bin/rm", ["rm", "-rf", folder])
      expect(isGone == true, "the stage can be cleared")
    }
  }

  private static func files(_ target: String) throws -> [ExactName: [UInt8]] {
    try DiskTree(target).nodes.filter { $0.value.status.kind == .regular }.mapValues(\.content)
  }

  /// What ours does otherwise; nil where nothing.
  private static func difference(
    _ bytes: [UInt8], _ folder: String, _ agreed: [ExactName: [UInt8]]
  ) -> String? {
    var options = ExtractionOptions()
    options.existing = .replace
    options.passwords = passwords
    let target = Path.join(folder, "target")
    do {
      let archive = try ZipArchive(bytes: bytes, options: opening)
      let report = try archive.extractBlocking(to: target, options: options, walks: false)
      if report.allProblems.contains(where: { isOnPurpose($0) }) { return nil }
      // Attributes alone make a directory to few readers.
      if archive.entries.contains(where: {
        $0.kind == .directory && $0.name.utf8.last != UInt8(ascii: "/")
      }) {
        return nil
      }
      // Not every reader knows the field that gives a name in Unicode.
      if archive.entries.contains(where: { $0.nameOrigin == .unicodeField }) { return nil }
      let ours = try files(target)
      for (name, content) in agreed where ours[name] != content {
        let rules = report.allProblems.map(\.code.id).joined(separator: " ")
        return "\(name.text): \(ours[name] == nil ? "missing" : "other content") [\(rules)]"
      }
      let more = ours.keys.first { agreed[$0] == nil }
      return more.map { "\($0.text): of ours alone" }
    } catch let error as ZipError {
      return "refused [\(error.code.id)]"
    } catch {
      return "\(error)"
    }
  }

  /// Rules that ours has and the others lack, by intent: entries that share bytes, names that end early for some, a
  /// file and a directory of one path, pipes and sockets, which the others make empty files of.
  private static func isOnPurpose(_ problem: ZipError) -> Bool {
    [.overlap, .nameNUL, .targetUnusable, .specialFile].contains(problem.code)
  }

  private static func keep(_ bytes: [UInt8], _ difference: String) {
    guard let folder = Environment["COURIER_FUZZ_KEEP"] else {
      return expect(false, "all others agree, ours differs: \(difference)")
    }
    var name = SmallRandom(of: bytes)
    let file = "difference-\(String(name.next(), radix: 16)).zip"
    try? Place.write(file, bytes, in: folder)
    print("peers: \(difference), see \(file)")
  }
}
