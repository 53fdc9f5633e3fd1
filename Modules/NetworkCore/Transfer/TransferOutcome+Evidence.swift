import SystemIO

extension TransferEvidence {
  /// Takes over what the loop found out about a transfer.
  mutating func fill(from outcome: TransferOutcome, url: String, settings: TransferSettings) {
    systemCode = outcome.systemError == 0 ? nil : SystemCode(rawValue: outcome.systemError)
    certificateResult = CertificateResult(rawValue: outcome.verifyResult)
    proxyCertificateResult = CertificateResult(rawValue: outcome.proxyVerifyResult)
    proxyCode =
      outcome.proxyError == 0 ? nil : ProxyCode(rawValue: numericCast(outcome.proxyError))
    scheme = TransferURL.scheme(url) ?? "https"
    errorText = outcome.message
    // A scheme that is not spoken is refused before anything is sent; after that, it is the answer
    // that libcurl could not take for HTTP.
    let isNoAnswer = outcome.curlCode == .unsupportedProtocol && outcome.phase == .response
    receivedAnything = outcome.hasHeadBegun || outcome.bodyBytes > 0 || isNoAnswer
    resolverCode = outcome.resolverCode
    headerComplete = outcome.isHeadComplete
    bodyReceived = outcome.bodyBytes
    phase = outcome.phase.transferPhase
    let answer = outcome.responseCode == 0 ? nil : outcome.responseCode
    if scheme.hasPrefix("ftp") { ftpReply = answer } else { httpStatus = answer }
    proxy = ProxyRoute.kind(ProxyRoute.proxy(for: url, settings))
    isProxyReached = proxy != .none && outcome.hasPeer
    if isHandshakeTrouble { phase = .tls }
    if phase == .tls, scheme != "https", scheme != "ftps" { phase = .connect }
    if isProxyTrouble(outcome) { phase = .proxy }
    networkIsDown = asksNetwork && !NetworkRoutes.leadOut
  }

  /// Whether it was the proxy, not the server behind it, that things broke off with.
  private func isProxyTrouble(_ outcome: TransferOutcome) -> Bool {
    if [.couldntResolveProxy, .proxy].contains(curlCode) { return true }
    if isHandshakeTrouble { return (proxyCertificateResult?.rawValue ?? 0) != 0 }
    if outcome.connectStatus != 0 { return outcome.connectStatus / 100 != 2 }
    // What is agreed on with a proxy comes before a connection counts as made.
    return proxy != .none && (phase == .connect || phase == .tls)
  }

  /// Whether it is TLS that did not work out, by the number alone.
  private var isHandshakeTrouble: Bool {
    [
      .sslConnectError, .sslEngineNotFound, .sslEngineSetFailed, .sslCertProblem, .sslCipher,
      .peerFailedVerification, .useSSLFailed, .sslEngineInitFailed, .sslCACertBadFile,
      .sslCRLBadFile, .sslIssuerError, .sslPinnedPubKeyNotMatch, .sslInvalidCertStatus,
      .sslClientCert,
    ].contains(curlCode)
  }

  /// Whether a machine without a way out would explain it.
  private var asksNetwork: Bool {
    [.couldntResolveHost, .couldntConnect, .interfaceFailed, .sendError, .recvError]
      .contains(curlCode)
  }
}

extension TransferOutcome {
  /// Whether the resolver has not been asked yet why a name could not be resolved.
  var needsLookup: Bool { curlCode == .couldntResolveHost && resolverCode == nil }

  /// The same with what the resolver says, which libcurl does not tell.
  ///
  /// It is asked on a thread of its own.
  func asked(_ url: String) async -> TransferOutcome {
    guard needsLookup, let host = TransferURL.host(url) else { return self }
    let code = try? await OwnedThread.run(named: "fetch-lookup") { HostLookup.code(host) }
    guard let code else { return self }
    var outcome = self
    outcome.resolverCode = ResolverCode(rawValue: code)
    return outcome
  }

  /// Our own reason to have ended the transfer; `nil` where the receiver knows it.
  func problem(_ settings: TransferSettings) -> TransferProblem? {
    switch stop {
    case .cancelled: .cancelled
    case .responseTimeout:
      .timedOut(phase.transferPhase, after: settings.responseTimeout + settings.connectTimeout)
    case .stalled: .timedOut(.stall, after: settings.stallTimeout)
    case .head(.tooLarge): .headerTooLarge(limit: HeadCollector.maximumBytes)
    case .head(.statusLine(let line)): .badHeader(line)
    case .head(.tooManyInterim):
      .badHeader("more than \(HeadCollector.maximumInterim) interim responses")
    case .closedWithoutNotice: .closedWithoutNotice(received: bodyBytes)
    case .receiver, nil: nil
    }
  }
}

extension TransferOutcome.Phase {
  /// The public name of the phase.
  var transferPhase: TransferPhase {
    switch self {
    case .nameLookup: .resolve
    case .connecting: .connect
    case .handshake: .tls
    case .response: .firstByte
    case .body: .body
    }
  }
}
