import NetworkCore
import ProgressReporting
import SystemIO
import TestSupport
import Testing

@Suite("Parts of downloads that ended")
struct PartialDownloadTests {
  let folder: TemporaryDirectory
  let session: NetworkSession
  let body = pattern(700_000)

  init() throws {
    folder = try TemporaryDirectory()
    session = try NetworkSession()
  }

  var names: [String] { ((try? FileSystem.names(in: folder.path)) ?? []).sorted() }

  /// Leaves a part of 500 000 bytes.
  func leavePart(_ name: String, query: String = "") async throws -> FaultServer {
    let server = try FaultServer { [body] request in
      guard request.number == 0 else { return serve(body, request) }
      return [
        .text("HTTP/1.1 200 OK\nETag: \"v1\"\nContent-Length: 700000\n\n"),
        .send(Array(body.prefix(500_000))), .close,
      ]
    }
    var options = DownloadOptions()
    options.retryLimit = 0
    await #expect(throws: NetworkError.self) {
      try await session.download(
        server.url("/file" + query), to: .file(folder.path(name)), options: options)
    }
    return server
  }

  func code(_ body: () async throws -> Void) async -> NetworkErrorCode? {
    do {
      try await body()
      return nil
    } catch {
      return (error as? NetworkError)?.code
    }
  }

  @Test func `are listed with URL, progress and age, and go when asked for`() async throws {
    let server = try await leavePart("b", query: "?token=s3cret&x=1")
    try folder.write("c.part", text: "somebody else's")
    try folder.write("d.part.journal", text: "no journal")
    let parts = try await PartialDownload.list(in: folder.path)
    let part = try #require(parts.first)
    #expect(parts.count == 1)
    #expect(part.path == folder.path("b.part"))
    #expect(part.target == folder.path("b"))
    #expect(part.url == server.url("/file?token=***&x=1"))
    #expect(part.storedBytes == 500_000)
    #expect(part.totalBytes == 700_000)
    #expect(part.allocatedBytes >= 500_000)
    #expect(part.age >= .zero && part.age < .seconds(600))
    #expect(!part.isInUse)
    #expect(part.processID == Environment.processID)
    try await part.remove()
    #expect(names == ["c.part", "d.part.journal"])
    // Gone already: nothing to do.
    try await part.remove()
  }

  @Test func `are kept while somebody works on them`() async throws {
    let server = try FaultServer { [body] _ in
      [
        .text("HTTP/1.1 200 OK\nETag: \"v1\"\nContent-Length: 700000\n\n"),
        .send(Array(body.prefix(600_000))), .hang,
      ]
    }
    let target = DownloadTarget.file(folder.path("b"))
    let task = session.downloadTask(server.url(), to: target)
    task.start()
    try #require(try await eventually { task.meter.snapshot().completed >= 600_000 })
    let part = try #require(try await PartialDownload.list(in: folder.path).first)
    #expect(part.isInUse)
    #expect(await code { try await part.remove() } == .cannotRemoveFile)
    // A second download of the same file does not write between.
    do {
      _ = try await session.download(server.url(), to: target)
      Issue.record("succeeded")
    } catch let error as NetworkError {
      #expect(error.code == .cannotCreateFile)
      #expect(error.systemCode?.name == "EBUSY")
      #expect(error.path == folder.path("b.part"))
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.result() }
    let later = try #require(try await PartialDownload.list(in: folder.path).first)
    #expect(!later.isInUse)
    try await later.remove()
    #expect(names.isEmpty)
  }

  @Test func `are not removed when another file took their name`() async throws {
    _ = try await leavePart("b")
    let part = try #require(try await PartialDownload.list(in: folder.path).first)
    // Made before the old one goes, so that it cannot get the same inode.
    try folder.write("new", text: "mine")
    try FileSystem.rename(folder.path("new"), to: folder.path("b.part"))
    #expect(await code { try await part.remove() } == .cannotRemoveFile)
    #expect(try folder.read("b.part") == Array("mine".utf8))
  }

  @Test func `of a journal alone hold nothing`() async throws {
    _ = try await leavePart("b")
    try FileSystem.unlink(folder.path("b.part"))
    let part = try #require(try await PartialDownload.list(in: folder.path).first)
    #expect(part.storedBytes == 0)
    #expect(part.totalBytes == 700_000)
    try await part.remove()
    #expect(names.isEmpty)
  }

  @Test func `are looked for in directories only`() async throws {
    #expect(
      await code { _ = try await PartialDownload.list(in: folder.path("none")) }
        == .cannotOpenFile)
    #expect(try await PartialDownload.list(in: folder.path).isEmpty)
  }

  @Test(arguments: ["é", "a", "👩🏽‍🚀"])
  func `have a name even where that of the file is as long as it may be`(
    letter: String
  ) async throws {
    let count = 255 / letter.utf8.count
    let name =
      String(repeating: letter, count: count)
      + String(repeating: "x", count: 255 - count * letter.utf8.count)
    let server = try await leavePart(name)
    let part = try #require(try await PartialDownload.list(in: folder.path).first)
    let partName = Path.name(of: part.path)
    #expect(partName.utf8.count <= 255 - ".journal".utf8.count)
    #expect(partName.hasSuffix(".part"))
    #expect(partName.contains("~"))
    let report = try await session.download(server.url(), to: .file(folder.path(name)))
    #expect(report.resumedBytes == 500_000)
    #expect(names == [name])
    #expect(try folder.read(name) == body)
  }
}
