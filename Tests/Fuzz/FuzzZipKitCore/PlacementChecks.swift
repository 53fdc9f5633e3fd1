import FuzzTargets
@testable import ProgressReporting
@testable import SystemIO
import Synchronization
@testable import ZipKitCore

/// Archives put onto a disk, beside things that must not change.
enum PlacementChecks {
  /// One extraction, judged by what is on disk afterwards.
  static func extract(_ bytes: [UInt8]) {
    var random = SmallRandom(of: bytes)
    guard let archive = opened(bytes, salvages: random.once(in: 4)) else { return }
    var options = options(&random)
    // Threads would make what an input covers a matter of chance.
    options.jobs = 1
    let isTaken = random.once(in: 2)
    let walks = random.once(in: 2)
    let folder = Place.folder("extract")
    defer { remove(folder) }
    do {
      let stage = try Stage(folder, targets: ["target"], isTaken: isTaken)
      let report = try? archive.extractBlocking(
        to: stage.path("target"), options: options, walks: walks)
      try stage.checkOutside()
      let tree = try DiskTree(stage.path("target"))
      guard let report else {
        expect(tree == stage.before["target"], "a run that did not begin changed nothing")
        return
      }
      PlacementOracle(archive, options, report, tree, before: stage.before["target"], isTaken)
        .check()
    } catch {
      expect(false, "the stage can be read: \(error)")
    }
  }

  /// The same extraction by one worker and by several.
  static func parallel(_ bytes: [UInt8]) {
    var random = SmallRandom(of: bytes)
    guard let archive = opened(bytes, salvages: false) else { return }
    var options = options(&random)
    options.setsTimes = true
    let isTaken = random.once(in: 3)
    let folder = Place.folder("parallel")
    defer { remove(folder) }
    do {
      let stage = try Stage(folder, targets: ["one", "many"], isTaken: isTaken)
      options.jobs = 1
      let one = perform(archive, options, stage.path("one"))
      options.jobs = 2 + random.below(4)
      let many = perform(archive, options, stage.path("many"))
      try stage.checkOutside()
      expect(one == many, "many workers tell what one tells")
      let trees = (try DiskTree(stage.path("one")), try DiskTree(stage.path("many")))
      let (left, right) = (facts(trees.0, isTaken), facts(trees.1, isTaken))
      expect(Set(left.keys) == Set(right.keys), "many workers make what one makes")
      for (path, fact) in left {
        expect(right[path] == fact, "\(path.text) is the same by many workers")
      }
    } catch {
      expect(false, "the stage can be read: \(error)")
    }
  }

  private static func opened(_ bytes: [UInt8], salvages: Bool) -> ZipArchive? {
    var archive = open(bytes)
    if archive == nil, salvages {
      archive = (try? ArchiveSalvage(BytesSource(bytes), opening, WorkMeter("Searching…")))?.archive
    }
    guard let archive, archive.entries.count < 48,
      archive.entries.allSatisfy({ $0.nameBytes.count < 1500 && $0.extraFields.count < 1500 })
    else { return nil }
    return archive
  }

  private static func options(_ random: inout SmallRandom) -> ExtractionOptions {
    var options = ExtractionOptions()
    options.existing = random.one(of: [
      .fail, .skip, .replace, .replace, .rename, .ask { $0.utf8.count % 2 == 0 ? .skip : .replace },
    ])
    options.duplicates = random.one(of: [.last, .last, .first, .rename, .error])
    options.onlyRealFiles = random.once(in: 10)
    options.dropsDirectories = random.once(in: 10)
    options.stripComponents = random.one(of: [0, 0, 0, 0, 1, 2])
    options.lowercases = random.one(of: [.none, .none, .fromDOS, .all])
    options.convertsText = random.one(of: [.none, .none, .marked, .all])
    options.keepsControlCharacters = random.once(in: 6)
    options.resolvesParents = random.once(in: 4)
    options.usesPortableNames = random.once(in: 8)
    options.keepsBackup = random.once(in: 6)
    options.writesSparse = random.once(in: 4)
    options.onlyReplacesOlder = random.once(in: 10)
    options.onlyFreshens = random.once(in: 16)
    options.setsTimes = !random.once(in: 6)
    options.passwords = passwords
    options.limits.totalSize = mostContent
    options.limits.decoderMemory = 16 << 20
    options.limits.files = random.once(in: 8) ? 4 : nil
    return options
  }

  /// What a run tells: each entry's outcome, in the order in which it was told, and general troubles.
  private struct Told: Equatable {
    var entries: [Int] = []
    var outcomes: [String] = []
    var general: [String] = []
  }

  private static func perform(
    _ archive: ZipArchive, _ options: ExtractionOptions, _ path: String
  ) -> Told {
    let entries = Mutex<[Int]>([])
    var told = Told()
    let run = ExtractionRun(
      core: archive.core, path: path, options: options, selection: nil,
      meter: WorkMeter("Extracting…"),
      observer: { outcome in entries.withLock { $0.append(outcome.entryIndex) } })
    do {
      let report = try run.perform()
      told.outcomes = report.outcomes.map {
        "\($0.entryIndex) \($0.status) \($0.path ?? "-") \($0.problems.map(\.code.id))"
      }
      told.general = report.general.map(\.code.id)
      told.entries = entries.withLock { $0 }
      expect(told.entries.sorted() == told.entries, "outcomes are told in the directory's order")
      expect(told.entries.count == told.outcomes.count, "each outcome is told once")
    } catch {
      told.general = [error.code.id]
    }
    return told
  }

  /// What does not depend on when a tree was made.
  private struct Fact: Equatable {
    var kind: FileStatus.Kind
    var mode: UInt32
    var seconds: Int64
    var target: String?
    var content: [UInt8]
  }

  private static func facts(_ tree: DiskTree, _ isTaken: Bool) -> [ExactName: Fact] {
    tree.nodes.mapValues { node in
      let isDated = node.status.kind == .regular && !isTaken
      return Fact(
        kind: node.status.kind, mode: node.status.mode,
        seconds: isDated ? node.status.modified.seconds : 0, target: node.target,
        content: node.content)
    }
  }

  private static func remove(_ folder: String) {
    // Modes of the archive's may keep all but root out of a directory.
    do {
      try FileSystem.removeTree(folder)
    } catch {
      expect(false, "the stage can be cleared: \(error)")
    }
  }
}

/// A folder with targets, and one beside them that nothing may touch.
struct Stage {
  private let folder: String
  private let targets: [String]
  private let outside: DiskTree
  /// Targets as they were.
  private(set) var before: [String: DiskTree] = [:]

  /// Sets the stage; targets have things in them already where they are taken.
  init(_ folder: String, targets: [String], isTaken: Bool) throws {
    self.folder = folder
    self.targets = targets
    try FileSystem.makeDirectories(Path.join(folder, "outside/d"))
    try Place.write("outside/file", Array("innocent".utf8), in: folder)
    try Place.write("outside/d/a", Array("innocent, too".utf8), in: folder)
    outside = try DiskTree(Path.join(folder, "outside"))
    for name in targets {
      let target = Path.join(folder, name)
      try FileSystem.makeDirectories(target)
      if isTaken { try Self.take(target) }
      before[name] = try DiskTree(target)
    }
  }

  private static func take(_ target: String) throws {
    let directory = try FileDescriptor.open(target, [.pathOnly, .directory])
    try FileSystem.makeSymbolicLink("l", to: "../outside", in: directory)
    try FileSystem.makeSymbolicLink("whole", to: "../outside/file", in: directory)
    try FileSystem.makeSymbolicLink("x", to: "../outside/new", in: directory)
    try Place.write("a", Array("old".utf8), in: target)
    try FileSystem.makeDirectory(Path.join(target, "b"))
    try FileSystem.makeDirectory(Path.join(target, "d"))
    try Place.write("d/b", Array("old, too".utf8), in: target)
  }

  func path(_ name: String) -> String { Path.join(folder, name) }

  /// Nothing is new beside the targets, and nothing has changed.
  func checkOutside() throws {
    expect(
      try FileSystem.names(in: folder).sorted() == (targets + ["outside"]).sorted(),
      "nothing is made beside the target")
    expect(try DiskTree(path("outside")) == outside, "nothing outside the target changes")
  }
}

/// What must hold of a target after an extraction, whatever the archive was.
struct PlacementOracle {
  private let archive: ZipArchive
  private let options: ExtractionOptions
  private let report: ExtractionReport
  private let tree: DiskTree
  private let before: DiskTree?
  private let isTaken: Bool

  init(
    _ archive: ZipArchive, _ options: ExtractionOptions, _ report: ExtractionReport,
    _ tree: DiskTree, before: DiskTree?, _ isTaken: Bool
  ) {
    self.archive = archive
    self.options = options
    self.report = report
    self.tree = tree
    self.before = before
    self.isTaken = isTaken
  }

  func check() {
    var files: [ExactName: ZipEntry] = [:]
    var links: [ExactName: ZipEntry] = [:]
    var bytes: UInt64 = 0
    for outcome in report.outcomes {
      let entry = archive.entries[outcome.entryIndex]
      expect(
        (outcome.path != nil) == Self.isPlaced(outcome.status), "what is placed has a path")
      guard let path = outcome.path else { continue }
      switch outcome.status {
      case .done:
        bytes += entry.size
        expect(files.updateValue(entry, forKey: ExactName(path)) == nil, "\(path) is given once")
      case .link:
        expect(
          links.updateValue(entry, forKey: ExactName(path)) == nil, "\(path) is given once")
      default:
        let name = path.hasSuffix("/") ? String(path.dropLast()) : path
        expect(tree.nodes[ExactName(name)]?.status.kind == .directory, "\(path) is a directory")
      }
    }
    expect(report.bytes == bytes, "bytes are those of files in place")
    expect(bytes <= mostContent, "limits hold")
    checkFiles(files)
    checkKinds()
    checkLinks(links)
    checkKept(files, links)
  }

  private static func isPlaced(_ status: ExtractionReport.Status) -> Bool {
    switch status {
    case .done, .link, .directory, .directoryMade: true
    default: false
    }
  }

  /// Files in place are whole.
  private func checkFiles(_ files: [ExactName: ZipEntry]) {
    let reader = EntryReader(archive.core)
    reader.passwords = passwords
    for (name, entry) in files {
      let path = name.text
      guard let node = tree.nodes[name] else { return expect(false, "\(path) is there") }
      expect(node.status.kind == .regular && node.status.linkCount == 1, "\(path) is a file")
      guard var content = try? ArchiveChecks.streamed(reader, entry) else {
        return expect(false, "\(path) can be read again")
      }
      let isAES = entry.method == .winZipAES && entry.crc32 == 0
      expect(isAES || TestChecksum.crc32(content) == entry.crc32, "\(path) has its checksum")
      if options.convertsText == .all || options.convertsText == .marked && entry.isText {
        content = LineEndConverter.whole(unsafe content.span.bytes)
      }
      expect(node.content == content, "\(path) is whole")
    }
  }

  private func checkKinds() {
    for (name, node) in tree.nodes {
      let path = name.text
      expect(
        [.regular, .directory, .symbolicLink].contains(node.status.kind),
        "\(path) is of three kinds")
      if node.status.kind != .symbolicLink {
        expect(node.status.mode & 0o7000 == 0, "\(path) has no set-id bits")
      }
    }
  }

  /// What no entry answers for was there before, or is a directory on the way to something.
  private func checkKept(_ files: [ExactName: ZipEntry], _ links: [ExactName: ZipEntry]) {
    for (name, node) in tree.nodes where files[name] == nil && links[name] == nil {
      let path = name.text
      if let old = before?.nodes[name] {
        expect(
          old.content == node.content && old.target == node.target
            && old.status.kind == node.status.kind, "\(path) is as it was")
        continue
      }
      if node.status.kind == .directory { continue }
      let original =
        path.hasSuffix("~") ? before?.nodes[ExactName(String(path.dropLast()))] : nil
      expect(
        options.keepsBackup && original.map { $0.content == node.content } == true,
        "\(path) belongs to an entry")
    }
  }

  /// Links stay inside, by their letters and by what they lead to.
  private func checkLinks(_ links: [ExactName: ZipEntry]) {
    for name in links.keys {
      let path = name.text
      guard let node = tree.nodes[name], let target = node.target else {
        return expect(false, "\(path) is a link")
      }
      expect(target.utf8.first != UInt8(ascii: "/"), "\(path) is relative")
      // A link that was there before is its owner's.
      if !isTaken { expect(leads(path, hops: 0) != nil, "\(path) stays inside") }
    }
  }

  /// The parts of the path that a path below the target leads to; nil where it leads out.
  private func leads(_ path: String, hops: Int) -> [String]? {
    var parts: [String] = []
    // By bytes, as the kernel does.
    for bytes in path.utf8.split(separator: UInt8(ascii: "/")) {
      let part = String(Substring(bytes))
      if part == "." { continue }
      if part == ".." {
        guard parts.popLast() != nil else { return nil }
        continue
      }
      parts.append(part)
      let here = parts.joined(separator: "/")
      guard let target = tree.nodes[ExactName(here)]?.target else { continue }
      // A circle leads nowhere.
      guard hops < 40 else { return [] }
      guard target.utf8.first != UInt8(ascii: "/") else { return nil }
      parts.removeLast()
      guard let real = leads((parts + [target]).joined(separator: "/"), hops: hops + 1) else {
        return nil
      }
      parts = real
    }
    return parts
  }
}
