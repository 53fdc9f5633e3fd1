import SystemIO
import Testing
import TestSupport
import ZipKitCodecs
import ZipKitCore

/// Streams that ask for more memory than a decoder may take, each made by hand up to where it asks.
@Suite struct MemoryLimitTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var method: CompressionMethod
    var stream: [UInt8]
    var size: UInt64 = 6 << 30
  }

  static let hungry = [
    // Version, length of the properties, properties, dictionary of 4 GiB.
    Case(
      testDescription: "LZMA with a dictionary of 4 GiB", method: .lzma,
      stream: [9, 20, 5, 0, 93, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0, 0, 0, 0]),
    // Stream header, block header of 12 bytes: one filter, LZMA2, dictionary of 4 GiB.
    Case(testDescription: "XZ with a dictionary of 4 GiB", method: .xz, stream: xz(dictionary: 40)),
    // Magic, no single segment, window descriptor of 2⁴¹ bytes.
    Case(
      testDescription: "Zstandard with a window of 2 TiB", method: .zstandard,
      stream: [0x28, 0xb5, 0x2f, 0xfd, 0, 0xf8, 1, 0, 0]),
    Case(
      testDescription: "Zstandard of one segment of 4 GiB", method: .zstandard,
      stream: [0x28, 0xb5, 0x2f, 0xfd, 0xa0, 0xff, 0xff, 0xff, 0xff, 1, 0, 0]),
  ]

  private static func xz(dictionary: UInt8) -> [UInt8] {
    var flags: [UInt8] = [0, 0]
    flags.put(TestChecksum.crc32([0, 0]))
    var block: [UInt8] = [2, 0, 0x21, 1, dictionary, 0, 0, 0]
    block.put(TestChecksum.crc32(block))
    return [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0] + flags + block + [0, 0, 0, 0]
  }

  private static func entry(_ subject: Case) -> ZipBuilder.Entry {
    var size: [UInt8] = []
    size.put(subject.size)
    let extra = ZipBuilder.extra(1, size)
    return ZipBuilder.Entry("hungry", method: subject.method.rawValue).with {
      $0.coded = subject.stream
      $0.central = { fields in
        fields.size = 0xffff_ffff
        fields.extra = extra
      }
    }
  }

  private static func archive(_ entries: [ZipBuilder.Entry]) throws -> ZipArchive {
    var options = ZipArchive.Options()
    options.registry = .complete
    return try ZipArchive(bytes: ZipBuilder(entries).bytes(), options: options)
  }

  @Test(arguments: hungry)
  func `A decoder that wants too much is refused, and the next entry is read`(
    subject: Case
  ) async throws {
    let report = try await Self.archive([Self.entry(subject), .init("b", "x")]).verify()
    #expect(report.outcomes.map { $0.problems.map(\.code) } == [[.limitMemory], []])
  }

  @Test func `The limit is the caller's`() async throws {
    let archive = try Self.archive([
      .init("ppmd", method: CompressionMethod.ppmd.rawValue).with {
        // Order 8, 256 MiB, first model.
        $0.coded = [0xf7, 0x0f, 0, 0, 0, 0, 0, 0]
        $0.content = [1, 2, 3]
      }
    ])
    var options = ExtractionOptions()
    options.limits.decoderMemory = 16 << 20
    let report = try await archive.verify(options: options)
    #expect(report.allProblems.map(\.code) == [.limitMemory])
  }

  @Test(.enabled(if: !Sanitizer.isOn, Sanitizer.absence))
  func `A hostile archive takes no more memory than it may`() async throws {
    let entries = Self.hungry.map(Self.entry)
    let deep = String(repeating: "d/", count: 2040)
    let paths = (0..<60).map { ZipBuilder.Entry("\($0)/\(deep)f", "x") }
    let archive = try Self.archive((0..<50).flatMap { _ in entries } + paths)
    try MemoryPeak.forget()
    let before = try MemoryPeak.bytes()
    let directory = try TemporaryDirectory()
    var options = ExtractionOptions()
    options.isDryRun = true
    _ = try await archive.extract(to: directory.path("t"), options: options)
    _ = try await archive.verify()
    #expect(try MemoryPeak.bytes() < before + (100 << 20))
  }
}

@Suite struct EncryptedEntryTests {
  /// An entry of AES-256, AE-2: its checksum is 0, and only the code behind its data tells damage.
  private static func entry(_ change: (inout [UInt8]) -> Void = { _ in }) -> ZipBuilder.Entry {
    var data = Recorded.aes256
    change(&data)
    let coded = data
    return ZipBuilder.Entry(bytes: Array("secret".utf8), Sample.bytes, method: 99).with {
      $0.coded = coded
      $0.flags = 1
      $0.extra = [0x01, 0x99, 7, 0, 2, 0, 0x41, 0x45, 3, 8, 0]
      $0.central = { $0.crc = 0 }
    }
  }

  private func extract(
    _ entry: ZipBuilder.Entry, to path: String
  ) async throws -> ExtractionReport {
    var opening = ZipArchive.Options()
    opening.registry = .complete
    var options = ExtractionOptions()
    options.passwords = [Array("ferry".utf8)]
    return try await ZipArchive(
      bytes: ZipBuilder([entry, .init("b", "x")]).bytes(), options: opening
    ).extract(to: path, options: options)
  }

  @Test func `An entry without a checksum is whole when its code says so`() async throws {
    let directory = try TemporaryDirectory()
    #expect(try await extract(Self.entry(), to: directory.path("t")).isComplete)
    #expect(try directory.read("t/secret") == Sample.bytes)
  }

  static let damage: [(Int, ZipError.Code)] = [
    (-1, .authenticationMismatch), (-11, .dataTruncated), (17, .passwordWrong),
  ]

  @Test(arguments: damage)
  func `One changed byte leaves no file`(place: Int, code: ZipError.Code) async throws {
    let directory = try TemporaryDirectory()
    let entry = Self.entry { $0[place < 0 ? $0.count + place : place] ^= 1 }
    let report = try await extract(entry, to: directory.path("t"))
    #expect(report.outcomes.map { $0.problems.map(\.code) } == [[code], []])
    #expect(try FileSystem.names(in: directory.path("t")) == ["b"])
  }

  @Test(arguments: [0, 1, 11, 27], [UInt8(8), 14, 95])
  func `Data shorter than the headers of encryption are told`(
    count: Int, inner: UInt8
  ) async throws {
    let directory = try TemporaryDirectory()
    for method: UInt16 in [0, 99] {
      let entry = Self.entry().with {
        let data = [UInt8](repeating: 7, count: method == 0 ? min(count, 11) : count)
        $0.coded = data
        $0.method = method
        $0.extra[9] = inner
        $0.descriptor = ZipBuilder.descriptor(Sample.bytes, compressedSize: data.count)
      }
      let report = try await extract(entry, to: directory.path("t"))
      #expect(report.outcome(of: 0).problems.map(\.code) == [.dataTruncated])
    }
  }
}
