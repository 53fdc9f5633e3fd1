/// One request as the loop makes it; redirects are followed by the caller.
struct TransferRequest: Sendable {
  var url: String
  /// `HEAD` instead of `GET`.
  var isHead = false
  /// The value of `Range` without `bytes=`.
  var range: String?
  /// Further fields.
  var fields: [ResponseHead.Field] = []
  var settings = TransferSettings()
  /// Whether credentials and cookies given by the user may go to this URL.
  var sendsSecrets = true

  /// Whether it speaks FTP, with or without TLS.
  var isFTP: Bool { url.lowercased().hasPrefix("ftp") }

  /// Whether it tells the server who we are, or can when asked.
  var hasCredentials: Bool {
    if TransferURL.hasUserInfo(url) { return true }
    guard sendsSecrets else { return false }
    return settings.credentials != nil || settings.usesNetrc
      || settings.fields.contains { $0.name.lowercased() == "authorization" }
  }

  /// Whether libcurl itself may answer a challenge, on the same connection.
  func answersChallenge(_ status: Int) -> Bool {
    guard status != 407 else {
      return ProxyRoute.proxy(for: url, settings).map(TransferURL.hasUserInfo) ?? false
    }
    // What stands in the URL itself goes out with the first request.
    return sendsSecrets && (settings.credentials != nil || settings.usesNetrc)
  }
}

/// What became of a transfer.
struct TransferOutcome: Sendable {
  /// Where a transfer was when it ended.
  enum Phase: Equatable, Sendable {
    case nameLookup, connecting, handshake, response, body
  }

  /// libcurl's result.
  var curlCode: CurlCode
  /// libcurl's sentence.
  var message: String
  /// `errno` of the call that broke, or 0.
  var systemError: Int32 = 0
  /// What a second lookup said, after one that did not succeed.
  var resolverCode: ResolverCode?
  /// OpenSSL's verdict on the server's certificate; 0 when it is good.
  var verifyResult = 0
  /// The same for a proxy's certificate.
  var proxyVerifyResult = 0
  /// `CURLproxycode`.
  var proxyError = 0
  /// The status of a proxy's answer to CONNECT, or 0.
  var connectStatus = 0
  /// The status of the last answer, or the number of an FTP server's last reply, or 0.
  var responseCode = 0
  /// Whether a connection to the server or its proxy came about.
  var hasPeer = false
  /// Our own reason, which wins over libcurl's code.
  var stop: TransferStop?
  var phase = Phase.nameLookup
  /// Whether any byte of a response head came.
  var hasHeadBegun = false
  /// Whether the empty line after the head came.
  var isHeadComplete = false
  /// Body bytes as they came over the wire.
  var bodyBytes: UInt64 = 0
  /// Whether a connection of an earlier transfer was used.
  var isReusedConnection = false
}

/// Why we ended a transfer ourselves.
package enum TransferStop: Error, Equatable, Sendable {
  /// The caller has what it wants, or wants it no longer.
  case cancelled
  /// The head did not come in time.
  case responseTimeout
  /// The body stood still.
  case stalled
  /// The head broke a limit or the protocol.
  case head(HeadCollector.Refusal)
  /// The receiver refused; it knows why.
  case receiver
  /// The connection ended without a word, and nothing else told where the body ends.
  case closedWithoutNotice
}
