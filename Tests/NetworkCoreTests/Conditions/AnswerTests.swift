import NetworkCore
import SystemIO
import TestSupport
import Testing

@Suite("An answer that brings no file", .timeLimit(.minutes(2)))
struct AnswerTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var head: String
    var code: NetworkErrorCode
    var cause: NetworkErrorCode?
    var exit: Int32

    init(
      _ head: String, _ code: NetworkErrorCode, exit: Int32, cause: NetworkErrorCode? = nil
    ) {
      testDescription = head
      (self.head, self.code, self.cause, self.exit) = (head, code, cause, exit)
    }
  }

  static let cases = [
    Case("204 Nothing", .zeroByteResource, exit: 8),
    Case("302 There", .redirectToNonExistentLocation, exit: 7),
    Case("302 There\nLocation: /file", .httpTooManyRedirects, exit: 7),
    Case("302 There\nLocation: http://[/", .badURL, exit: 7),
    Case("302 There\nLocation: gopher://x/", .unsupportedURL, exit: 7),
    Case(
      "401 Who\nWWW-Authenticate: Basic realm=\"x\"", .userAuthenticationRequired, exit: 6),
    Case(
      "401 Who\nWWW-Authenticate: Runes", .userAuthenticationRequired, exit: 6,
      cause: .httpAuthenticationTypeUnsupported),
    Case("403 No", .noPermissionsToReadFile, exit: 8),
    Case("404 None", .fileDoesNotExist, exit: 8), Case("410 Gone", .fileDoesNotExist, exit: 8),
    Case("413 Much", .dataLengthExceedsMaximum, exit: 8),
    Case("423 Locked", .resourceUnavailable, exit: 8),
    Case("500 Oh", .badServerResponse, exit: 8),
    Case("511 Log in", .notConnectedToInternet, exit: 4),
    Case("200 OK\nContent-Encoding: runes", .cannotDecodeContentData, exit: 7),
  ]

  @Test(arguments: cases)
  func `has its number`(_ row: Case) async throws {
    let server = try FaultServer { _ in
      [.text("HTTP/1.1 \(row.head)\nContent-Length: 0\n\n")]
    }
    let error = try await Trial.download(server.url()).failed(row.code)
    #expect(error.exitStatus == row.exit, "\(error.detailedDescription)")
    #expect(error.cause?.code == row.cause)
    let status = Int(row.head.prefix(3))
    #expect(error.httpStatus == status)
    #expect(error.phase == .header)
  }

  @Test(arguments: [true, false])
  func `because credentials are refused says so below`(inURL: Bool) async throws {
    let server = try FaultServer { _ in
      [.text("HTTP/1.1 401 Who\nWWW-Authenticate: Basic realm=\"x\"\nContent-Length: 0\n\n")]
    }
    let url = inURL ? server.url().replacing("://", with: "://me:no@") : server.url()
    let error = try await Trial.download(url) {
      if !inURL { $0.transfer.credentials = .init(user: "me", password: "no") }
    }.failed(.userAuthenticationRequired)
    #expect(error.cause?.code == .httpBadCredentials)
    #expect(server.requests.last?["authorization"] == "Basic bWU6bm8=")
  }

  @Test(arguments: [
    ("http://[", NetworkErrorCode.badURL), ("http://127.0.0.1:99999/", .badURL),
    ("gopher://127.0.0.1/", .unsupportedURL),
  ])
  func `is not waited for where the URL is none`(url: String, code: NetworkErrorCode) async throws {
    let error = try await Trial.download(url).failed(code)
    #expect(error.exitStatus == 2)
    #expect(error.phase == .preparation)
  }

  @Test func `is not waited for where policy or a limit is against it`() async throws {
    let server = try FaultServer { _ in ok([1, 2, 3]) }
    try await Trial.download(server.url()) { $0.transfer.httpsOnly = true }
      .failed(.appTransportSecurityRequiresSecureConnection)
    #expect(server.requests.isEmpty)
    try await Trial.download(server.url()) { $0.sizeLimit = 2 }.failed(.dataLengthExceedsMaximum)
  }

  @Test func `but bytes of one in a coding that is damaged further on`() async throws {
    let block = pattern(40_000)
    // A stored block as deflate has it, and then a kind of block that there is not.
    let good: [UInt8] =
      [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 0, 0x40, 0x9C, 0xBF, 0x63] + block
    let server = try FaultServer { _ in
      [
        .text("HTTP/1.1 200 OK\nContent-Encoding: gzip\nContent-Length: \(good.count + 9)\n\n"),
        .send(good), .wait(.milliseconds(100)), .send([UInt8](repeating: 7, count: 9)),
      ]
    }
    let error = try await Trial.download(server.url()).failed(.downloadDecodingFailedMidStream)
    #expect(error.exitStatus == 9)
  }

  @Test func `comes of a certificate of ours that is none`() async throws {
    let folder = try TemporaryDirectory()
    let file = try folder.write("certificate", text: "not PEM\n")
    let identity = try ServerIdentity()
    let server = try FaultServer(security: ServerSecurity(identity)) { _ in ok([1]) }
    let error = try await Trial.download(server.url()) {
      $0.transfer.clientCertificate = file
      $0.transfer.isInsecure = true
    }.failed(.clientCertificateRejected)
    #expect(error.exitStatus == 2)
    #expect(server.requests.isEmpty)
  }
}
