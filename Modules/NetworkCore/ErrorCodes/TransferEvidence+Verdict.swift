extension TransferEvidence {
  /// The verdict on libcurl's number in its circumstances; `nil`: no trouble.
  func verdict() -> Verdict? {
    switch curlCode {
    case .ok: nil
    case .unsupportedProtocol, .urlMalformat, .notBuiltIn: requestVerdict()
    case .couldntResolveProxy, .couldntResolveHost, .couldntConnect, .interfaceFailed:
      connectionVerdict()
    case .proxy: proxyVerdict()
    case .sendError, .recvError: brokenVerdict()
    case .sslConnectError, .peerFailedVerification, .sslCertProblem, .sslCACertBadFile,
      .sslCRLBadFile, .useSSLFailed:
      tlsVerdict()
    case .http2, .http2Stream, .partialFile, .outOfMemory, .weirdServerReply, .badContentEncoding,
      .gotNothing:
      answerVerdict()
    case .sslShutdownFailed:
      bodyAnnounced == bodyReceived && headerComplete ? nil : plain(retry: .again)
    case .httpReturnedError, .writeError, .readError, .abortedByCallback, .fileCouldntReadFile,
      .operationTimedOut, .loginDenied, .ssh:
      otherVerdict()
    default: plain()
    }
  }

  private func requestVerdict() -> Verdict {
    let byServer: FailureCategory? = redirectCount > 0 ? .protocolViolation : nil
    switch curlCode {
    case .unsupportedProtocol where receivedAnything:
      // HTTP/0.9, an unknown version, a malformed status line: the server's doing, not the URL's.
      return plain(.cannotParseResponse)
    case .notBuiltIn where ["http", "https", "file", "ftp", "ftps"].contains(scheme):
      return plain(.unknown)
    default:
      return plain(category: byServer)
    }
  }

  private func connectionVerdict() -> Verdict {
    switch curlCode {
    case .couldntResolveProxy:
      let isSOCKS = proxy == .socks4 || proxy == .socks5
      return plain(isSOCKS ? .hostNotFound : proxyUnreachable, detail: .curlText)
    case .couldntResolveHost:
      if networkIsDown { return plain(.notConnectedToInternet, retry: .never) }
      guard let resolverCode else { return plain(retry: .once) }
      return plain(
        retry: resolverCode.isTransient ? .again : .never, detail: .resolver,
        cause: resolverCode.hostError)
    case .couldntConnect where proxy == .http:
      return plain(proxyUnreachable, detail: systemCode == nil ? .curlText : .system)
    case .couldntConnect:
      guard let systemCode else { return plain() }
      let code = systemCode.connectionError(networkIsDown: networkIsDown)
      return plain(code, retry: code == .notConnectedToInternet ? .never : .again, detail: .system)
    default:
      return plain(networkIsDown ? .notConnectedToInternet : nil)
    }
  }

  private func proxyVerdict() -> Verdict {
    guard let code = proxyCode?.error(isVersion4: proxy == .socks4) else {
      return plain(proxyUnreachable, retry: .once)
    }
    let transient: [NetworkErrorCode] = [.socks5BadState, .cannotConnectToHost, .timedOut]
    return plain(code, retry: transient.contains(code) ? .once : .never)
  }

  /// 55 and 56: a connection that broke, or one of six other things.
  private func brokenVerdict() -> Verdict {
    if says("connect tunnel failed", "from proxy after connect") {
      let wantsLogin = says("response 407", "code 407")
      return plain(
        wantsLogin ? .httpBadProxyCredentials : .httpsProxyUnexpectedResponse,
        category: wantsLogin ? .authentication : .refused, retry: .never)
    }
    if says("certificate required") { return plain(.clientCertificateRequired, retry: .never) }
    if refusesClientCertificate { return plain(.clientCertificateRejected, retry: .never) }
    if says("hexadecimal", "chunked-encoding", "chunk hex") {
      return plain(.cannotParseResponse, retry: .once)
    }
    if says("too large response headers", "too many response headers", "headers too large") {
      return plain(.dataLengthExceedsMaximum, retry: .never)
    }
    if let systemCode,
      [.timedOut, .networkDown, .networkUnreachable].contains(systemCode)
    {
      return plain(systemCode.connectionError(networkIsDown: networkIsDown), detail: .system)
    }
    // A record that cannot be read is a fault of TLS; a mere end of the stream is a lost connection.
    if says("ssl_read: error:", "ssl_write: error:"), !says("unexpected eof") {
      return plain(.secureConnectionFailed, retry: .once)
    }
    let detail: Detail =
      scheme == "http" && !receivedAnything ? .perhapsTLS : systemCode == nil ? .curlText : .system
    return plain(detail: detail)
  }

  private var refusesClientCertificate: Bool {
    says("alert")
      && says(
        "alert bad certificate", "alert unknown ca", "alert certificate expired",
        "alert certificate unknown", "alert certificate revoked", "alert unsupported certificate")
  }

  private func tlsVerdict() -> Verdict {
    switch curlCode {
    case .sslConnectError:
      if says("certificate required") { return plain(.clientCertificateRequired, retry: .never) }
      if refusesClientCertificate { return plain(.clientCertificateRejected, retry: .never) }
      if says("wrong version number", "http request", "packet length too long") {
        return plain(retry: .never, detail: .plainHTTP)
      }
      if says("alert", "unsupported protocol", "no protocols available", "handshake failure") {
        return plain(retry: .never)
      }
      return plain(detail: systemCode == nil ? .curlText : .system)
    case .peerFailedVerification:
      if let proxyCertificateResult, proxyCertificateResult.rawValue != 0 {
        return plain(.httpsProxyConnectionFailure, category: .tls, detail: .certificate)
      }
      if saysOtherHost { return plain(detail: .hostNameMismatch) }
      guard let certificateResult, certificateResult.rawValue > 1 else { return plain() }
      return plain(certificateResult.serverError, detail: .certificate)
    case .sslCertProblem, .sslCACertBadFile, .sslCRLBadFile:
      return plain(category: .usage)
    default:
      return plain()
    }
  }

  private func answerVerdict() -> Verdict {
    switch curlCode {
    case .http2:
      return plain(headerComplete ? nil : .cannotParseResponse, category: .network)
    case .http2Stream where says("http_1_1_required"):
      return plain(retry: .onHTTP1)
    case .partialFile:
      guard let bodyAnnounced else { return plain() }
      if bodyReceived == 0, bodyAnnounced > 0 {
        return plain(.zeroByteResource, category: .network, detail: .bytes)
      }
      if bodyReceived > bodyAnnounced { return plain(.badServerResponse, detail: .bytes) }
      return plain(detail: .bytes)
    case .outOfMemory:
      return receivedAnything && !headerComplete ? plain(.dataLengthExceedsMaximum) : plain()
    case .weirdServerReply where scheme.hasPrefix("ftp"):
      return plain(.ftpUnexpectedStatusCode)
    case .badContentEncoding:
      if says("transfer encoding", "transfer-encoding") {
        return plain(.cannotParseResponse, retry: .never)
      }
      return says("unrecognized content encoding")
        ? plain(.cannotDecodeContentData, retry: .never) : plain()
    case .gotNothing:
      return plain(detail: scheme == "http" ? .perhapsTLS : .curlText)
    default:
      return plain()
    }
  }

  private func otherVerdict() -> Verdict {
    switch curlCode {
    case .httpReturnedError:
      guard let httpStatus else { return plain() }
      return plain(
        HTTPStatusMapping.code(httpStatus), category: HTTPStatusMapping.category(httpStatus),
        retry: HTTPStatusMapping.retry(httpStatus))
    case .writeError:
      return plain(category: systemCode?.isOutOfSpace == true ? .limit : .file)
    case .readError:
      return plain(category: .file)
    case .fileCouldntReadFile:
      return plain(
        systemCode?.readError, category: .file, detail: systemCode == nil ? .curlText : .system)
    case .operationTimedOut:
      // Connected, and the proxy does not find its words.
      if isProxyReached, phase == .connect || phase == .proxy {
        if proxy == .socks5 { return plain(.socks5BadState) }
        if proxy == .socks4 { return plain(.socks4UnknownStatusCode) }
      }
      return plain(retry: phase == .total ? .never : .again)
    case .loginDenied:
      return plain(cause: .httpBadCredentials)
    case .ssh:
      if says("auth") { return plain(.userAuthenticationRequired, retry: .never) }
      return plain(phase == .connect ? .cannotConnectToHost : nil)
    default:
      return plain()
    }
  }
}
