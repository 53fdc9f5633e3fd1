import SystemIO
import Testing
import TestSupport
import ZipKitCore

/// A cipher that changes a byte now and then by the one it changed before, with their sum behind the data.
private final class ChainCipher: EntryCipher {
  private static let distance = 1021

  private var next = 0
  private var last: UInt8 = 0
  private var sum: UInt8 = 0

  var headerSize: Int { 1 }
  var trailerSize: Int { 1 }
  var replacesChecksum: Bool { false }

  func unlock(header: RawSpan, password: [UInt8]) throws(DecodeError) -> Bool { true }

  func decrypt(_ bytes: inout MutableRawSpan) {
    unsafe bytes.withUnsafeMutableBytes { buffer in
      while next < buffer.count {
        let coded = unsafe buffer[next]
        unsafe buffer[next] = coded ^ last
        last = coded
        sum &+= coded
        next += Self.distance
      }
      next -= buffer.count
    }
  }

  func finish(trailer: RawSpan) throws(DecodeError) {
    guard unsafe trailer.unsafeLoad(as: UInt8.self) == sum else {
      throw DecodeError(.notAuthentic, "another sum")
    }
  }

  static func encrypt(_ bytes: [UInt8]) -> [UInt8] {
    var result = bytes
    var (last, sum) = (UInt8(0), UInt8(0))
    for place in stride(from: 0, to: bytes.count, by: distance) {
      last ^= bytes[place]
      sum &+= last
      result[place] = last
    }
    return [0] + result + [sum]
  }
}

/// An archive of which a stretch cannot be read.
private struct BrokenSource: ArchiveSource {
  let bytes: BytesSource
  let bad: Range<UInt64>

  var size: UInt64 { bytes.size }

  func read(at offset: UInt64, into output: inout OutputRawSpan) throws(ZipError) {
    let end = offset + UInt64(output.freeCapacity)
    guard bad.upperBound <= offset || end <= bad.lowerBound else {
      throw ZipError(.sourceRead, "expected to read, found a bad place", offset: offset)
    }
    try bytes.read(at: offset, into: &output)
  }
}

/// Entries so large that several threads share the work on one.
@Suite("large entries") struct LargeEntryTests {
  let directory: TemporaryDirectory
  var target: String { directory.path("out") }

  init() throws { directory = try TemporaryDirectory() }

  private static let content: [UInt8] = {
    let piece = (0..<(1 << 16)).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 5) }
    return [UInt8]((0..<257).map { _ in piece }.joined()) + [1, 2, 3]
  }()
  private static let deflated = TestDeflate.stored(content)

  private static func archive(_ method: UInt16, encrypted: Bool = false) -> [UInt8] {
    let coded = method == 8 ? deflated : content
    let entry = ZipBuilder.Entry(bytes: [97], content, method: method).with {
      $0.coded = encrypted ? ChainCipher.encrypt(coded) : coded
      $0.flags = encrypted ? 1 : 0
    }
    return ZipBuilder([entry, .init("b", "next")]).bytes()
  }

  private static let plain = archive(8)
  private static let encrypted: [UInt16: [UInt8]] = [
    0: archive(0, encrypted: true), 8: archive(8, encrypted: true),
  ]

  private func extract(_ source: any ArchiveSource, jobs: Int) async throws -> ExtractionReport {
    var options = ExtractionOptions()
    options.jobs = jobs
    options.passwords = [[1]]
    var opening = ZipArchive.Options()
    opening.registry.register(cipher: { coding throws(DecodeError) in
      coding.flags.contains(.encrypted) ? ChainCipher() : nil
    })
    return try await ZipArchive(source: source, options: opening)
      .extract(to: target, options: options)
  }

  /// What became of the large entry; the other is always there, and nothing else.
  private func problem(_ source: any ArchiveSource, jobs: Int) async throws -> ZipError? {
    let report = try await extract(source, jobs: jobs)
    let problem = report.outcome(of: 0).problems.first
    #expect(try FileSystem.names(in: target).sorted() == (problem == nil ? ["a", "b"] : ["b"]))
    #expect(report.outcome(of: 1).status == .done)
    return problem
  }

  @Test(arguments: [UInt16(0), 8], [1, 2, 4])
  func `an encrypted one comes out the same on any number of threads`(
    method: UInt16, jobs: Int
  ) async throws {
    let source = BytesSource(try #require(Self.encrypted[method]))
    #expect(try await problem(source, jobs: jobs) == nil)
    #expect(try directory.read("out/a") == Self.content)
  }

  @Test(arguments: [1, 2])
  func `what the decoder has no use for is authenticated too`(jobs: Int) async throws {
    let coded = Self.deflated + [UInt8](repeating: 9, count: 3 << 20)
    let entry = ZipBuilder.Entry(bytes: [97], Self.content, method: 8).with {
      $0.coded = ChainCipher.encrypt(coded)
      $0.flags = 1
    }
    var bytes = ZipBuilder([entry, .init("b", "next")]).bytes()
    #expect(try await problem(BytesSource(bytes), jobs: jobs) == nil)
    try FileSystem.removeTree(target)
    bytes[31 + 1 + coded.count / 1021 * 1021] ^= 1
    #expect(try await problem(BytesSource(bytes), jobs: jobs)?.code == .authenticationMismatch)
  }

  @Test(arguments: [1, 2, 4])
  func `damage in the middle costs the entry and no other`(jobs: Int) async throws {
    var bytes = Self.plain
    bytes[9_000_000] ^= 1
    #expect(try await problem(BytesSource(bytes), jobs: jobs)?.code == .crcMismatch)
    try FileSystem.removeTree(target)
    // A block's length and its complement no longer fit together.
    var broken = Self.plain
    broken[31 + 100 * (0xffff + 5) + 1] ^= 1
    #expect(try await problem(BytesSource(broken), jobs: jobs)?.code == .dataDamaged)
  }

  private func open(_ source: any ArchiveSource) throws -> ZipArchive {
    var opening = ZipArchive.Options()
    opening.registry.register(cipher: { coding throws(DecodeError) in
      coding.flags.contains(.encrypted) ? ChainCipher() : nil
    })
    return try ZipArchive(source: source, options: opening)
  }

  /// The content as it is read, and the error at its end.
  private func read(
    _ source: any ArchiveSource, jobs: Int
  ) throws -> (content: [UInt8], error: ZipError?) {
    var content: [UInt8] = []
    let entry = try open(source).entries[0]
    do {
      try entry.read(passwords: [[1]], convertingText: .none, jobs: jobs) {
        (bytes) throws(ZipError) in
        unsafe bytes.withUnsafeBytes { unsafe content.append(contentsOf: $0) }
      }
    } catch {
      return (content, error)
    }
    return (content, nil)
  }

  private func verify(_ source: any ArchiveSource, jobs: Int) async throws -> ZipError? {
    var options = ExtractionOptions()
    options.jobs = jobs
    options.passwords = [[1]]
    let report = try await open(source).verify(options: options)
    #expect(report.outcome(of: 1).status == .done)
    #expect((report.outcome(of: 0).status == .done) == report.allProblems.isEmpty)
    return report.outcome(of: 0).problems.first
  }

  @Test(arguments: [1, 2, 4])
  func `tests and reads find what extraction finds, on any number of threads`(
    jobs: Int
  ) async throws {
    for bytes in [Self.plain] + Self.encrypted.values {
      #expect(try await verify(BytesSource(bytes), jobs: jobs) == nil)
      let found = try read(BytesSource(bytes), jobs: jobs)
      #expect(found.error == nil)
      #expect(found.content == Self.content)
    }
    var damaged = Self.plain
    damaged[9_000_000] ^= 1
    var broken = Self.plain
    broken[31 + 100 * (0xffff + 5) + 1] ^= 1
    for (bytes, code) in [(damaged, ZipError.Code.crcMismatch), (broken, .dataDamaged)] {
      let error = try await verify(BytesSource(bytes), jobs: jobs)
      #expect(error?.code == code)
      let found = try read(BytesSource(bytes), jobs: jobs)
      #expect(found.error == error)
      // What came before the damage was handed out.
      #expect(found.content.count >= 12 << 19)
    }
    let source = BrokenSource(bytes: BytesSource(Self.plain), bad: 9_000_000..<9_000_001)
    #expect(try await verify(source, jobs: jobs)?.code == .sourceRead)
    #expect(try read(source, jobs: jobs).error?.code == .sourceRead)
  }

  @Test(arguments: [1, 2])
  func `a reader that has had enough ends all threads`(jobs: Int) throws {
    var pieces = 0
    #expect {
      try open(BytesSource(Self.plain)).entries[0]
        .read(passwords: [], convertingText: .none, jobs: jobs) { (_) throws(ZipError) in
          pieces += 1
          if pieces == 3 { throw ZipError(.cancelled, "enough") }
        }
    } throws: { ($0 as? ZipError)?.message == "enough" }
    #expect(pieces == 3)
  }

  @Test(arguments: [1, 2, 4], [false, true])
  func `a source that cannot be read in the middle costs the entry`(
    jobs: Int, encrypted: Bool
  ) async throws {
    let source = BrokenSource(
      bytes: BytesSource(try encrypted ? #require(Self.encrypted[8]) : Self.plain),
      bad: 9_000_000..<9_000_001)
    let problem = try await problem(source, jobs: jobs)
    #expect(problem?.code == .sourceRead)
    #expect(problem?.entryIndex == 0)
  }
}
