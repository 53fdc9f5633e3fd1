import NetworkCore
import Synchronization
import SystemIO
import TestSupport
import Testing

@Suite("Mirrors and pieces")
struct MirrorTests {
  let folder: TemporaryDirectory
  let session: NetworkSession
  let body = pattern(700_000)
  static let pieceLength = 64 << 10

  init() throws {
    folder = try TemporaryDirectory()
    session = try NetworkSession()
  }

  /// What was told while a download ran.
  final class Diary: Sendable {
    struct Entry: Equatable {
      var name: String
      var bytes: UInt64 = 0
      var error: NetworkError?
    }
    private let entries = Mutex<[Entry]>([])
    var all: [Entry] { entries.withLock { $0 } }

    func note(_ event: DownloadEvent) {
      switch event {
      case .switched(_, let to, let error):
        entries.withLock { $0.append(Entry(name: "to \(to)", error: error)) }
      case .mending(let error, let bytes):
        entries.withLock { $0.append(Entry(name: "mending", bytes: bytes, error: error)) }
      default: break
      }
    }
  }

  var target: DownloadTarget { .file(folder.path("f")) }
  var names: [String] { ((try? FileSystem.names(in: folder.path)) ?? []).sorted() }

  func options(
    _ diary: Diary = Diary(), _ change: (inout DownloadOptions) throws -> Void = { _ in }
  ) rethrows -> DownloadOptions {
    var options = DownloadOptions()
    options.retryLimit = 0
    options.connections = .fixed(1)
    options.onEvent = { diary.note($0) }
    try change(&options)
    return options
  }

  func digest(_ bytes: some Sequence<UInt8>) throws -> Checksum {
    var digest = try RunningDigest(.sha256)
    digest.update(Array(bytes))
    return try digest.finish()
  }

  func pieces() throws -> PieceChecksums {
    let checksums = try stride(from: 0, to: body.count, by: Self.pieceLength).map {
      try digest(body[$0..<min($0 + Self.pieceLength, body.count)])
    }
    return try #require(PieceChecksums(length: UInt64(Self.pieceLength), checksums: checksums))
  }

  /// The body with some bytes turned.
  func spoiled(_ offsets: Int...) -> [UInt8] {
    var bytes = body
    for offset in offsets { bytes[offset] ^= 1 }
    return bytes
  }

  func failure(_ body: () async throws -> DownloadReport) async -> NetworkError? {
    do {
      _ = try await body()
      Issue.record("succeeded")
      return nil
    } catch {
      return error as? NetworkError
    }
  }

  @Test(arguments: [true, false])
  func `only bad pieces are fetched again, from the next place`(hasWhole: Bool) async throws {
    let bad = spoiled(70_000, 80_000, 699_999)
    let (liar, good) = (
      try FaultServer { serve(bad, $0, tag: "a") },
      try FaultServer { [body] in serve(body, $0, tag: "b") }
    )
    let diary = Diary()
    let report = try await session.download(
      liar.url(), to: target,
      options: try options(diary) {
        $0.mirrors = [good.url("/copy")]
        $0.pieces = try pieces()
        if hasWhole { $0.checksums = [try digest(body)] }
      })
    #expect(try folder.read("f") == body)
    let last = UInt64(body.count % Self.pieceLength)
    #expect(diary.all.map(\.name) == ["mending", "to \(good.url("/copy"))"])
    #expect(diary.all.first?.bytes == UInt64(Self.pieceLength) + last)
    #expect(diary.all.first?.error?.message.contains(liar.url()) == true)
    // Each of both joins is compared with what is before it.
    let joins: UInt64 = 2 * 16 << 10
    #expect(report.wireBytes == 700_000 + UInt64(Self.pieceLength) + last + joins)
    #expect(good.requests.map { $0.range?.first } == [65_536 - 16 << 10, 655_360 - 16 << 10])
    #expect(names == ["f"])
  }

  @Test func `a single place is asked once more for bad pieces`() async throws {
    let server = try FaultServer { [body, bad = spoiled(300_000)] request in
      serve(request.number == 0 ? bad : body, request)
    }
    let report = try await session.download(
      server.url(), to: target, options: try options { $0.pieces = try pieces() })
    #expect(try folder.read("f") == body)
    let again = UInt64(Self.pieceLength + 16 << 10)
    #expect(report.wireBytes == 700_000 + again)
    #expect(report.check == "11 pieces")
  }

  @Test func `nothing gets its name that no place has right`() async throws {
    let bad = spoiled(300_000)
    let (one, two) = (try FaultServer { serve(bad, $0) }, try FaultServer { serve(bad, $0) })
    for hasPieces in [true, false] {
      let error = await failure {
        try await session.download(
          one.url(), to: target,
          options: try options {
            $0.mirrors = [two.url()]
            $0.checksums = [try digest(body)]
            $0.pieces = hasPieces ? try pieces() : nil
          })
      }
      #expect(error?.code == .downloadDecodingFailedToComplete)
      #expect(error?.category == .integrity)
      #expect(error?.message.contains(two.url()) == true)
      #expect(names.isEmpty)
    }
  }

  @Test func `without pieces the file is fetched from the next place`() async throws {
    let bad = spoiled(300_000)
    let (liar, good) = (
      try FaultServer { serve(bad, $0) }, try FaultServer { [body] in serve(body, $0) }
    )
    let diary = Diary()
    _ = try await session.download(
      liar.url(), to: target,
      options: try options(diary) {
        $0.mirrors = [good.url()]
        $0.checksums = [try digest(body)]
      })
    #expect(try folder.read("f") == body)
    // One answer with all of it: there is nothing to be had from asking the same place again.
    #expect(liar.requests.count == 1)
    #expect(diary.all.last?.error?.message.contains(liar.url()) == true)
  }

  @Test func `a place without the file is left for the next`() async throws {
    let none = try FaultServer { _ in [.text("HTTP/1.1 404 No\nContent-Length: 0\n\n")] }
    let good = try FaultServer { [body] in serve(body, $0) }
    let diary = Diary()
    let report = try await session.download(
      none.url(), to: target,
      options: options(diary) {
        $0.mirrors = ["http://127.0.0.1:1/closed", good.url()]
      })
    #expect(try folder.read("f") == body)
    #expect(report.url == good.url())
    #expect(diary.all.map { $0.error?.code } == [.fileDoesNotExist, .cannotConnectToHost])
  }

  @Test func `the next place goes on where the last broke off, and a later run at the first`()
    async throws
  {
    let first = try FaultServer { [body] request in
      let steps = serve(body, request)
      guard request.number == 0, case .send(let bytes)? = steps.last else { return steps }
      return [steps[0], .send(Array(bytes.prefix(300_000))), .close]
    }
    let second = try FaultServer { [body] request in
      let steps = serve(body, request, tag: "other")
      guard case .send(let bytes)? = steps.last else { return steps }
      return [steps[0], .send(Array(bytes.prefix(200_000))), .close]
    }
    let error = await failure {
      try await session.download(
        first.url(), to: target, options: options { $0.mirrors = [second.url()] })
    }
    #expect(error?.code == .networkConnectionLost)
    #expect(second.requests[0]["if-range"] == nil)
    #expect(names == ["f.part", "f.part.journal"])
    let report = try await session.download(first.url(), to: target, options: options())
    #expect(try folder.read("f") == body)
    #expect(report.resumedBytes == 300_000 + 200_000 - 16 << 10)
    #expect(report.wireBytes == 700_000 - report.resumedBytes + 16 << 10)
  }

  @Test func `a mirror with another file is passed over`() async throws {
    let first = try FaultServer { [body] request in
      let steps = serve(body, request)
      guard case .send(let bytes)? = steps.last else { return steps }
      return [steps[0], .send(Array(bytes.prefix(300_000))), .close]
    }
    let (longer, other) = (pattern(800_000), pattern(700_000, seed: 4))
    let mirrors = [
      try FaultServer { serve(longer, $0) }, try FaultServer { serve(other, $0) },
      try FaultServer { [body] in serve(body, $0) },
    ]
    let report = try await session.download(
      first.url(), to: target, options: options { $0.mirrors = mirrors.map { $0.url() } })
    #expect(try folder.read("f") == body)
    #expect(report.url == mirrors[2].url())
    #expect(mirrors.map(\.requests.count) == [1, 1, 1])
    #expect(mirrors[2].requests[0].range?.first == 300_000 - 16 << 10)
  }

  @Test(arguments: [true, false])
  func `copies that the server names are used where a digest tells`(hasDigest: Bool) async throws {
    let copy = try FaultServer { [body] in serve(body, $0) }
    let digest = hasDigest ? "Repr-Digest: sha-256=:\(base64(try digest(body).bytes)):\n" : ""
    let (port, bad) = (copy.port, spoiled(5))
    let server = try FaultServer { request in
      ok(
        bad,
        digest
          + "Link: </lost>; rel=duplicate; pri=2, <http://127.0.0.1:\(port)/copy>; rel=\"duplicate\"; pri=1\n"
      )
    }
    var secret = try options()
    secret.transfer.fields = [.init(name: "Authorization", value: "Bearer s3cret")]
    let report = try await session.download(server.url(), to: target, options: secret)
    guard hasDigest else {
      #expect(try folder.read("f") == bad)
      #expect(copy.requests.isEmpty)
      return
    }
    #expect(try folder.read("f") == body)
    #expect(report.url == copy.url("/copy"))
    #expect(server.requests[0]["authorization"] == "Bearer s3cret")
    #expect(copy.requests[0]["authorization"] == nil)
  }

  @Test func `a Metalink that the server names tells which pieces are bad`() async throws {
    let pieces = try pieces()
    let copy = try FaultServer { [body] in serve(body, $0) }
    let document =
      "<metalink xmlns=\"urn:ietf:params:xml:ns:metalink\"><file name=\"file\"><size>700000</size>"
      + "<hash type=\"sha-256\">\(try digest(body).hex)</hash><pieces length=\"\(pieces.length)\" "
      + "type=\"sha-256\">" + pieces.checksums.map { "<hash>\($0.hex)</hash>" }.joined()
      + "</pieces><url>http://127.0.0.1:\(copy.port)/copy</url></file></metalink>"
    let metalinks = try FaultServer { _ in ok(Array(document.utf8)) }
    let field =
      "Link: <\(metalinks.url("/f.meta4"))>; rel=describedby; type=\"application/metalink4+xml\"\n"
    let (bad, digest) = (spoiled(200_000), base64(try digest(body).bytes))
    let server = try FaultServer { _ in ok(bad, "Digest: SHA-256=\(digest)\n" + field) }
    let diary = Diary()
    var secret = try options(diary)
    secret.transfer.credentials = .init(user: "joe", password: "hunter2")
    let report = try await session.download(server.url(), to: target, options: secret)
    #expect(try folder.read("f") == body)
    #expect(diary.all.first?.bytes == pieces.length)
    #expect(report.wireBytes == 700_000 + pieces.length + 16 << 10)
    #expect(metalinks.requests.count == 1)
    #expect(metalinks.requests[0]["authorization"] == nil)
    #expect(copy.requests[0].range?.first == 196_608 - 16 << 10)
  }

  @Test func `a Metalink brings its pieces and places into a batch`() async throws {
    let pieces = try pieces()
    let (bad, good) = (spoiled(1), body)
    let servers = [try FaultServer { serve(bad, $0) }, try FaultServer { serve(good, $0) }]
    let document =
      "<metalink xmlns=\"urn:ietf:params:xml:ns:metalink\"><file name=\"x/f\"><size>700000</size>"
      + "<pieces length=\"\(pieces.length)\" type=\"sha-256\">"
      + pieces.checksums.map { "<hash>\($0.hex)</hash>" }.joined() + "</pieces>"
      + servers.enumerated().map { "<url priority=\"\($0 + 1)\">\($1.url())</url>" }.joined()
      + "</file></metalink>"
    try folder.write("list.meta4", text: document)
    try FileSystem.makeDirectory(folder.path("x"))
    let items = try DownloadItem.manifest(folder.path("list.meta4"), directory: folder.path)
    #expect(items.first?.pieces == pieces)
    let outcomes = try await session.downloadAll(items, options: options())
    #expect(try outcomes[0].get().check == "11 pieces")
    #expect(try folder.read("x/f") == body)
    #expect(servers[1].requests.count == 1)
  }

  @Test func `resumed bytes are checked like others`() async throws {
    let server = try FaultServer { [body] request in
      let steps = serve(body, request)
      guard request.number == 0, case .send(let bytes)? = steps.last else { return steps }
      return [steps[0], .send(Array(bytes.prefix(500_000))), .close]
    }
    _ = await failure {
      try await session.download(server.url(), to: target, options: options())
    }
    // Somebody writes into the part meanwhile.
    let part = try FileDescriptor.open(folder.path("f.part"), [.readWrite])
    try unsafe [UInt8(0)].withUnsafeBytes { try unsafe part.write($0, at: 100_000) }
    let diary = Diary()
    let report = try await session.download(
      server.url(), to: target,
      options: try options(diary) {
        $0.checksums = [try digest(body)]
        $0.pieces = try pieces()
      })
    #expect(try folder.read("f") == body)
    #expect(report.resumedBytes == 500_000)
    #expect(diary.all.map(\.bytes) == [UInt64(Self.pieceLength)])
    #expect(diary.all.first?.error?.message.contains("an earlier run") == true)
  }
}

/// The base64 of some bytes, for header fields of tests.
private func base64(_ bytes: [UInt8]) -> String {
  let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  var result: [UInt8] = []
  for start in stride(from: 0, to: bytes.count, by: 3) {
    let group = bytes[start..<min(start + 3, bytes.count)]
    let value = (0..<3).reduce(0) { $0 << 8 | ($1 < group.count ? Int(group[start + $1]) : 0) }
    for place in 0..<4 {
      result.append(
        place <= group.count ? letters[value >> (18 - 6 * place) & 63] : UInt8(ascii: "="))
    }
  }
  return String(decoding: result, as: UTF8.self)
}
