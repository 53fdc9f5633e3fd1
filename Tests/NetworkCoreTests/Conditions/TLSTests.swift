import NetworkCore
import SystemIO
import TestSupport
import Testing

@Suite("A handshake", .timeLimit(.minutes(2)))
struct TLSTests {
  /// What a certificate claims, and what its check amounts to.
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var claims = ServerIdentity.Claims()
    var isTrusted = true
    var isSelfSigned = false
    var code: NetworkErrorCode
    var result: String

    init(
      _ name: String, _ code: NetworkErrorCode, _ result: String, isTrusted: Bool = true,
      isSelfSigned: Bool = false, _ change: (inout ServerIdentity.Claims) -> Void = { _ in }
    ) {
      (testDescription, self.code, self.result) = (name, code, "X509_V_ERR_" + result)
      (self.isTrusted, self.isSelfSigned) = (isTrusted, isSelfSigned)
      change(&claims)
    }
  }

  static let cases = [
    Case("expired", .serverCertificateHasBadDate, "CERT_HAS_EXPIRED") {
      ($0.begins, $0.ends) = (.seconds(-7200), .seconds(-3600))
    },
    Case("not yet valid", .serverCertificateNotYetValid, "CERT_NOT_YET_VALID") {
      ($0.begins, $0.ends) = (.seconds(3600), .seconds(7200))
    },
    Case("for another host", .serverCertificateUntrusted, "HOSTNAME_MISMATCH") {
      $0.names = "DNS:elsewhere.example"
    },
    Case(
      "signed by itself", .serverCertificateUntrusted, "DEPTH_ZERO_SELF_SIGNED_CERT",
      isTrusted: false, isSelfSigned: true),
    Case(
      "of an unknown authority", .serverCertificateHasUnknownRoot,
      "UNABLE_TO_GET_ISSUER_CERT_LOCALLY", isTrusted: false),
  ]

  @Test(arguments: cases)
  func `tells what is wrong with a certificate that is`(_ row: Case) async throws {
    let folder = try TemporaryDirectory()
    let authority = try ServerIdentity.authority()
    let other = try ServerIdentity.authority("another")
    let identity = try ServerIdentity(row.claims, signedBy: row.isSelfSigned ? nil : authority)
    let trusted = try folder.write("ca", (row.isTrusted ? authority : other).pem())
    let server = try FaultServer(security: ServerSecurity(identity)) { _ in ok([1]) }
    let error = try await Trial.download(server.url(), retries: 2) {
      $0.transfer.certificateAuthorities = trusted
    }.failed(row.code)
    #expect(error.certificateResult?.name == row.result, "\(error.detailedDescription)")
    #expect(error.curlCode == .peerFailedVerification)
    #expect(error.phase == .tls)
    #expect(error.exitStatus == 5)
    #expect(error.attempt == 1)
    #expect(server.requests.isEmpty)
    let insecure = try await Trial.download(server.url()) {
      $0.transfer.certificateAuthorities = trusted
      $0.transfer.isInsecure = true
    }
    #expect(insecure.file == [1])
  }

  @Test func `with a proxy that nobody vouches for`() async throws {
    let folder = try TemporaryDirectory()
    let authority = try ServerIdentity.authority()
    let identity = try ServerIdentity(signedBy: authority)
    let proxy = try FaultServer(security: ServerSecurity(identity)) { _ in ok([1]) }
    let url = proxy.url("").replacing("/", with: "", maxReplacements: 0)
    let error = try await Trial.download("https://files.invalid/f") {
      $0.transfer.proxy = url
    }.failed(.httpsProxyConnectionFailure)
    #expect(error.certificateResult?.name == "X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY")
    #expect(error.phase == .proxy || error.phase == .tls)
    #expect(proxy.requests.isEmpty)
    _ = folder
  }
}
