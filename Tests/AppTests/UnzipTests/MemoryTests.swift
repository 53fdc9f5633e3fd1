import Synchronization
import SystemIO
import TestSupport
import Testing

/// What the program takes at most, whatever the archive.
@Suite("unzip, and its memory", .serialized, .timeLimit(.minutes(10))) struct MemoryTests {
  let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  /// The most that a run had; what the kernel remembers of it is looked at until it ends.
  private func peak(
    _ arguments: [String], status: Int32 = 0
  ) async throws -> (bytes: Int, errors: String) {
    let program = try RunningProgram("unzip", arguments, on: .output("/dev/null"))
    let isOver = Atomic<Bool>(false)
    let finished = Task {
      defer { isOver.store(true, ordering: .releasing) }
      return try await program.finish()
    }
    var most = 0
    while !isOver.load(ordering: .acquiring) {
      most = max(most, MemoryPeak.bytes(of: program.id))
      try await Task.sleep(for: .milliseconds(2))
    }
    #expect(try await finished.value == .exited(status: status), "\(program.errorText.prefix(500))")
    // As much as nothing would mean that nothing was looked at.
    #expect(most > 2 << 20)
    return (most, program.errorText)
  }

  /// 64 MiB, and 16 MiB a worker.
  private func bound(_ jobs: Int) -> Int { (64 + 16 * jobs) << 20 }

  private func expectBounded(_ peak: Int, jobs: Int, entries: Int = 0) {
    #expect(peak <= bound(jobs) + 100 * entries, "\(peak >> 20) MiB with \(jobs) workers")
  }

  @Test(arguments: [1, 2, 4])
  func `many small entries take what the workers take`(jobs: Int) async throws {
    let content = (0..<3000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 3) }
    let entries = (0..<2000).map {
      ZipBuilder.Entry(
        bytes: Array("d\($0 / 100)/f\($0)".utf8), content, method: $0 % 2 == 0 ? 8 : 0)
    }
    let archive = try folder.write("a.zip", ZipBuilder(entries).bytes())
    for arguments in [[archive, "-d", folder.path("out")], ["-t", archive]] {
      let peak = try await peak(["-q", "--jobs", "\(jobs)"] + arguments)
      expectBounded(peak.bytes, jobs: jobs)
      #expect(peak.errors.isEmpty)
    }
  }

  /// Zeros of which almost all are one long match after the other, a period of 13 bytes.
  private static func zeros() -> ZipBuilder.Entry {
    let some = TestDeflate.encode([UInt8](repeating: 0, count: 1 + 258 * 64))
    var coded = Array(some[..<15])
    let period = Array(some[2..<15])
    for _ in 0..<130_000 { coded += period }
    coded += some[15...]
    return entry("deflated", method: 8, coded, size: 268_336_513, crc: 0x5063_12c1)
  }

  private static func entry(
    _ name: String, method: UInt16, _ coded: [UInt8], size: UInt32, crc: UInt32
  ) -> ZipBuilder.Entry {
    ZipBuilder.Entry(bytes: Array(name.utf8), [], method: method).with {
      $0.coded = coded
      $0.local = { ($0.size, $0.crc) = (size, crc) }
      $0.central = { ($0.size, $0.crc) = (size, crc) }
    }
  }

  @Test(arguments: [1, 2, 4])
  func `a quarter of a gigabyte takes no more`(jobs: Int) async throws {
    let stored = [UInt8](repeating: 0, count: 64 << 20)
    let archive = try folder.write(
      "a.zip",
      ZipBuilder([
        Self.zeros(), Self.entry("stored", method: 0, stored, size: 64 << 20, crc: 0xb2eb_30ed),
      ]).bytes())
    let out = folder.path("out")
    for arguments in [["-t", archive], ["-p", archive], ["--sparse", archive, "-d", out]] {
      let peak = try await peak(["-q", "--jobs", "\(jobs)"] + arguments)
      expectBounded(peak.bytes, jobs: jobs)
    }
    #expect(try FileSystem.status(out + "/deflated").size == 268_336_513)
  }

  @Test func `a million entries are listed, and one is taken, within 150 MB`() async throws {
    let archive = folder.path("a.zip")
    try ManyEntries.write(1_000_000, .sound, to: archive)
    for arguments in [
      ["-Z1", archive], ["-q", archive, "dir500/500123", "-d", folder.path("out")],
    ] {
      let peak = try await peak(arguments).bytes
      #expect(peak <= 150_000_000, "\(peak) bytes: \(arguments[0])")
    }
    #expect(try folder.read("out/dir500/500123") == [120])
  }

  /// What each entry more takes at most; a small archive's peak is what the program takes anyhow.
  @Test(arguments: [
    (ManyEntries.Kind.directories, 200_000, ["-qo", "--dry-run"]),
    (.twice, 200_000, ["-qo", "--duplicates", "rename", "--dry-run"]),
    (.wordy, 5000, ["-qo"]), (.wordy, 5000, ["-tq"]), (.wordy, 5000, ["-Z1"]),
  ])
  func `an entry takes a hundred bytes`(
    kind: ManyEntries.Kind, count: Int, arguments: [String]
  ) async throws {
    func peak(count: Int) async throws -> Int {
      let run = try TemporaryDirectory()
      let archive = run.path("a.zip")
      try ManyEntries.write(count, kind, to: archive)
      var all = arguments
      if arguments[0] == "-qo" { all += ["--jobs", "1", "-d", run.path("out")] }
      return try await self.peak(all + [archive]).bytes
    }
    // A short run has its peak for a moment that may not be looked at: one of three has it.
    var few = 0
    for _ in 0..<3 { few = max(few, try await peak(count: count / 100)) }
    let many = try await peak(count: count)
    // What is kept of the directory itself and of buffers does not depend on the number of entries.
    let more = (many - few - (4 << 20)) / count
    #expect(more <= 100, "\(more) bytes an entry, \(many >> 20) MiB in all")
  }

  @Test func `a problem with every entry takes no more than none`() async throws {
    let count = 100_000
    let sound = folder.path("sound.zip")
    try ManyEntries.write(count, .sound, to: sound)
    let usual = try await peak(["-tq", "--jobs", "2", sound]).bytes
    expectBounded(usual, jobs: 2, entries: count)
    let cases: [(kind: ManyEntries.Kind, arguments: [String], status: Int32)] = [
      (.damaged, ["-tq"], 2), (.damaged, ["-t", "--json"], 2), (.escaping, ["-qo"], 2),
      (.overlapping, ["-tq"], 12), (.overlapping, ["-tq", "--strict"], 12),
    ]
    for (number, subject) in cases.enumerated() {
      let archive = folder.path("\(number).zip")
      try ManyEntries.write(count, subject.kind, to: archive)
      let out = subject.kind == .escaping ? ["-d", folder.path("out")] : []
      let peak = try await peak(
        subject.arguments + ["--jobs", "2", archive] + out, status: subject.status)
      let what = "\(subject.kind) \(subject.arguments)"
      #expect(
        peak.bytes <= usual + (24 << 20), "\(peak.bytes >> 20) of \(usual >> 20) MiB: \(what)")
      // The first ones are told, and how many more there are.
      #expect(peak.errors.split(separator: "\n").count < 10_010, "\(what)")
      #expect(peak.errors.contains(" more problems\n"), "\(what)")
    }
  }
}
