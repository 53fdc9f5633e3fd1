import NetworkCore
import ProgressReporting
import SystemIO
import TestSupport
import Testing

@Suite("The place of a download")
struct PlacementTests {
  let folder: TemporaryDirectory
  let session: NetworkSession
  let body = pattern(700_000)

  init() throws {
    folder = try TemporaryDirectory()
    session = try NetworkSession()
  }

  func names(_ path: String = "") -> [String] {
    ((try? FileSystem.names(in: folder.path(path))) ?? []).sorted()
  }

  func options(_ change: (inout DownloadOptions) -> Void = { _ in }) -> DownloadOptions {
    var options = DownloadOptions()
    options.retryLimit = 0
    change(&options)
    return options
  }

  func failure(
    _ url: String, _ target: DownloadTarget, _ options: DownloadOptions
  ) async -> NetworkError? {
    do {
      _ = try await session.download(url, to: target, options: options)
      Issue.record("succeeded")
      return nil
    } catch {
      return error as? NetworkError
    }
  }

  /// A good server whose first connection breaks after some bytes.
  func breaking(after count: Int) throws -> FaultServer {
    try FaultServer { [body] request in
      let steps = serve(body, request)
      guard request.number == 0, case .send(let bytes)? = steps.last else { return steps }
      return [steps[0], .send(Array(bytes.prefix(count))), .close]
    }
  }

  @Test(arguments: [DownloadOptions.ExistingFile.replace, .rename])
  func `is never behind a link`(existing: DownloadOptions.ExistingFile) async throws {
    let server = try FaultServer { _ in ok([1, 2, 3]) }
    try folder.write("precious", text: "precious")
    let directory = try FileDescriptor.open(folder.path, [.directory])
    try FileSystem.makeSymbolicLink("file", to: "precious", in: directory)
    let report = try await session.download(
      server.url(), to: .file(folder.path("file")), options: options { $0.existing = existing })
    #expect(try folder.read("precious") == Array("precious".utf8))
    #expect(try FileSystem.status(report.path, followLinks: false).kind == .regular)
    #expect(try folder.read(Path.name(of: report.path)) == [1, 2, 3])
  }

  @Test func `has a free name even where the taken one is as long as a name may be`() async throws {
    let server = try FaultServer { _ in ok([1, 2, 3]) }
    let name = String(repeating: "é", count: 125) + "x.txt"
    try folder.write(name, text: "old")
    let report = try await session.download(
      server.url(), to: .file(folder.path(name)), options: options { $0.existing = .rename })
    #expect(Path.name(of: report.path) == String(repeating: "é", count: 123) + " (1).txt")
    #expect(try folder.read(name) == Array("old".utf8))
    #expect(names().count == 2)
  }

  @Test func `takes no link for a part`() async throws {
    let server = try FaultServer { _ in ok([1, 2, 3]) }
    try folder.write("precious", text: "precious")
    let directory = try FileDescriptor.open(folder.path, [.directory])
    try FileSystem.makeSymbolicLink("file.part", to: "precious", in: directory)
    let error = await failure(server.url(), .file(folder.path("file")), options())
    #expect(error?.code == .cannotCreateFile)
    #expect(error?.systemCode?.name == "ELOOP")
    #expect(server.requests.isEmpty)
    #expect(try folder.read("precious") == Array("precious".utf8))
  }

  @Test func `is not taken from a file that came while it was loading`() async throws {
    let path = folder.path("file")
    let server = try FaultServer { [folder] _ in
      _ = try? folder.write("file", text: "mine")
      return ok([1, 2, 3])
    }
    let error = await failure(server.url(), .file(path), options())
    #expect(error?.code == .cannotCreateFile)
    #expect(error?.systemCode?.name == "EEXIST")
    #expect(try folder.read("file") == Array("mine".utf8))
    // All bytes are there: they need only a name.
    #expect(try folder.read("file.part") == [1, 2, 3])
    let report = try await session.download(
      server.url(), to: .file(path), options: options { $0.existing = .rename })
    #expect(report.wireBytes == 0)
    #expect(try folder.read("file (1)") == [1, 2, 3])
    #expect(names() == ["file", "file (1)"])
  }

  @Test func `keeps the part when the file cannot get its name`() async throws {
    let path = folder.path("file")
    let server = try FaultServer { [folder] _ in
      try? FileSystem.makeDirectory(folder.path("file"))
      return ok([1, 2, 3])
    }
    let error = await failure(server.url(), .file(path), options { $0.existing = .replace })
    #expect(error?.code == .cannotMoveFile)
    #expect(error?.systemCode?.name == "EISDIR")
    #expect(names() == ["file", "file.part", "file.part.journal"])
  }

  @Test func `has a directory that is there, and is one`() async throws {
    let server = try FaultServer { _ in ok([1, 2, 3]) }
    try folder.write("plain", text: "")
    for (directory, name) in [("none", "ENOENT"), ("plain", "ENOTDIR")] {
      for target in [
        DownloadTarget.directory(folder.path(directory)), .file(folder.path(directory + "/f")),
      ] {
        let error = await failure(server.url(), target, options())
        #expect(error?.code == .cannotCreateFile, "\(target)")
        #expect(error?.category == .file)
        #expect(error?.systemCode?.name == name)
      }
    }
    #expect(server.requests.isEmpty)
  }

  @Test(.enabled(if: SmallDisk.isAvailable, "mounting needs root"))
  func `is refused before a request when it is read-only`() async throws {
    let disk = try SmallDisk(bytes: 1 << 20)
    try disk.makeReadOnly()
    let server = try FaultServer { _ in ok([1, 2, 3]) }
    for target in [DownloadTarget.directory(disk.path), .file(disk.path("f"))] {
      let error = await failure(server.url(), target, options())
      #expect(error?.code == .cannotCreateFile)
      #expect(error?.systemCode?.name == "EROFS")
    }
    #expect(server.requests.isEmpty)
  }

  @Test(.enabled(if: SmallDisk.isAvailable, "mounting needs root"))
  func `has room for the file before its first byte`() async throws {
    let disk = try SmallDisk(bytes: 512 << 10)
    let server = try FaultServer { [body] in serve(body, $0) }
    let error = await failure(server.url(), .file(disk.path("f")), options())
    #expect(error?.code == .cannotWriteToFile)
    #expect(error?.systemCode?.name == "ENOSPC")
    #expect(error?.exitStatus == 10)
    #expect(try disk.names().isEmpty)
  }

  @Test(.enabled(if: SmallDisk.isAvailable, "mounting needs root"))
  func `keeps what fits when the disk fills, and goes on when there is room`() async throws {
    let disk = try SmallDisk(bytes: 640 << 10)
    let server = try FaultServer { [body] request in
      // Without a length there is nothing to compare the room with.
      guard request.range == nil else { return serve(body, request) }
      // What fits is written before the rest comes: a write that does not fit is given up whole.
      let part = disk.path("f.part")
      return [
        .text("HTTP/1.1 200 OK\nETag: \"v1\"\n\n"), .send(Array(body.prefix(400_000))),
        .until { (try? FileSystem.status(part).size) ?? 0 >= 400_000 },
        .send(Array(body.dropFirst(400_000))), .close,
      ]
    }
    let error = await failure(server.url(), .file(disk.path("f")), options())
    #expect(error?.code == .cannotWriteToFile)
    #expect(error?.systemCode?.name == "ENOSPC")
    #expect(try disk.names() == ["f.part", "f.part.journal"])
    try disk.resize(bytes: 4 << 20)
    let report = try await session.download(
      server.url(), to: .file(disk.path("f")), options: options())
    #expect(report.resumedBytes > 300_000)
    #expect(report.wireBytes + report.resumedBytes <= 700_000 + 16 << 10)
    #expect(try FileDescriptor.open(disk.path("f")).readToEnd(limit: 1 << 20) == body)
    #expect(try disk.names() == ["f"])
  }

  @Test func `is marked with its origin where that is asked for, without secrets`() async throws {
    let server = try FaultServer { _ in ok([1, 2, 3]) }
    let url = "http://joe:hunter2@127.0.0.1:\(server.port)/f?sig=hunter2&v=1"
    let report = try await session.download(
      url, to: .file(folder.path("f")),
      options: options {
        $0.recordsOrigin = true
        $0.transfer.referer = "http://127.0.0.1/page?token=hunter2"
      })
    let file = try FileDescriptor.open(report.path, [.readWrite])
    // Where the file system keeps no attributes the download succeeds all the same.
    guard (try? file.setAttribute("user.probe", [1])) != nil else { return }
    let origin = try #require(try file.attribute("user.xdg.origin.url"))
    #expect(
      String(decoding: origin, as: UTF8.self)
        == "http://127.0.0.1:\(server.port)/f?sig=***&v=1")
    let referrer = try #require(try file.attribute("user.xdg.referrer.url"))
    #expect(String(decoding: referrer, as: UTF8.self) == "http://127.0.0.1/page?token=***")
    _ = try await session.download(url, to: .file(folder.path("g")), options: options())
    let plain = try FileDescriptor.open(folder.path("g"))
    #expect(try plain.attribute("user.xdg.origin.url") == nil)
  }

  @Test func `is another's when the part names another URL`() async throws {
    let server = try breaking(after: 400_000)
    _ = await failure(server.url("/a?token=s3cret"), .file(folder.path("f")), options())
    let before = try folder.read("f.part")
    for resumes in [true, false] {
      let error = await failure(
        server.url("/b"), .file(folder.path("f")), options { $0.resumes = resumes })
      #expect(error?.code == .cannotCreateFile)
      #expect(error?.path == folder.path("f.part"))
      #expect(error?.message.contains("/a?token=***") == true)
    }
    #expect(try folder.read("f.part") == before)
    #expect(server.requests.count == 1)
  }

  @Test(arguments: ["localhost", "127.0.0.1"])
  func `goes on at another URL when told, with other validators on another host only`(
    host: String
  ) async throws {
    let server = try breaking(after: 400_000)
    _ = await failure(server.url("/a?expires=1"), .file(folder.path("f")), options())
    let other = try FaultServer { [body] in serve(body, $0, tag: "v2") }
    let report = try await session.download(
      "http://\(host):\(other.port)/a?expires=2", to: .file(folder.path("f")),
      options: options { $0.adoptsOtherURL = true })
    #expect(try folder.read("f") == body)
    #expect(other.requests[0]["if-range"] == (host == "localhost" ? nil : "\"v1\""))
    // On the same host another tag means another file.
    #expect(report.wireBytes == (host == "localhost" ? 300_000 + 16 << 10 : 700_000))
  }

  @Test func `is another's when a part has no journal`() async throws {
    try folder.write("f.part", body)
    let server = try FaultServer { _ in ok([1, 2, 3]) }
    let error = await failure(server.url(), .file(folder.path("f")), options())
    #expect(error?.code == .cannotCreateFile)
    #expect(try folder.read("f.part") == body)
    #expect(server.requests.isEmpty)
  }

  @Test func `loses of a cut part only what was cut off`() async throws {
    let server = try breaking(after: 500_000)
    _ = await failure(server.url(), .file(folder.path("f")), options())
    let part = try FileDescriptor.open(folder.path("f.part"), [.readWrite])
    try part.truncate(to: 300_000)
    let report = try await session.download(
      server.url(), to: .file(folder.path("f")), options: options())
    #expect(report.resumedBytes == 300_000)
    #expect(try folder.read("f") == body)
  }

  @Test func `loses of a damaged journal only what it no longer proves`() async throws {
    let server = try breaking(after: 600_000)
    _ = await failure(server.url(), .file(folder.path("f")), options())
    let journal = try folder.read("f.part.journal")
    var kept: [UInt64] = []
    for cut in stride(from: journal.count - 1, to: 0, by: -7) {
      var damaged = journal
      damaged[cut] ^= 0x40
      try folder.write("f.part.journal", damaged)
      let state = JournalState(damaged)
      kept.append(state?.proven(bootID: currentBootID(), partSize: 600_000).count ?? 0)
    }
    #expect(kept == kept.sorted(by: >))
    #expect(kept.first == 600_000)
    #expect(kept.last == 0)
    let report = try await session.download(
      server.url(), to: .file(folder.path("f")), options: options())
    #expect(report.resumedBytes == 0)
    #expect(try folder.read("f") == body)
  }

  @Test func `does not take a smaller file for the rest of a larger one`() async throws {
    // 500 000 bytes are stored of 700 000; by now the file has just so many.
    let small = pattern(500_000, seed: 3)
    let server = try FaultServer { [body] request in
      guard request.number == 0 else { return serve(small, request) }
      return [
        .text("HTTP/1.1 200 OK\nContent-Length: 700000\n\n"), .send(Array(body.prefix(500_000))),
        .close,
      ]
    }
    _ = await failure(server.url(), .file(folder.path("f")), options())
    let report = try await session.download(
      server.url(), to: .file(folder.path("f")), options: options())
    #expect(report.byteCount == 500_000)
    #expect(try folder.read("f") == small)
  }
}
