import Foundation
import NetworkCore
import NetworkCoreFoundation
import Testing

@Suite struct NSErrorTests {
  private func error(_ code: CurlCode, _ set: (inout TransferEvidence) -> Void = { _ in }) throws
    -> NetworkError
  {
    var evidence = TransferEvidence(code)
    set(&evidence)
    return try #require(evidence.error()).during(url: "https://u:p@h.example/f?sig=1", attempt: 2)
  }

  @Test func `a refused connection looks as on Apple's platforms`() throws {
    let error = try error(.couldntConnect) { $0.systemCode = SystemCode(rawValue: 111) }.nsError
    #expect(error.domain == NSURLErrorDomain)
    #expect(error.code == -1004)
    #expect(
      error.userInfo["NSErrorFailingURLStringKey"] as? String == "https://h.example/f?sig=***")
    #expect(error.userInfo["NSErrorFailingURLKey"] is URL)
    #expect(error.userInfo["CourierCurlCode"] as? Int == 7)
    #expect(error.userInfo["CourierAttempt"] as? Int == 2)
    let below = try #require(error.userInfo[NSUnderlyingErrorKey] as? NSError)
    #expect(below.domain == "kCFErrorDomainCFNetwork")
    #expect(below.code == -1004)
    let kernel = try #require(below.userInfo[NSUnderlyingErrorKey] as? NSError)
    #expect(kernel.domain == NSPOSIXErrorDomain)
    #expect(kernel.code == 111)
  }

  @Test func `an unknown host carries the resolver's number under Apple's key`() throws {
    let error = try error(.couldntResolveHost) { $0.resolverCode = ResolverCode(rawValue: -2) }
      .nsError
    #expect(error.code == -1003)
    let below = try #require(error.userInfo[NSUnderlyingErrorKey] as? NSError)
    #expect(below.code == 1)
    #expect(below.userInfo["kCFGetAddrInfoFailureKey"] as? Int == -2)
  }

  @Test func `a proxy's trouble is folded into URL loading with CFNetwork's number below`() throws {
    let missing = try error(.couldntResolveProxy) { $0.proxy = .http }.nsError
    #expect(missing.code == -1003)
    #expect((missing.userInfo[NSUnderlyingErrorKey] as? NSError)?.code == 310)
    let login = try error(.recvError) { $0.errorText = "CONNECT tunnel failed, response 407" }
      .nsError
    #expect(login.code == -1013)
    #expect((login.userInfo[NSUnderlyingErrorKey] as? NSError)?.code == 307)
  }

  @Test func `the numbers of TLS are Apple's, whatever Foundation's constants say`() throws {
    let error = try error(.peerFailedVerification) {
      $0.certificateResult = CertificateResult(rawValue: 10)
    }.nsError
    #expect(error.code == -1201)
    #expect(error.userInfo["CourierCertificateResult"] as? Int == 10)
  }

  /// libcurl's number with its circumstances, and what CFNetwork has below.
  static let streams: [(CurlCode, @Sendable (inout TransferEvidence) -> Void, Int, Int)] = [
    (.couldntConnect, { $0.systemCode = SystemCode(rawValue: 111) }, 1, 111),
    (.peerFailedVerification, { $0.certificateResult = CertificateResult(rawValue: 10) }, 3, -9814),
    (.peerFailedVerification, { $0.certificateResult = CertificateResult(rawValue: 20) }, 3, -9813),
    (.peerFailedVerification, { $0.certificateResult = CertificateResult(rawValue: 18) }, 3, -9807),
    (
      .peerFailedVerification, { $0.errorText = "no alternative certificate subject name" }, 3,
      -9843
    ),
    (.weirdServerReply, { _ in }, 4, -1),
    (.proxy, { ($0.proxy, $0.proxyCode) = (.socks5, ProxyCode(rawValue: 23)) }, 5, 2),
    (.loginDenied, { ($0.scheme, $0.ftpReply) = ("ftp", 530) }, 6, 530),
    (.couldntResolveHost, { $0.resolverCode = ResolverCode(rawValue: -2) }, 12, -2),
  ]

  @Test func `what lies below CFNetwork stands under its private keys`() throws {
    for (curl, set, domain, number) in Self.streams {
      let error = try error(curl, set).nsError
      let below = try #require(error.userInfo[NSUnderlyingErrorKey] as? NSError)
      #expect(below.userInfo["_kCFStreamErrorDomainKey"] as? Int == domain, "\(curl)")
      #expect(below.userInfo["_kCFStreamErrorCodeKey"] as? Int == number, "\(curl)")
    }
  }

  @Test func `the replies of FTP servers and SOCKS proxies have Apple's keys`() throws {
    let ftp = try error(.loginDenied) { ($0.scheme, $0.ftpReply) = ("ftp", 530) }.nsError
    #expect(ftp.userInfo["kCFFTPStatusCodeKey"] as? Int == 530)
    #expect((ftp.userInfo[NSUnderlyingErrorKey] as? NSError)?.code == 301)
    let socks = try error(.proxy) { ($0.proxy, $0.proxyCode) = (.socks4, ProxyCode(rawValue: 26)) }
      .nsError
    #expect(socks.userInfo["kCFSOCKSStatusCodeKey"] as? Int == 91)
    #expect(socks.userInfo["kCFSOCKSVersionKey"] as? Int == 4)
  }

  @Test func `an error of service discovery keeps its domain`() {
    let error = NetworkError(code: .netServiceTimedOut, message: "x").nsError
    #expect(error.domain == "NSNetServicesErrorDomain")
    #expect(error.code == -72007)
  }

  @Test func `the unknown error has the number of its domain`() {
    let error = NetworkError(code: .unknown, message: "x").nsError
    #expect(error.code == -1)
    #expect((error.userInfo[NSUnderlyingErrorKey] as? NSError)?.code == -998)
  }

  @Test func `Foundation's localised texts are ours, and hold no secret`() throws {
    let error = try error(.gotNothing)
    #expect((error as any Error).localizedDescription == error.message)
    #expect(error.recoverySuggestion == error.code.entry?.advice)
    #expect(!"\(error.nsError.userInfo)".contains("u:p"))
  }
}
