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
    proxy = settings.proxyKind
  }
}

extension TransferOutcome {
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

extension TransferSettings {
  /// The kind of proxy that the settings name; one from the environment is found out by libcurl.
  fileprivate var proxyKind: TransferEvidence.Proxy {
    guard let proxy, !proxy.isEmpty else { return .none }
    switch TransferURL.scheme(proxy) {
    case "socks4", "socks4a": return .socks4
    case "socks5", "socks5h", "socks": return .socks5
    default: return .http
    }
  }
}
