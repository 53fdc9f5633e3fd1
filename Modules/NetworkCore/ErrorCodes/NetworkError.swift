/// Why a transfer did not succeed.
///
/// One value carries everything that is known: the number under its CFNetwork and `NSURLError` names,
/// what libcurl, the kernel, the resolver and the certificate check said, the HTTP status, when in
/// the transfer it happened, and what to do. No description contains a secret of the URL.
public struct NetworkError: Error, Hashable, Sendable {
  /// The number; its entry in ``NetworkErrorTable`` has the names, the domain and advice.
  public var code: NetworkErrorCode
  /// What was expected and what was found: a clause without capital and full stop.
  public var message: String
  /// What kind of failure it is; it decides the exit status.
  public var category: FailureCategory
  /// Whether another attempt makes sense, and how.
  public var retry: RetryAdvice
  /// How long the server asked to wait before another attempt, where it did.
  public var retryAfter: Duration?
  /// The URL that did not succeed, without user name, password and token parameters.
  public var url: String?
  /// The local file it is about, where it is about one.
  public var path: String?
  /// When in the transfer it happened.
  public var phase: TransferPhase?
  /// Which attempt it was, from 1 on.
  public var attempt: Int
  /// How many bytes of the file had come, or at which byte the trouble lies.
  public var byteOffset: UInt64?
  /// What libcurl reported.
  public var curlCode: CurlCode?
  /// What libcurl wrote beside its number, without secrets.
  public var curlMessage: String?
  /// What the kernel reported.
  public var systemCode: SystemCode?
  /// What the resolver reported.
  public var resolverCode: ResolverCode?
  /// What the certificate check reported.
  public var certificateResult: CertificateResult?
  /// The HTTP status of the answer.
  public var httpStatus: Int?
  /// The number of an FTP server's last reply.
  public var ftpReply: Int?
  /// What libcurl reported of the handshake with a SOCKS proxy.
  public var proxyCode: ProxyCode?
  /// The facts that the message was made from, where the trouble was found by our own checks.
  package var problem: TransferProblem?

  // An array, because a struct cannot hold an optional of itself.
  private var causes: [NetworkError] = []

  /// The error below this one, for example that of the proxy below that of the connection.
  public var cause: NetworkError? {
    get { causes.first }
    set { causes = newValue.map { [$0] } ?? [] }
  }

  /// Creates an error with its number and words; everything else is to be filled in.
  ///
  /// - Parameters:
  ///   - code: The number.
  ///   - message: What was expected and found.
  ///   - category: The kind of failure; `nil` takes that of the number.
  ///   - retry: Whether another attempt makes sense.
  public init(
    code: NetworkErrorCode, message: String, category: FailureCategory? = nil,
    retry: RetryAdvice = .never
  ) {
    self.code = code
    self.message = message
    self.category = category ?? FailureCategory(code)
    self.retry = retry
    self.attempt = 1
  }

  /// Creates the error that a problem found by our own checks amounts to.
  package init(_ problem: TransferProblem) {
    self.init(
      code: problem.code, message: problem.text, category: problem.category, retry: problem.retry)
    self.problem = problem
    systemCode = problem.systemCode
    path = problem.path
    byteOffset = problem.byteOffset
    httpStatus = problem.httpStatus
    retryAfter = problem.retryAfter
    cause = problem.cause.map {
      NetworkError(code: $0, message: $0.entry?.meaning ?? $0.description)
    }
  }

  /// A copy with the circumstances of a transfer filled in.
  ///
  /// - Parameters:
  ///   - url: The URL as it was requested; secrets are taken out here.
  ///   - phase: When it happened; `nil` keeps what is there.
  ///   - attempt: Which attempt it was, from 1 on.
  ///   - byteOffset: How many bytes had come; `nil` keeps what is there.
  /// - Returns: The filled copy.
  package func during(
    url: String?, phase: TransferPhase? = nil, attempt: Int = 1, byteOffset: UInt64? = nil
  ) -> NetworkError {
    var copy = self
    copy.url = url.map(URLRedaction.redact) ?? copy.url
    copy.phase = phase ?? copy.phase
    copy.attempt = attempt
    copy.byteOffset = byteOffset ?? copy.byteOffset
    return copy
  }

  /// What libcurl's result adds: nothing, where it says only that a check of our own ended the transfer.
  func reported(_ result: CurlCode) -> CurlCode? {
    let isOurs = problem != nil && systemCode == nil && result == .writeError
    return result == .ok || isOurs ? nil : result
  }

  /// A URL as it may be shown: without user name, password and token parameters.
  public static func shownURL(_ url: String) -> String { URLRedaction.redact(url) }

  /// The exit status of a program that ends with this error, as the manual lists them.
  public var exitStatus: Int32 { category.exitStatus }

  /// Whether another attempt makes sense.
  public var isRetryable: Bool { retry.isRetryable }
}

/// When in a transfer something happened.
public enum TransferPhase: String, Hashable, Sendable, CaseIterable {
  /// Reading settings and inputs, before any connection.
  case preparation
  /// Name lookup.
  case resolve
  /// Making the connection.
  case connect
  /// Agreeing with a proxy on the tunnel.
  case proxy
  /// The TLS handshake.
  case tls
  /// From the request to the first byte of the answer.
  case firstByte = "first-byte"
  /// The header of the answer.
  case header
  /// The body of the answer.
  case body
  /// The body had stood still for too long.
  case stall
  /// The time for the whole transfer.
  case total
  /// Checking lengths, validators, coding and checksums.
  case verification
  /// Writing to the disk and giving the file its name.
  case placement
}

/// The kinds of failure that a program tells apart by its exit status.
public enum FailureCategory: String, Hashable, Sendable, CaseIterable {
  /// None of the others.
  case other
  /// The request itself cannot be right: a malformed URL, contradicting options.
  case usage
  /// A local file.
  case file
  /// Name lookup, connections, time limits.
  case network
  /// TLS and certificates.
  case tls
  /// Credentials missing or refused.
  case authentication
  /// The other side breaks the protocol.
  case protocolViolation = "protocol"
  /// The server understood and said no.
  case refused
  /// What came is not what it should be.
  case integrity
  /// A limit was reached or space ran out.
  case limit
  /// Stopped from this side.
  case cancelled

  /// The exit status: 1 other or cancelled, 2 usage, 3 file, 4 network, 5 TLS, 6 authentication,
  /// 7 protocol, 8 refused, 9 integrity, 10 limit.
  ///
  /// A program cancelled by a signal dies by that signal instead.
  public var exitStatus: Int32 {
    switch self {
    case .other, .cancelled: 1
    case .usage: 2
    case .file: 3
    case .network: 4
    case .tls: 5
    case .authentication: 6
    case .protocolViolation: 7
    case .refused: 8
    case .integrity: 9
    case .limit: 10
    }
  }

  /// The kind that a number stands for when nothing else is known.
  public init(_ code: NetworkErrorCode) {
    self =
      switch code {
      case .badURL, .unsupportedURL, .httpBadURL, .cannotParseCookieFile: .usage
      case .cancelled, .userCancelledAuthentication, .netServiceCancelled: .cancelled
      case .userAuthenticationRequired, .httpAuthenticationTypeUnsupported, .httpBadCredentials,
        .httpBadProxyCredentials, .pacFileAuthenticationRequired, .socks5BadCredentials,
        .socks5NoAcceptableMethod, .socks5UnsupportedNegotiationMethod:
        .authentication
      case .appTransportSecurityRequiresSecureConnection: .tls
      case .fileDoesNotExist, .noPermissionsToReadFile, .resourceUnavailable, .badServerResponse,
        .fileIsDirectory, .ftpUnexpectedStatusCode:
        .refused
      case .dataLengthExceedsMaximum: .limit
      case .httpTooManyRedirects, .httpRedirectionLoopDetected, .redirectToNonExistentLocation,
        .cannotParseResponse, .httpParseFailure, .cannotDecodeRawData, .cannotDecodeContentData,
        .zeroByteResource, .httpsProxyUnexpectedResponse:
        .protocolViolation
      case .downloadDecodingFailedMidStream, .downloadDecodingFailedToComplete: .integrity
      case .cannotLoadFromNetwork, .unknown, .unknownURLError, .requestBodyStreamExhausted: .other
      default: Self(code.entry?.family)
      }
  }

  private init(_ family: NetworkErrorFamily?) {
    self =
      switch family {
      case .host, .socks, .socks4, .socks5, .httpProxy, .http, .urlLoading: .network
      case .tls: .tls
      case .download, .file: .file
      case .ftp: .refused
      case .background, .cookie, .netService, .stream, nil: .other
      }
  }
}
