import NetworkCore
import Testing

/// One ending of a transfer and the error that it has to become.
struct EvidenceCase: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let evidence: TransferEvidence
  let code: NetworkErrorCode
  let category: FailureCategory
  let retry: RetryAdvice

  init(
    _ name: String, _ curl: CurlCode, _ code: NetworkErrorCode, _ category: FailureCategory,
    _ retry: RetryAdvice, _ set: (inout TransferEvidence) -> Void = { _ in }
  ) {
    testDescription = name
    var evidence = TransferEvidence(curl)
    set(&evidence)
    self.evidence = evidence
    self.code = code
    self.category = category
    self.retry = retry
  }

  static let all: [EvidenceCase] = connections + tls + answers + proxies + local

  private static let connections: [EvidenceCase] = [
    .init("refused", .couldntConnect, .cannotConnectToHost, .network, .again) {
      $0.systemCode = SystemCode(rawValue: 111)
    },
    .init("connect timed out in the kernel", .couldntConnect, .timedOut, .network, .again) {
      $0.systemCode = SystemCode(rawValue: 110)
    },
    .init("no route", .couldntConnect, .notConnectedToInternet, .network, .never) {
      $0.systemCode = SystemCode(rawValue: 101)
    },
    .init("host unreachable", .couldntConnect, .cannotConnectToHost, .network, .again) {
      $0.systemCode = SystemCode(rawValue: 113)
    },
    .init(
      "host unreachable, no network", .couldntConnect, .notConnectedToInternet, .network, .never
    ) {
      $0.systemCode = SystemCode(rawValue: 113)
      $0.networkIsDown = true
    },
    .init("no such name", .couldntResolveHost, .cannotFindHost, .network, .never) {
      $0.resolverCode = ResolverCode(rawValue: -2)
    },
    .init("name server silent", .couldntResolveHost, .cannotFindHost, .network, .again) {
      $0.resolverCode = ResolverCode(rawValue: -3)
    },
    .init("lookup without network", .couldntResolveHost, .notConnectedToInternet, .network, .never)
    {
      $0.networkIsDown = true
    },
    .init("reset", .recvError, .networkConnectionLost, .network, .again) {
      $0.systemCode = SystemCode(rawValue: 104)
      $0.receivedAnything = true
    },
    .init("stale refused errno beside 18", .partialFile, .networkConnectionLost, .network, .again) {
      $0.systemCode = SystemCode(rawValue: 111)
      $0.bodyReceived = 1000
      $0.bodyAnnounced = 2000
    },
    .init("network went down", .recvError, .notConnectedToInternet, .network, .again) {
      $0.systemCode = SystemCode(rawValue: 100)
    },
    .init("empty reply", .gotNothing, .networkConnectionLost, .network, .again),
    .init("stall", .operationTimedOut, .timedOut, .network, .again) { $0.phase = .stall },
    .init("time for all used up", .operationTimedOut, .timedOut, .network, .never) {
      $0.phase = .total
    },
  ]

  private static let tls: [EvidenceCase] = [
    .init("expired", .peerFailedVerification, .serverCertificateHasBadDate, .tls, .never) {
      $0.certificateResult = CertificateResult(rawValue: 10)
    },
    .init("not yet valid", .peerFailedVerification, .serverCertificateNotYetValid, .tls, .never) {
      $0.certificateResult = CertificateResult(rawValue: 9)
    },
    .init("self-signed", .peerFailedVerification, .serverCertificateUntrusted, .tls, .never) {
      $0.certificateResult = CertificateResult(rawValue: 18)
    },
    .init("unknown issuer", .peerFailedVerification, .serverCertificateHasUnknownRoot, .tls, .never)
    {
      $0.certificateResult = CertificateResult(rawValue: 20)
    },
    .init("other host name", .peerFailedVerification, .serverCertificateUntrusted, .tls, .never) {
      $0.certificateResult = CertificateResult(rawValue: 1)
      $0.errorText = "SSL: no alternative certificate subject name matches target host name 'a'"
    },
    .init(
      "proxy's certificate", .peerFailedVerification, .httpsProxyConnectionFailure, .tls, .never
    ) {
      $0.proxyCertificateResult = CertificateResult(rawValue: 18)
    },
    .init("pinned key", .sslPinnedPubKeyNotMatch, .serverCertificateUntrusted, .tls, .never),
    .init("client certificate demanded", .recvError, .clientCertificateRequired, .tls, .never) {
      $0.errorText =
        "OpenSSL SSL_read: error:0A00045C:SSL routines::tlsv13 alert certificate required, errno 0"
    },
    .init("client certificate refused", .sslConnectError, .clientCertificateRejected, .tls, .never)
    {
      $0.errorText = "error:0A000418:SSL routines::tlsv1 alert unknown ca"
    },
    .init("plain HTTP on the port", .sslConnectError, .secureConnectionFailed, .tls, .never) {
      $0.errorText = "error:0A00010B:SSL routines::wrong version number"
    },
    .init("old TLS", .sslConnectError, .secureConnectionFailed, .tls, .never) {
      $0.errorText = "error:0A00042E:SSL routines::tlsv1 alert protocol version"
    },
    .init("closed in the handshake", .sslConnectError, .secureConnectionFailed, .tls, .once) {
      $0.errorText = "OpenSSL SSL_connect: SSL_ERROR_SYSCALL in connection to a:443"
    },
    .init("damaged record", .recvError, .secureConnectionFailed, .tls, .once) {
      $0.errorText =
        "OpenSSL SSL_read: error:0A000119:SSL routines::decryption failed or bad record mac"
    },
    .init("cut without notice", .recvError, .networkConnectionLost, .network, .again) {
      $0.errorText =
        "OpenSSL SSL_read: error:0A000126:SSL routines::unexpected eof while reading, errno 0"
      $0.receivedAnything = true
    },
    .init("CA file missing", .sslCACertBadFile, .secureConnectionFailed, .usage, .never),
    .init("own certificate unusable", .sslCertProblem, .clientCertificateRejected, .usage, .never),
  ]

  private static let answers: [EvidenceCase] = [
    .init("HTTP/0.9", .unsupportedProtocol, .cannotParseResponse, .protocolViolation, .never) {
      $0.receivedAnything = true
    },
    .init("unknown scheme", .unsupportedProtocol, .unsupportedURL, .usage, .never) {
      $0.scheme = "foo"
    },
    .init("redirect to gopher", .unsupportedProtocol, .unsupportedURL, .protocolViolation, .never) {
      $0.redirectCount = 1
    },
    .init("malformed URL", .urlMalformat, .badURL, .usage, .never),
    .init("malformed redirect", .urlMalformat, .badURL, .protocolViolation, .never) {
      $0.redirectCount = 1
    },
    .init("bad header", .weirdServerReply, .cannotParseResponse, .protocolViolation, .never),
    .init("bad FTP reply", .weirdServerReply, .ftpUnexpectedStatusCode, .refused, .never) {
      $0.scheme = "ftp"
    },
    .init("nothing of something", .partialFile, .zeroByteResource, .network, .again) {
      $0.bodyAnnounced = 2000
    },
    .init("more than announced", .partialFile, .badServerResponse, .refused, .again) {
      $0.bodyAnnounced = 10
      $0.bodyReceived = 20
    },
    .init("chunk without size", .recvError, .cannotParseResponse, .protocolViolation, .once) {
      $0.errorText = "Illegal or missing hexadecimal sequence in chunked-encoding"
    },
    .init("huge header line", .outOfMemory, .dataLengthExceedsMaximum, .limit, .never) {
      $0.receivedAnything = true
    },
    .init("out of memory", .outOfMemory, .unknown, .other, .never),
    .init(
      "unknown coding", .badContentEncoding, .cannotDecodeContentData, .protocolViolation, .never
    ) {
      $0.errorText = "Unrecognized content encoding type. libcurl understands deflate, gzip"
    },
    .init(
      "unknown transfer coding", .badContentEncoding, .cannotParseResponse, .protocolViolation,
      .never
    ) { $0.errorText = "Unsupported transfer encoding type 'xyz'" },
    .init(
      "damaged gzip", .badContentEncoding, .cannotDecodeRawData, .protocolViolation, .withoutCoding),
    .init("HTTP/2 broke in the body", .http2, .networkConnectionLost, .network, .onHTTP1) {
      $0.headerComplete = true
    },
    .init("HTTP/2 broke at once", .http2, .cannotParseResponse, .network, .onHTTP1),
    .init("HTTP/1.1 demanded", .http2Stream, .networkConnectionLost, .network, .onHTTP1) {
      $0.errorText = "HTTP/2 stream 1 was not closed cleanly: HTTP_1_1_REQUIRED (err 13)"
    },
    .init("stream refused", .http2Stream, .networkConnectionLost, .network, .again) {
      $0.errorText = "HTTP/2 stream 1 was not closed cleanly: REFUSED_STREAM (err 7)"
    },
    .init("redirects", .tooManyRedirects, .httpTooManyRedirects, .protocolViolation, .never),
    .init("status by curl", .httpReturnedError, .resourceUnavailable, .refused, .again) {
      $0.httpStatus = 503
    },
  ]

  private static let proxies: [EvidenceCase] = [
    .init("proxy unknown", .couldntResolveProxy, .httpProxyConnectionFailure, .network, .again) {
      $0.proxy = .http
      $0.scheme = "http"
    },
    .init(
      "proxy unknown, tunnel", .couldntResolveProxy, .httpsProxyConnectionFailure, .network, .again
    ) { $0.proxy = .http },
    .init("SOCKS proxy unknown", .couldntResolveProxy, .hostNotFound, .network, .again) {
      $0.proxy = .socks5
    },
    .init("proxy refuses", .couldntConnect, .httpProxyConnectionFailure, .network, .again) {
      $0.proxy = .http
      $0.scheme = "http"
      $0.systemCode = SystemCode(rawValue: 111)
    },
    .init("no tunnel", .recvError, .httpsProxyUnexpectedResponse, .refused, .never) {
      $0.errorText = "CONNECT tunnel failed, response 404"
    },
    .init("tunnel wants a login", .recvError, .httpBadProxyCredentials, .authentication, .never) {
      $0.errorText = "CONNECT tunnel failed, response 407"
    },
    .init("SOCKS5 login", .proxy, .socks5BadCredentials, .authentication, .never) {
      $0.proxy = .socks5
      $0.proxyCode = ProxyCode(rawValue: 33)
    },
    .init("SOCKS4 unknown reply", .proxy, .socks4UnknownStatusCode, .network, .never) {
      $0.proxy = .socks4
      $0.proxyCode = ProxyCode(rawValue: 31)
    },
    .init("SOCKS5 unknown reply", .proxy, .socks5BadState, .network, .once) {
      $0.proxy = .socks5
      $0.proxyCode = ProxyCode(rawValue: 31)
    },
  ]

  private static let local: [EvidenceCase] = [
    .init("disk full", .writeError, .cannotWriteToFile, .limit, .never) {
      $0.localProblem = .file(.write, path: "a", SystemCode(rawValue: 28))
    },
    .init("our own stall watch", .abortedByCallback, .timedOut, .network, .again) {
      $0.localProblem = .timedOut(.stall, after: .seconds(30))
    },
    .init("silent SOCKS5 proxy", .operationTimedOut, .socks5BadState, .network, .again) {
      ($0.proxy, $0.isProxyReached, $0.phase) = (.socks5, true, .connect)
    },
    .init("silent SOCKS4 proxy", .operationTimedOut, .socks4UnknownStatusCode, .network, .again) {
      ($0.proxy, $0.isProxyReached, $0.phase) = (.socks4, true, .connect)
    },
    .init("deaf SOCKS proxy", .operationTimedOut, .timedOut, .network, .again) {
      ($0.proxy, $0.phase) = (.socks5, .connect)
    },
    .init("our own size limit", .writeError, .dataLengthExceedsMaximum, .limit, .never) {
      $0.localProblem = .tooLarge(limit: 10, found: 11)
    },
    .init("cancelled", .abortedByCallback, .cancelled, .cancelled, .never),
    .init("missing local file", .fileCouldntReadFile, .fileDoesNotExist, .file, .never) {
      $0.systemCode = SystemCode(rawValue: 2)
    },
    .init("unreadable local file", .fileCouldntReadFile, .noPermissionsToReadFile, .file, .never) {
      $0.systemCode = SystemCode(rawValue: 13)
    },
    .init("local directory", .fileCouldntReadFile, .fileIsDirectory, .file, .never) {
      $0.systemCode = SystemCode(rawValue: 21)
    },
    .init("login denied", .loginDenied, .userAuthenticationRequired, .authentication, .never),
    .init("newer than the table", CurlCode(rawValue: 250), .unknown, .other, .never),
  ]
}

@Suite struct TransferEvidenceTests {
  @Test(arguments: EvidenceCase.all)
  func `an ending becomes the decided error`(_ item: EvidenceCase) throws {
    let error = try #require(item.evidence.error())
    #expect(error.code == item.code)
    #expect(error.category == item.category)
    #expect(error.retry == item.retry)
    #expect(!error.message.isEmpty)
    // libcurl's 23 only repeats what a check of our own has said.
    let isOurs =
      error.problem != nil && error.systemCode == nil && item.evidence.curlCode == .writeError
    #expect(error.curlCode == (isOurs ? nil : item.evidence.curlCode))
  }

  @Test func `every number but success becomes its error of the table, with nothing else known`() {
    // These hang on circumstances of which some default always holds.
    let circumstantial: [CurlCode] = [.notBuiltIn, .http2, .couldntResolveProxy, .proxy]
    for entry in CurlCodeTable.entries {
      let error = TransferEvidence(entry.code).error()
      #expect((error == nil) == (entry.code == .ok))
      guard let error else { continue }
      if !circumstantial.contains(entry.code) {
        #expect(error.code == entry.errorCode, "\(entry.name)")
      }
      #expect(error.code.entry != nil)
      #expect(error.message.count > 8)
    }
  }

  @Test func `a TLS connection closed untidily after a whole body is no error`() {
    var evidence = TransferEvidence(.sslShutdownFailed)
    evidence.headerComplete = true
    evidence.bodyReceived = 10
    evidence.bodyAnnounced = 10
    #expect(evidence.error() == nil)
    evidence.bodyReceived = 9
    #expect(evidence.error()?.code == .networkConnectionLost)
  }

  @Test func `the resolver's number is nested below that of URL loading`() {
    var evidence = TransferEvidence(.couldntResolveHost)
    evidence.resolverCode = ResolverCode(rawValue: -4)
    let error = evidence.error()
    #expect(error?.resolverCode?.name == "EAI_FAIL")
    #expect(error?.cause?.code == .hostLookupUnknown)
    #expect(error?.cause?.resolverCode?.rawValue == -4)
  }

  @Test func `a stale errno is not shown where libcurl does not speak of one`() {
    var evidence = TransferEvidence(.peerFailedVerification)
    evidence.systemCode = SystemCode(rawValue: 111)
    evidence.certificateResult = CertificateResult(rawValue: 10)
    let error = evidence.error()
    #expect(error?.systemCode == nil)
    #expect(error?.certificateResult?.name == "X509_V_ERR_CERT_HAS_EXPIRED")
  }

  @Test func `what libcurl writes is shown without the secrets in it`() {
    var evidence = TransferEvidence(.recvError)
    evidence.errorText = "could not get http://joe:hunter2@a.example/x?token=abc now"
    let error = evidence.error()
    #expect(error?.curlMessage == "could not get http://a.example/x?token=*** now")
    #expect(error?.description.contains("hunter2") == false)
    #expect(error?.detailedDescription.contains("abc") == false)
  }
}
