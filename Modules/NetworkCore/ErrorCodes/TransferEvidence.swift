/// Everything that is known of a transfer that libcurl has ended, and what it amounts to.
///
/// One `CURLcode` stands for many troubles (1 is also "not HTTP", 27 also "header too long", 56 also
/// "the proxy said no"). The circumstances tell them apart; where only libcurl's text does, the texts
/// looked for are those of libcurl 7.88.
package struct TransferEvidence: Sendable {
  /// The kinds of proxy a connection may lead through.
  package enum Proxy: Hashable, Sendable {
    case none, http, socks4, socks5
  }

  /// What libcurl returned.
  package var curlCode: CurlCode
  /// `CURLINFO_OS_ERRNO`; it is looked at for 7, 35, 37, 55 and 56 only, as it may be stale elsewhere.
  package var systemCode: SystemCode?
  /// What a second lookup said after 6; libcurl does not tell.
  package var resolverCode: ResolverCode?
  /// `CURLINFO_SSL_VERIFYRESULT`; stays at 1 when only the host name did not match.
  package var certificateResult: CertificateResult?
  /// `CURLINFO_PROXY_SSL_VERIFYRESULT`.
  package var proxyCertificateResult: CertificateResult?
  /// `CURLINFO_PROXY_ERROR`.
  package var proxyCode: ProxyCode?
  /// The kind of proxy in use.
  package var proxy: Proxy = .none
  /// Whether the connection to the proxy came about.
  package var isProxyReached = false
  /// The scheme of the URL in use at the end, in small letters.
  package var scheme = "https"
  /// `CURLINFO_RESPONSE_CODE`, or `nil` for none.
  package var httpStatus: Int?
  /// The number of an FTP server's last reply.
  package var ftpReply: Int?
  /// The text in `CURLOPT_ERRORBUFFER`.
  package var errorText = ""
  /// Whether any byte of an answer came.
  package var receivedAnything = false
  /// Whether the empty line after the header came.
  package var headerComplete = false
  /// Bytes of the body that came, as they were on the wire.
  package var bodyReceived: UInt64 = 0
  /// Bytes of the body that were announced.
  package var bodyAnnounced: UInt64?
  /// How many redirects were followed.
  package var redirectCount = 0
  /// Whether this machine has no way to any network.
  package var networkIsDown = false
  /// When it happened.
  package var phase: TransferPhase?
  /// What one of our own callbacks recorded when it stopped the transfer; it always decides.
  package var localProblem: TransferProblem?

  package init(_ curlCode: CurlCode) {
    self.curlCode = curlCode
  }

  /// What the evidence amounts to.
  struct Verdict {
    var code: NetworkErrorCode
    var category: FailureCategory?
    var retry: RetryAdvice
    var detail: Detail = .none
    var cause: NetworkErrorCode?
  }

  /// What the message adds to the meaning of the code.
  enum Detail: Hashable {
    case none
    case system, resolver, certificate, curlText
    case hostNameMismatch, plainHTTP, perhapsTLS
    case bytes
  }

  /// The error of the transfer, or `nil` when libcurl reports success or a trouble without weight.
  package func error() -> NetworkError? {
    var error: NetworkError
    if let localProblem {
      error = NetworkError(localProblem)
    } else {
      guard let verdict = verdict() else { return nil }
      error = NetworkError(
        code: verdict.code, message: text(verdict), category: verdict.category,
        retry: verdict.retry)
      if verdict.detail == .system { error.systemCode = systemCode }
      if verdict.detail == .resolver { error.resolverCode = resolverCode }
      error.cause = verdict.cause.map {
        var cause = NetworkError(code: $0, message: $0.entry?.meaning ?? $0.description)
        cause.resolverCode = error.resolverCode
        return cause
      }
      error.certificateResult = certificateError
      error.proxyCode = curlCode == .proxy ? proxyCode : nil
      error.byteOffset = bodyReceived > 0 ? bodyReceived : nil
    }
    error.curlCode = error.reported(curlCode)
    error.curlMessage = errorText.isEmpty ? nil : URLRedaction.redactText(errorText)
    error.httpStatus = error.httpStatus ?? httpStatus
    error.ftpReply = ftpReply
    error.phase = error.phase ?? phase
    return error
  }

  private var certificateError: CertificateResult? {
    guard [.peerFailedVerification, .sslIssuerError, .sslInvalidCertStatus].contains(curlCode)
    else {
      return nil
    }
    if saysOtherHost { return .hostNameMismatch }
    let result =
      (proxyCertificateResult?.rawValue ?? 0) != 0 ? proxyCertificateResult : certificateResult
    return result?.rawValue == 0 ? nil : result
  }

  /// The error for "no proxy there": with or without a tunnel.
  var proxyUnreachable: NetworkErrorCode {
    scheme == "https" ? .httpsProxyConnectionFailure : .httpProxyConnectionFailure
  }

  /// libcurl compares the name itself and leaves OpenSSL's result as it was.
  var saysOtherHost: Bool {
    curlCode == .peerFailedVerification && says("subject name", "hostname mismatch")
  }

  func says(_ words: String...) -> Bool {
    let text = errorText.lowercased()
    return words.contains { text.contains($0) }
  }

  /// The verdict that the table gives for the bare number.
  func plain(
    _ code: NetworkErrorCode? = nil, category: FailureCategory? = nil, retry: RetryAdvice? = nil,
    detail: Detail = .curlText, cause: NetworkErrorCode? = nil
  ) -> Verdict {
    let entry = CurlCodeTable.entry(for: curlCode)
    return Verdict(
      code: code ?? entry?.errorCode ?? .unknown, category: category,
      retry: retry ?? entry?.retry ?? .never, detail: detail, cause: cause)
  }
}
