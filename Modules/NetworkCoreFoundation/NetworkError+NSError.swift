// The one module that imports Foundation, and the reason for it: code that comes from Apple's platforms
// looks at `NSError`, which exists nowhere else. It is a product of its own, so that NetworkCore stays
// free of Foundation.
public import Foundation
public import NetworkCore

extension NetworkError {
  /// The keys under which what `NSError` has no key for stands in `userInfo`.
  public enum UserInfoKey {
    /// The resolver's number, as on Apple's platforms.
    public static let resolverCode = "kCFGetAddrInfoFailureKey"
    /// The reply of an FTP server, as on Apple's platforms.
    public static let ftpReply = "kCFFTPStatusCodeKey"
    /// The reply of a SOCKS proxy, as on Apple's platforms.
    public static let socksReply = "kCFSOCKSStatusCodeKey"
    /// The version of SOCKS that was spoken, as on Apple's platforms.
    public static let socksVersion = "kCFSOCKSVersionKey"
    /// Whose number stands beside it, a `CFStreamErrorDomain`.
    ///
    /// 1 POSIX, 3 SSL, 4 HTTP, 5 SOCKS, 6 FTP, 12 the resolver. Private on Apple's platforms, and looked at by
    /// much code.
    public static let streamErrorDomain = "_kCFStreamErrorDomainKey"
    /// The number in that domain.
    public static let streamErrorCode = "_kCFStreamErrorCodeKey"
    /// libcurl's number, an `Int`.
    public static let curlCode = "CourierCurlCode"
    /// libcurl's words.
    public static let curlMessage = "CourierCurlMessage"
    /// The HTTP status, an `Int`.
    public static let httpStatus = "CourierHTTPStatus"
    /// What libcurl reported of a SOCKS proxy, an `Int`.
    public static let proxyCode = "CourierProxyCode"
    /// How long the server asked to wait, in seconds, a `Double`.
    public static let retryAfter = "CourierRetryAfter"
    /// The result of the certificate check, an `Int`.
    public static let certificateResult = "CourierCertificateResult"
    /// The phase of the transfer.
    public static let phase = "CourierPhase"
    /// Which attempt it was, an `Int`.
    public static let attempt = "CourierAttempt"
    /// How many bytes had come, a `UInt64`.
    public static let byteOffset = "CourierByteOffset"
    /// Whether another attempt makes sense, a `Bool`.
    public static let isRetryable = "CourierIsRetryable"
  }

  /// The error as Apple's platforms report it.
  ///
  /// The outer error is in `NSURLErrorDomain`; its number is ``NetworkErrorCode/urlLoadingCode``. Below
  /// it, under `NSUnderlyingErrorKey`, stands CFNetwork's own number, and below that the kernel's in
  /// `NSPOSIXErrorDomain`. Numbers of service discovery keep their domain.
  public var nsError: NSError {
    let domain = code.entry?.domain
    guard domain != .netServices else {
      return NSError(
        domain: NetworkErrorDomain.netServices.rawValue, code: code.rawValue, userInfo: details)
    }
    var info = details
    info[NSUnderlyingErrorKey] = cfNetworkError
    return NSError(
      domain: NetworkErrorDomain.urlLoading.rawValue, code: outerCode.rawValue, userInfo: info)
  }

  /// A proxy that has no address is a name that was not found, for those who look at URL loading only.
  private var outerCode: NetworkErrorCode {
    curlCode == .couldntResolveProxy ? .cannotFindHost : code.urlLoadingCode
  }

  private var cfNetworkError: NSError {
    // What CFNetwork itself would call it: its own finer number where the cause holds one.
    let inner = cause.map(\.code).flatMap { $0.entry?.domain == .cfNetwork ? $0 : nil }
    var info = streamError
    if let resolverCode { info[UserInfoKey.resolverCode] = Int(resolverCode.rawValue) }
    if let systemCode {
      info[NSUnderlyingErrorKey] = NSError(
        domain: NSPOSIXErrorDomain, code: Int(systemCode.rawValue),
        userInfo: [NSLocalizedDescriptionKey: systemCode.description])
    }
    let number = inner ?? (code == .unknownURLError ? .unknown : code)
    return NSError(
      domain: NetworkErrorDomain.cfNetwork.rawValue, code: number.rawValue, userInfo: info)
  }

  private var details: [String: Any] {
    var info: [String: Any] = [
      NSLocalizedDescriptionKey: message, UserInfoKey.attempt: attempt,
      UserInfoKey.isRetryable: isRetryable,
    ]
    if let url {
      info["NSErrorFailingURLStringKey"] = url
      if let parsed = URL(string: url) { info["NSErrorFailingURLKey"] = parsed }
    }
    if let entry = code.entry {
      info[NSLocalizedFailureReasonErrorKey] = entry.meaning
      info[NSLocalizedRecoverySuggestionErrorKey] = entry.advice
    }
    info[NSFilePathErrorKey] = path
    info[UserInfoKey.resolverCode] = resolverCode.map { Int($0.rawValue) }
    info[UserInfoKey.curlCode] = curlCode.map { Int($0.rawValue) }
    info[UserInfoKey.curlMessage] = curlMessage
    info[UserInfoKey.httpStatus] = httpStatus
    info[UserInfoKey.certificateResult] = certificateResult?.rawValue
    info[UserInfoKey.ftpReply] = ftpReply
    info[UserInfoKey.proxyCode] = proxyCode.map { Int($0.rawValue) }
    info[UserInfoKey.socksReply] = proxyCode?.reply
    info[UserInfoKey.socksVersion] = socksVersion
    info[UserInfoKey.retryAfter] = retryAfter.map { $0 / .seconds(1) }
    info[UserInfoKey.phase] = phase?.rawValue
    info[UserInfoKey.byteOffset] = byteOffset
    return info
  }
}

// What lies below CFNetwork, as its private keys tell it.
extension NetworkError {
  private var socksVersion: Int? {
    switch code.entry?.family {
    case .socks4: 4
    case .socks5: 5
    default: nil
    }
  }

  fileprivate var streamError: [String: Any] {
    guard let (domain, number) = streamErrorNumbers else { return [:] }
    return [UserInfoKey.streamErrorDomain: domain, UserInfoKey.streamErrorCode: number]
  }

  private var streamErrorNumbers: (domain: Int, code: Int)? {
    if let number = secureTransportNumber { return (3, number) }
    if let systemCode { return (1, Int(systemCode.rawValue)) }
    if let resolverCode { return (12, Int(resolverCode.rawValue)) }
    if let reply = proxyCode?.reply { return (5, reply) }
    if let ftpReply { return (6, ftpReply) }
    switch code {
    case .cannotParseResponse, .httpParseFailure: return (4, -1)
    case .httpTooManyRedirects, .httpRedirectionLoopDetected: return (4, -2)
    case .httpBadURL: return (4, -3)
    case .httpAuthenticationTypeUnsupported: return (4, -1000)
    default: return nil
    }
  }

  /// What Secure Transport calls it, an `errSSL…` of `SecureTransport.h`.
  private var secureTransportNumber: Int? {
    switch code {
    case .secureConnectionFailed: -9824
    case .serverCertificateHasBadDate: -9814
    case .serverCertificateNotYetValid: -9815
    case .serverCertificateHasUnknownRoot: -9813
    case .serverCertificateUntrusted: certificateResult == .hostNameMismatch ? -9843 : -9807
    case .clientCertificateRejected: -9825
    default: nil
    }
  }
}

extension NetworkError: LocalizedError {
  /// The message.
  public var errorDescription: String? { message }
  /// What the number means.
  public var failureReason: String? { code.entry?.meaning }
  /// What to do about it.
  public var recoverySuggestion: String? { code.entry?.advice }
}
