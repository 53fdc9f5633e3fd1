/// What libcurl reports of the handshake with a SOCKS proxy, a `CURLproxycode`.
public struct ProxyCode: RawRepresentable, Hashable, Sendable {
  /// The number.
  public let rawValue: Int32

  /// Creates a code from its number.
  public init(rawValue: Int32) {
    self.rawValue = rawValue
  }

  // The order is that of curl/curl.h; the place in the list is the number.
  private static let table: [(name: String, error: NetworkErrorCode?)] = [
    ("OK", nil),
    ("BAD_ADDRESS_TYPE", .socks5BadResponseAddress),
    ("BAD_VERSION", .socksUnsupportedServerVersion),
    ("CLOSED", .socks5BadState),
    ("GSSAPI", .socks5BadCredentials),
    ("GSSAPI_PERMSG", .socks5BadCredentials),
    ("GSSAPI_PROTECTION", .socks5BadCredentials),
    ("IDENTD", .socks4IdentdFailed),
    ("IDENTD_DIFFER", .socks4IdConflict),
    ("LONG_HOSTNAME", .socks5BadResponseAddress),
    ("LONG_PASSWD", .socks5BadCredentials),
    ("LONG_USER", .socks5BadCredentials),
    ("NO_AUTH", .socks5NoAcceptableMethod),
    ("RECV_ADDRESS", .socks5BadState),
    ("RECV_AUTH", .socks5BadState),
    ("RECV_CONNECT", .socks5BadState),
    ("RECV_REQACK", .socks5BadState),
    ("REPLY_ADDRESS_TYPE_NOT_SUPPORTED", .socks5BadResponseAddress),
    ("REPLY_COMMAND_NOT_SUPPORTED", .socks5BadState),
    ("REPLY_CONNECTION_REFUSED", .cannotConnectToHost),
    ("REPLY_GENERAL_SERVER_FAILURE", .socks5BadState),
    ("REPLY_HOST_UNREACHABLE", .cannotConnectToHost),
    ("REPLY_NETWORK_UNREACHABLE", .cannotConnectToHost),
    ("REPLY_NOT_ALLOWED", .socks5BadState),
    ("REPLY_TTL_EXPIRED", .timedOut),
    ("REPLY_UNASSIGNED", .socks5BadState),
    ("REQUEST_FAILED", .socks4RequestFailed),
    ("RESOLVE_HOST", .cannotFindHost),
    ("SEND_AUTH", .socks5BadState),
    ("SEND_CONNECT", .socks5BadState),
    ("SEND_REQUEST", .socks5BadState),
    ("UNKNOWN_FAIL", .socks5BadState),
    ("UNKNOWN_MODE", .socks5UnsupportedNegotiationMethod),
    ("USER_REJECTED", .socks5BadCredentials),
  ]

  /// All numbers that libcurl has, from success on.
  public static let all: [ProxyCode] = table.indices.map { Self(rawValue: Int32($0)) }

  private var row: (name: String, error: NetworkErrorCode?)? {
    Self.table.indices.contains(Int(rawValue)) ? Self.table[Int(rawValue)] : nil
  }

  /// The constant in `curl/curl.h`.
  public var name: String { row.map { "CURLPX_" + $0.name } ?? "CURLproxycode \(rawValue)" }

  /// The reply that the proxy gave, where it was one that refuses.
  ///
  /// Source: RFC 1928 section 6 for SOCKS5; 91 to 93 are SOCKS4's.
  public var reply: Int? {
    switch row?.name {
    case "REPLY_GENERAL_SERVER_FAILURE": 1
    case "REPLY_NOT_ALLOWED": 2
    case "REPLY_NETWORK_UNREACHABLE": 3
    case "REPLY_HOST_UNREACHABLE": 4
    case "REPLY_CONNECTION_REFUSED": 5
    case "REPLY_TTL_EXPIRED": 6
    case "REPLY_COMMAND_NOT_SUPPORTED": 7
    case "REPLY_ADDRESS_TYPE_NOT_SUPPORTED": 8
    case "REQUEST_FAILED": 91
    case "IDENTD": 92
    case "IDENTD_DIFFER": 93
    default: nil
    }
  }

  /// The error it becomes, or `nil` for success and unknown numbers.
  ///
  /// - Parameter isVersion4: Whether the proxy speaks SOCKS4, which changes what an unknown reply is.
  /// - Returns: The number of CFNetwork.
  public func error(isVersion4: Bool) -> NetworkErrorCode? {
    if isVersion4, row?.name == "UNKNOWN_FAIL" { return .socks4UnknownStatusCode }
    return row?.error
  }
}
