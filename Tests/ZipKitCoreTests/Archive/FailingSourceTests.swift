import Synchronization
import SystemIO
import Testing
import TestSupport
import ZipKitCore

/// A source in which one read, by its number, does not come to pass.
private final class FailingSource: ArchiveSource {
  /// What becomes of that read.
  enum Way: CaseIterable {
    case error
    /// Half of the bytes, as from a file that was cut meanwhile.
    case half
    case nothing
  }

  let size: UInt64
  private let whole: BytesSource
  private let place: Int
  private let way: Way
  private let count = Atomic<Int>(0)

  init(_ bytes: [UInt8], at place: Int, _ way: Way) {
    whole = BytesSource(bytes)
    size = whole.size
    self.place = place
    self.way = way
  }

  var hasStruck: Bool { count.load(ordering: .relaxed) >= place }

  func read(at offset: UInt64, into output: inout OutputRawSpan) throws(ZipError) {
    guard count.add(1, ordering: .relaxed).newValue == place else {
      return try whole.read(at: offset, into: &output)
    }
    switch way {
    case .error:
      throw ZipError(.sourceRead, "expected a read, found a fault", offset: offset, cause: 5)
    case .half:
      let count = Int(min(UInt64(output.freeCapacity), size - offset)) / 2
      let start = Int(offset)
      for byte in whole.bytes[start..<(start + count)] { output.append(byte) }
    case .nothing: break
    }
  }
}

@Suite("reads that fail") struct FailingSourceTests {
  private static let large = [UInt8](repeating: 120, count: (4 << 20) + 70_000)
  private static let files: [(name: String, content: [UInt8])] = [
    ("stored", Array("stored".utf8)), ("deflated", [UInt8](repeating: 97, count: 5000)),
    ("described", Array("described".utf8)), ("d/large", large), ("d/coded", large),
  ]

  private static let archive: [UInt8] = {
    var zip = ZipBuilder([
      .init(bytes: Array(files[0].name.utf8), files[0].content),
      .init(bytes: Array(files[1].name.utf8), files[1].content, method: 8),
      .init(bytes: Array(files[2].name.utf8), files[2].content).with {
        $0.descriptor = ZipBuilder.descriptor(files[2].content, compressedSize: 9)
      },
      .init(bytes: Array(files[3].name.utf8), large),
      .init(bytes: Array(files[4].name.utf8), large, method: 8).with {
        $0.coded = TestDeflate.stored(large)
      },
      .init("link", "stored", mode: 0o120777),
    ])
    zip.isZip64 = true
    zip.prefix = Array("prefix".utf8)
    return zip.bytes()
  }()

  /// Runs a body with a fault at each read in turn, until one run is without.
  private func atEachRead(
    _ way: FailingSource.Way, _ body: (FailingSource) async throws -> Void
  ) async throws {
    for place in 1..<500 {
      let source = FailingSource(Self.archive, at: place, way)
      try await body(source)
      guard source.hasStruck else {
        #expect(place > 3)
        return
      }
    }
    Issue.record("500 reads were made")
  }

  /// What may be said of a read that failed, or came short.
  private func expectNamed(_ error: ZipError, _ way: FailingSource.Way) {
    let short: Set<ZipError.Code> = [
      .noEndRecord, .directoryDamaged, .directoryCount, .localHeaderMissing, .dataTruncated,
      .zip64Missing, .crcMismatch, .sizeMismatch, .descriptorDiffers, .localHeaderDiffers,
      .localNameDiffers, .prefixBytes, .zip64Differs, .dataDamaged,
    ]
    #expect(way == .error ? error.code == .sourceRead : short.contains(error.code), "\(error)")
    let hasPlace = error.offset != nil || [.crcMismatch, .sizeMismatch].contains(error.code)
    #expect(hasPlace, "\(error.code) \(error)")
  }

  private func open(_ source: FailingSource, _ way: FailingSource.Way) throws -> ZipArchive? {
    do {
      let archive = try ZipArchive(source: source)
      if archive.entries.count < Self.files.count + 1 {
        #expect(archive.problems.contains { $0.code == .directoryCount })
      }
      return archive
    } catch {
      expectNamed(error, way)
      return nil
    }
  }

  @Test(arguments: FailingSource.Way.allCases, [1, 3])
  private func `an extraction leaves whole files and names the others`(
    way: FailingSource.Way, jobs: Int
  ) async throws {
    try await atEachRead(way) { source in
      let directory = try TemporaryDirectory()
      guard let archive = try open(source, way) else { return }
      var options = ExtractionOptions()
      options.jobs = jobs
      let report = try archive.extractBlocking(
        to: directory.path("out"), options: options, walks: false)
      for entry in archive.entries {
        let outcome = report.outcome(of: entry.index)
        let path = directory.path("out/" + entry.name)
        if entry.kind == .symbolicLink {
          #expect(FileSystem.exists(path) == (outcome.status == .link))
        } else {
          let content = try #require(Self.files.first { $0.name == entry.name }?.content)
          let verdict = FileContent.compare(path, with: content)
          #expect(verdict == (outcome.status == .done ? .same : .missing), "\(entry.name)")
        }
        for problem in outcome.problems { expectNamed(problem, way) }
        #expect(outcome.problems.isEmpty == (outcome.status == .done || outcome.status == .link))
      }
      let known = Set(archive.entries.map { $0.name.split(separator: "/").last.map(String.init) })
      for name in try FileSystem.names(in: directory.path("out"))
        + ((try? FileSystem.names(in: directory.path("out/d"))) ?? []) where name != "d"
      {
        #expect(known.contains(name), "\(name) was left")
      }
    }
  }

  @Test(arguments: FailingSource.Way.allCases)
  private func `a test, an inspection and every kind of reading name what they miss`(
    way: FailingSource.Way
  ) async throws {
    try await atEachRead(way) { source in
      guard let archive = try open(source, way) else { return }
      let report = try await archive.verify()
      for problem in report.allProblems { expectNamed(problem, way) }
      let usual = try ZipArchive(bytes: Self.archive).inspect()
      for problem in archive.inspect() where !usual.contains(problem) {
        expectNamed(problem, way)
      }
      for entry in archive.entries {
        do {
          let content = try entry.contents()
          let whole = Self.files.first { $0.name == entry.name }?.content ?? Array("stored".utf8)
          #expect(FileContent.areEqual(content, whole))
        } catch let error as ZipError {
          expectNamed(error, way)
        }
        do {
          var count = 0
          for try await bytes in entry.bytes() { count += bytes.count }
          #expect(count == Int(entry.size))
        } catch let error as ZipError {
          expectNamed(error, way)
        }
      }
    }
  }

  @Test(arguments: FailingSource.Way.allCases)
  private func `a search for what is left ends in entries or in an error`(
    way: FailingSource.Way
  ) async throws {
    try await atEachRead(way) { source in
      do {
        let salvage = try await ArchiveSalvage.open(source: source)
        let report = try await salvage.archive.verify()
        #expect(report.count(of: .done) + salvage.lost.count <= 8)
      } catch let error as ZipError {
        expectNamed(error, way)
      }
    }
  }

  @Test func `a file that is cut while it is open costs what lay behind the cut`() async throws {
    let directory = try TemporaryDirectory()
    let path = try directory.write("a.zip", Self.archive)
    let archive = try ZipArchive(path: path)
    try FileDescriptor.open(path, .writeOnly).truncate(to: 1 << 20)
    let report = try await archive.extract(to: directory.path("out"))
    #expect(report.outcomes.map(\.status).prefix(5) == [.done, .done, .done, .failed, .failed])
    #expect(report.outcome(of: 3).problems.map(\.code) == [.dataTruncated])
    #expect(try FileSystem.names(in: directory.path("out/d")).isEmpty)
  }

  @Test func `reads that come in pieces are put together`() throws {
    // The kernel gives its symbols a page at a time at the most.
    let file = try FileDescriptor.open("/proc/kallsyms")
    let whole = try file.readToEnd(limit: 64 << 20)
    try #require(whole.count > 1 << 16)
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    let count = try unsafe buffer.withUnsafeMutableBytes {
      try unsafe file.readFully(into: $0, at: 0)
    }
    #expect(count == buffer.count)
    #expect(buffer == Array(whole.prefix(1 << 16)))
  }
}
