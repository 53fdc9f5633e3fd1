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
