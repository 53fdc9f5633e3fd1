import Foundation
import FoundationNetworking
import NetworkCore
import NetworkCoreFoundation
import Synchronization
import TestSupport
import Testing

@Suite("URLSession's calls")
struct URLSessionTests {
  private let session: NetworkSession
  private let body = (0..<900_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 5) }

  init() throws { session = try NetworkSession() }

  /// `/stuck` sends 600 kB the first time, and goes on where it is told to later.
  private func server() throws -> FaultServer {
    let body = body
    return try FaultServer { request in
      let start = request.range?.first ?? 0
      let tag = "ETag: \"a\"\nContent-Type: text/plain\n"
      switch request.path {
      case "/none": return [.text("HTTP/1.1 404 No\nContent-Length: 0\n\n")]
      case "/old": return [.text("HTTP/1.1 302 There\nLocation: /file\nContent-Length: 0\n\n")]
      case "/stuck" where start == 0:
        return [
          .text("HTTP/1.1 200 OK\nContent-Length: \(body.count)\n\(tag)\n"),
          .send(Array(body.prefix(600_000))), .hang,
        ]
      default: break
      }
      guard start > 0 else {
        return [.text("HTTP/1.1 200 OK\nContent-Length: \(body.count)\n\(tag)\n"), .send(body)]
      }
      return [
        .text(
          "HTTP/1.1 206 OK\nContent-Range: bytes \(start)-\(body.count - 1)/\(body.count)\n"
            + "Content-Length: \(body.count - start)\n\(tag)\n"), .send(Array(body[start...])),
      ]
    }
  }

  private func url(_ server: FaultServer, _ path: String) throws -> URL {
    try #require(URL(string: server.url(path)))
  }

  @Test func `downloads to a file of the caller's`() async throws {
    let server = try server()
    let (file, response) = try await session.download(from: url(server, "/old"))
    defer { try? FileManager.default.removeItem(at: file) }
    #expect(try Data(contentsOf: file) == Data(body))
    let http = try #require(response as? HTTPURLResponse)
    #expect(http.statusCode == 200)
    #expect(http.url?.path == "/file")
    #expect(http.value(forHTTPHeaderField: "etag") == "\"a\"")
    #expect(http.expectedContentLength == Int64(body.count))
  }

  @Test func `reads into memory, with a request's fields`() async throws {
    let server = try server()
    var request = URLRequest(url: try url(server, "/file?token=t0p"))
    request.setValue("yes", forHTTPHeaderField: "X-Test")
    let (data, response) = try await session.data(for: request)
    #expect(data == Data(body))
    #expect(response.mimeType == "text/plain")
    #expect(response.url == request.url)
    #expect(server.requests.last?["x-test"] == "yes")
  }

  @Test func `reads byte by byte`() async throws {
    let server = try server()
    let (bytes, _) = try await session.bytes(from: url(server, "/file"))
    var count = 0
    for try await byte in bytes {
      guard byte == body[count] else { break }
      count += 1
    }
    #expect(count == body.count)
  }

  @Test func `a cancelled download can be gone on with by its error's data`() async throws {
    let server = try server()
    let url = try url(server, "/stuck")
    let session = session
    let work = Task { try await session.download(from: url) }
    let folder = FileManager.default.temporaryDirectory.path
    func stored() async throws -> UInt64 {
      try await PartialDownload.list(in: folder).first { $0.url == url.absoluteString }?.storedBytes
        ?? 0
    }
    try #require(try await eventually { try await stored() >= 256 << 10 })
    work.cancel()
    let error = await #expect(throws: URLError.self) { try await work.value }
    #expect(error?.code == .cancelled)
    let data = try #require(error?.userInfo["NSURLSessionDownloadTaskResumeData"] as? Data)
    let (file, response) = try await session.download(resumeFrom: data)
    defer { try? FileManager.default.removeItem(at: file) }
    #expect(try Data(contentsOf: file) == Data(body))
    #expect((response as? HTTPURLResponse)?.statusCode == 206)
    #expect(server.requests.last?["if-range"] == "\"a\"")
  }

  @Test func `throws what URLSession throws`() async throws {
    let server = try server()
    let missing = await #expect(throws: URLError.self) {
      try await session.data(from: url(server, "/none"))
    }
    #expect(missing?.code == .fileDoesNotExist)
    #expect(missing?.userInfo["CourierHTTPStatus"] as? Int == 404)
    let refused = await #expect(throws: URLError.self) {
      try await session.data(
        from: try #require(URL(string: "http://127.0.0.1:\(try Loopback.closedPort())/")))
    }
    #expect(refused?.code == .cannotConnectToHost)
    var post = URLRequest(url: try url(server, "/file"))
    post.httpMethod = "POST"
    await #expect(throws: URLError.self) { try await session.download(for: post) }
    await #expect(throws: URLError.self) { try await session.download(resumeFrom: Data([1, 2])) }
    #expect(server.requests.count == 1, "nothing else was asked for")
  }
}
