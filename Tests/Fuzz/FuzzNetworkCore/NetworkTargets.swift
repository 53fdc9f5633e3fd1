import FuzzTargets
// The parsers are not public; a build for testing lets tests and fuzzers see them.
@testable import NetworkCore

/// The parsers of NetworkCore, each fed with bytes and held to what it promises.
enum NetworkTarget: String, FuzzTarget {
  case disposition, name, range, date, validators, digest, checksum, sums, json, manifest
  case metalink, cookies, redaction, url, shard, explain, journal, head
  case resume, link

  func run(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    switch self {
    case .disposition:
      let name = ContentDisposition(text).fileName
      checkName(SafeFileName.choose(serverName: name, url: "http://h/x"))
    case .name:
      checkName(SafeFileName.choose(serverName: nil, url: text))
      if let name = SafeFileName.clean(text) {
        checkName(name)
        expect(SafeFileName.clean(name) == name)
      }
      if let name = SafeFileName.clean(text, limit: 40) { expect(name.utf8.count <= 40) }
    case .range:
      if case .part(let first, let last, let total)? = try? ContentRange(text) {
        expect(first <= last && last < total ?? .max)
      }
      _ = try? ContentLength.parse([text])
    case .date:
      _ = try? HTTPDate(text)
      let now = HTTPDate(secondsSinceEpoch: 1_700_000_000)
      if let wait = try? RetryAfter.parse(text, now: now) { expect(wait >= .zero) }
    case .validators:
      if let tag = try? EntityTag(text) { expect((try? EntityTag(tag.text)) == tag) }
      let validators = Validators(entityTag: text, lastModified: text, date: text)
      expect([.same, .alike, .unknown].contains(validators.compare(with: validators)))
    case .digest:
      _ = try? DigestFields.parseStructured(text)
      _ = try? DigestFields.parseLegacy(text)
      _ = try? DigestFields.parseContentMD5(text)
    default: runFiles(bytes, text)
    }
  }

  private func runFiles(_ bytes: [UInt8], _ text: String) {
    switch self {
    case .checksum:
      if let checksum = try? Checksum(text) {
        expect((try? Checksum(checksum.description)) == checksum)
      }
    case .sums:
      if let file = try? ChecksumFile(bytes) {
        for entry in file.entries { _ = file.checksums(for: entry.name ?? "") }
      }
    case .json: _ = try? JSONValue(bytes)
    case .manifest:
      for entry in (try? Manifest(bytes))?.entries ?? [] { checkPath(entry.output) }
    case .metalink:
      for file in (try? Metalink(bytes))?.files ?? [] { checkPath(file.name) }
    case .cookies: _ = try? CookieFile.check(bytes)
    case .redaction:
      let once = URLRedaction.redact(text)
      expect(URLRedaction.redact(once) == once)
      _ = URLRedaction.redactText(text)
      let secret = URLRedaction.redact("http://joe:hunter2@h/x?token=hunter2#" + text)
      expect(text.contains("hunter2") || !secret.contains("hunter2"))
    case .url:
      _ = try? URLParts(text)
      expect(TransferURL.isSameOrigin(text, text))
      _ = URLParts.lastPathSegment(of: text)
    case .shard:
      if let shard = try? ShardSelection(text) { expect(shard.index <= shard.count) }
    case .explain: _ = NetworkErrorTable.explain(text)
    default: runTransfer(bytes, text)
    }
  }

  private func runTransfer(_ bytes: [UInt8], _ text: String) {
    switch self {
    case .journal:
      for journal in [bytes, JournalFormat.magic + bytes, Self.sealed(bytes)] {
        guard let state = JournalState(journal) else { continue }
        expect(state.length <= journal.count)
        let proven = state.proven(bootID: "boot", partSize: 1 << 20)
        expect(proven.ranges.allSatisfy { $0.upperBound <= 1 << 20 })
      }
    case .resume:
      if let data = try? ResumeData(bytes) {
        expect(data.bytes == bytes)
        expect((try? ResumeData(data.bytes)) == data)
      }
      // Behind its magic, and with the checksum made right, so that the fields are reached.
      let magic = Array("CRRESM1\n".utf8)
      let sum = CRC32C.checksum(magic + bytes)
      let whole = magic + bytes + (0..<4).map { UInt8(truncatingIfNeeded: sum >> ($0 * 8)) }
      if let data = try? ResumeData(whole) { expect((try? ResumeData(data.bytes)) == data) }
    case .link:
      for link in LinkField.parse(text) {
        expect(!link.target.isEmpty || text.contains("<"))
        expect((1...999_999).contains(link.priority))
      }
    default:
      var collector = HeadCollector()
      for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
        guard case .complete(let head) = collector.take(String(line)) else { continue }
        let known = FileVersion(entityTag: "\"a\"", lastModified: nil, date: nil, total: 1000)
        for ask in [RangeAsk(), RangeAsk(start: 500, end: nil, isRanged: true)] {
          let verdict = ResponseRule.judge(
            head, ask: ask, known: known, stored: ask.start, decodes: true)
          if case .body(let body) = verdict { expect(body.start <= body.end ?? .max) }
        }
      }
    }
  }

  var seeds: [[UInt8]] {
    guard self == .journal else { return [] }
    let version = FileVersion(entityTag: "\"a\"", lastModified: "b", date: nil, total: 1000)
    let records: [JournalRecord] = [
      .origin(["http://h/x", "http://h/y"]), .version(version),
      .session(bootID: "boot", processID: 7), .written(10..<20),
      .synced(ByteRanges([0..<5, 9..<12])),
      .written(40..<60), .reset, .written(1..<3),
    ]
    // What a sealed record has is left out: the upper bytes of its length, and its checksum.
    return [
      records.flatMap { record -> [UInt8] in
        let bytes = JournalFormat.encode(record)
        return [bytes[0]] + bytes[4..<bytes.count - 4]
      }
    ]
  }

  /// A journal whose records have their lengths and checksums right, so that the fields are reached; each is its length
  /// in a byte, its kind, and its payload.
  private static func sealed(_ bytes: [UInt8]) -> [UInt8] {
    var journal = JournalFormat.magic
    var rest = bytes[...]
    while let length = rest.popFirst(), let kind = rest.popFirst() {
      let payload = rest.prefix(Int(length))
      rest = rest.dropFirst(payload.count)
      var record: [UInt8] = [UInt8(payload.count), 0, 0, 0, kind] + payload
      record.append(integer: CRC32C.checksum(record))
      journal += record
    }
    return journal
  }

  private func checkName(_ name: String) {
    expect(!name.isEmpty && name.utf8.count <= 255)
    expect(!name.hasPrefix(".") && !name.hasSuffix("."))
    expect(!name.unicodeScalars.contains { $0 == "/" || $0 == "\\" || $0.value < 32 })
  }

  private func checkPath(_ path: String?) {
    guard let path else { return }
    expect(!path.hasPrefix("/") && !path.split(separator: "/").contains(".."))
  }
}
