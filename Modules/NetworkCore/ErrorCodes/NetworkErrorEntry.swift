/// The error domain that a number of the table belongs to.
public enum NetworkErrorDomain: String, Hashable, Sendable, CaseIterable {
  /// CFNetwork's own domain: hosts, SOCKS, FTP, HTTP, proxies, cookies.
  case cfNetwork = "kCFErrorDomainCFNetwork"
  /// Foundation's domain of URL loading; its numbers also exist under CFNetwork names.
  case urlLoading = "NSURLErrorDomain"
  /// Service discovery (Bonjour).
  case netServices = "NSNetServicesErrorDomain"
  /// The HTTP domain of `CFStreamError` (number 4), below CFNetwork.
  case httpStream = "kCFStreamErrorDomainHTTP"
}

/// What a number of the table is about.
public enum NetworkErrorFamily: Hashable, Sendable, CaseIterable {
  /// Name lookup.
  case host
  /// SOCKS, version 4, version 5.
  case socks, socks4, socks5
  /// FTP replies.
  case ftp
  /// HTTP messages and authentication.
  case http
  /// HTTP proxies and their configuration.
  case httpProxy
  /// Loading a URL, whatever its scheme.
  case urlLoading
  /// Background sessions of apps.
  case background
  /// Files named by a URL.
  case file
  /// TLS and certificates.
  case tls
  /// The file being downloaded to.
  case download
  /// Cookie files.
  case cookie
  /// Service discovery.
  case netService
  /// HTTP streams below CFNetwork.
  case stream
}

/// One line of the table: a number with its names, its meaning and what to do about it.
public struct NetworkErrorEntry: Hashable, Sendable {
  /// The number.
  public let code: NetworkErrorCode
  /// What it is about.
  public let family: NetworkErrorFamily
  /// The constant of CFNetwork, where there is one.
  public let cfName: String?
  /// The constant of Foundation, where there is one.
  public let nsName: String?
  /// What the number means: a clause without capital and full stop.
  public let meaning: String
  /// What to do about it: a clause in the imperative.
  public let advice: String

  /// The CFNetwork name, else Foundation's, else the number.
  public var name: String { cfName ?? nsName ?? "\(code.rawValue)" }

  /// The domain in which the number is reported.
  public var domain: NetworkErrorDomain {
    switch family {
    case .host, .socks, .socks4, .socks5, .ftp, .http, .httpProxy, .cookie: .cfNetwork
    case .urlLoading, .background, .file, .tls, .download: .urlLoading
    case .netService: .netServices
    case .stream: .httpStream
    }
  }
}

extension NetworkErrorTable {
  /// What the table states for each number; the family is that of the list it stands in.
  struct Row: Sendable {
    let code: NetworkErrorCode
    let cfName: String?
    let nsName: String?
    let meaning: String
    let advice: String
  }

  static func row(
    _ code: NetworkErrorCode, _ cfName: String?, _ nsName: String?, _ meaning: String,
    _ advice: String
  ) -> Row {
    Row(code: code, cfName: cfName, nsName: nsName, meaning: meaning, advice: advice)
  }

  static func entries(_ family: NetworkErrorFamily, _ rows: [Row]) -> [NetworkErrorEntry] {
    rows.map {
      NetworkErrorEntry(
        code: $0.code, family: family, cfName: $0.cfName, nsName: $0.nsName, meaning: $0.meaning,
        advice: $0.advice)
    }
  }
}
