/// How requests are made: patience, identity, trust and route.
///
/// The defaults suit a download tool: HTTP/1.1, certificates checked, environment proxies honoured.
public struct TransferSettings: Equatable, Sendable {
  /// Which HTTP version is offered.
  public enum HTTPVersion: Equatable, Sendable {
    /// 1.1 only: each transfer has a connection to itself.
    case http1
    /// 2 where the server offers it over TLS, else 1.1.
    case http2
  }

  /// Which address family is used.
  public enum AddressFamily: Equatable, Sendable {
    /// Whichever connects first.
    case any
    /// IPv4 only.
    case ipv4
    /// IPv6 only.
    case ipv6
  }

  /// A name and a password; never shown in a description.
  public struct Credentials: Equatable, Sendable, CustomStringConvertible {
    /// The user.
    public var user: String
    /// The password.
    public var password: String
    /// Creates credentials.
    public init(user: String, password: String) {
      self.user = user
      self.password = password
    }
    /// The user alone.
    public var description: String { "\(user):***" }
  }

  /// Time for name lookup, connection and TLS together; 30 s.
  public var connectTimeout: Duration = .seconds(30)
  /// Time from the request to the end of the response head; 60 s.
  public var responseTimeout: Duration = .seconds(60)
  /// Time in which less than ``stallBytes`` arrive before a transfer counts as stalled; 30 s.
  public var stallTimeout: Duration = .seconds(30)
  /// What must arrive within ``stallTimeout``; 1 KiB.
  public var stallBytes: UInt64 = 1 << 10
  /// Bytes a second for one transfer, or `nil` for no limit.
  public var rateLimit: UInt64?
  /// The most hops of a redirect; 20.
  public var redirectLimit = 20
  /// Whether `https` may be redirected to `http`, and `http` be used at all.
  public var httpsOnly = false
  /// Whether a redirect may lead from `https` to `http`.
  public var allowsDowngrade = false

  /// Fields added to each request, replacing our own of the same name.
  public var fields: [ResponseHead.Field] = []
  /// The `User-Agent`.
  public var userAgent = "courier-fetch/0.1"
  /// The `Referer`, or `nil`.
  public var referer: String?
  /// For the origin of the first request only.
  public var credentials: Credentials?
  /// Whether `~/.netrc` is asked for credentials.
  public var usesNetrc = false
  /// A file of cookies in Netscape format to read, or `nil`.
  public var cookieFile: String?
  /// A file to write the cookies to when the session ends, or `nil`.
  public var cookieJar: String?

  /// A proxy URL, or `nil` for the environment's (`http_proxy`, `https_proxy`, `all_proxy`).
  public var proxy: String?
  /// Hosts reached directly, separated by commas, or `nil` for the environment's `no_proxy`.
  public var noProxy: String?
  /// The version offered.
  public var version = HTTPVersion.http1
  /// The address family.
  public var family = AddressFamily.any

  /// A PEM file of trusted certificates, or `nil` for the system's.
  public var certificateAuthorities: String?
  /// A PEM file with the client's certificate.
  public var clientCertificate: String?
  /// A PEM file with the client's key.
  public var clientKey: String?
  /// Public key pins as `sha256//BASE64`, separated by `;`, or a file.
  public var pinnedKey: String?
  /// Whether certificates are left unchecked.
  public var isInsecure = false

  /// Creates the default settings.
  public init() {}
}
