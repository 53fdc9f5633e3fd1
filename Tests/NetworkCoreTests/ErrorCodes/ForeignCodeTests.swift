import NetworkCore
import Testing

@Suite struct ForeignCodeTests {
  @Test func `every result of the certificate check has a name and a meaning`() {
    #expect(CertificateResult.all.count == 95)
    #expect(Set(CertificateResult.all.map(\.name)).count == 95)
    #expect(CertificateResult.all.allSatisfy { $0.meaning?.isEmpty == false })
    #expect(CertificateResult(rawValue: 62).name == "X509_V_ERR_HOSTNAME_MISMATCH")
    #expect(CertificateResult(rawValue: 94).name == "X509_V_ERR_EC_KEY_EXPLICIT_PARAMS")
    #expect(CertificateResult(rawValue: 95).meaning == nil)
    #expect(CertificateResult(rawValue: -1).name == "X509_V -1")
  }

  @Test(arguments: [
    (9, -1204), (10, -1201), (18, -1202), (19, -1202), (2, -1203), (20, -1203), (21, -1203),
    (23, -1202), (62, -1202), (1, -1202), (17, -1200),
  ])
  func `a certificate result becomes the decided error`(result: Int, number: Int) {
    #expect(CertificateResult(rawValue: result).serverError.rawValue == number)
  }

  @Test(arguments: [
    (-2, 1, false), (-5, 1, false), (-3, 2, true), (-4, 2, false), (-11, 2, true),
  ])
  func `a resolver result becomes the decided error`(code: Int32, number: Int, transient: Bool) {
    let code = ResolverCode(rawValue: code)
    #expect(code.hostError.rawValue == number)
    #expect(code.isTransient == transient)
    #expect(code.name.hasPrefix("EAI_"))
  }

  @Test func `unknown numbers show themselves`() {
    #expect(ResolverCode(rawValue: -77).description == "EAI -77")
    #expect(SystemCode(rawValue: 4711).description == "errno 4711")
    #expect(ProxyCode(rawValue: 99).name == "CURLproxycode 99")
    #expect(ProxyCode(rawValue: -1).error(isVersion4: false) == nil)
  }

  @Test func `there are 34 results of a proxy handshake, and all but success are errors`() {
    #expect(ProxyCode.all.count == 34)
    #expect(ProxyCode.all.filter { $0.error(isVersion4: false) == nil }.map(\.rawValue) == [0])
    #expect(ProxyCode(rawValue: 19).name == "CURLPX_REPLY_CONNECTION_REFUSED")
    #expect(ProxyCode(rawValue: 26).error(isVersion4: true) == .socks4RequestFailed)
  }

  @Test func `out of space is three numbers`() {
    #expect((1...133).filter { SystemCode(rawValue: $0).isOutOfSpace } == [27, 28, 122])
  }
}
