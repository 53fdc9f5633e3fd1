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
    /// libcurl's number, an `Int`.
    public static let curlCode = "CourierCurlCode"
    /// libcurl's words.
    public static let curlMessage = "CourierCurlMessage"
    /// The HTTP status, an `Int`.
    public static let httpStatus = "CourierHTTPStatus"
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
    var info: [String: Any] = [:]
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
    info[UserInfoKey.phase] = phase?.rawValue
    info[UserInfoKey.byteOffset] = byteOffset
    return info
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
