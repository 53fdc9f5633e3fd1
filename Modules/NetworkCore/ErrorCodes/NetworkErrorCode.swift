/// The number of a network error as CFNetwork and Foundation's URL loading count it.
///
/// The numbers are those of Apple's `CFNetworkErrors.h` and `NSURLError.h`. They are taken from our
/// own table and never from Foundation on Linux, whose constants for TLS are off by one.
/// ``NetworkErrorTable`` holds name, meaning and advice of each.
public struct NetworkErrorCode: RawRepresentable, Hashable, Sendable {
  /// The number, for example -1003.
  public let rawValue: Int

  /// Creates a code from its number; it need not be one that the table knows.
  public init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// The table's line on this code, or `nil` for a number that the table does not hold.
  public var entry: NetworkErrorEntry? { NetworkErrorTable.entry(for: self) }

  /// The number in `NSURLErrorDomain` that says about the same, for those who look at no other.
  ///
  /// CFNetwork's own numbers (hosts, SOCKS, FTP, HTTP, proxies) are folded into the nearest one of URL
  /// loading, and -1 where there is none; numbers of URL loading stay as they are.
  public var urlLoadingCode: NetworkErrorCode {
    switch rawValue {
    case 1, 2: .cannotFindHost
    case 122...124, 300, 301, 307, 309: .userAuthenticationRequired
    case 100...121, 306, 310, 311: .cannotConnectToHost
    case 200: .badServerResponse
    case 302: .networkConnectionLost
    case 303: .cannotParseResponse
    case 304: .httpTooManyRedirects
    case 305: .badURL
    case -3999...(-900): self == .unknown ? .unknownURLError : self
    default: .unknownURLError
    }
  }

  /// `kCFHostErrorHostNotFound`: 1.
  public static let hostNotFound = Self(rawValue: 1)
  /// `kCFHostErrorUnknown`: 2.
  public static let hostLookupUnknown = Self(rawValue: 2)
  /// `kCFSOCKSErrorUnknownClientVersion`: 100.
  public static let socksUnknownClientVersion = Self(rawValue: 100)
  /// `kCFSOCKSErrorUnsupportedServerVersion`: 101.
  public static let socksUnsupportedServerVersion = Self(rawValue: 101)
  /// `kCFSOCKS4ErrorRequestFailed`: 110.
  public static let socks4RequestFailed = Self(rawValue: 110)
  /// `kCFSOCKS4ErrorIdentdFailed`: 111.
  public static let socks4IdentdFailed = Self(rawValue: 111)
  /// `kCFSOCKS4ErrorIdConflict`: 112.
  public static let socks4IdConflict = Self(rawValue: 112)
  /// `kCFSOCKS4ErrorUnknownStatusCode`: 113.
  public static let socks4UnknownStatusCode = Self(rawValue: 113)
  /// `kCFSOCKS5ErrorBadState`: 120.
  public static let socks5BadState = Self(rawValue: 120)
  /// `kCFSOCKS5ErrorBadResponseAddr`: 121.
  public static let socks5BadResponseAddress = Self(rawValue: 121)
  /// `kCFSOCKS5ErrorBadCredentials`: 122.
  public static let socks5BadCredentials = Self(rawValue: 122)
  /// `kCFSOCKS5ErrorUnsupportedNegotiationMethod`: 123.
  public static let socks5UnsupportedNegotiationMethod = Self(rawValue: 123)
  /// `kCFSOCKS5ErrorNoAcceptableMethod`: 124.
  public static let socks5NoAcceptableMethod = Self(rawValue: 124)
  /// `kCFFTPErrorUnexpectedStatusCode`: 200.
  public static let ftpUnexpectedStatusCode = Self(rawValue: 200)
  /// `kCFErrorHTTPAuthenticationTypeUnsupported`: 300.
  public static let httpAuthenticationTypeUnsupported = Self(rawValue: 300)
  /// `kCFErrorHTTPBadCredentials`: 301.
  public static let httpBadCredentials = Self(rawValue: 301)
  /// `kCFErrorHTTPConnectionLost`: 302.
  public static let httpConnectionLost = Self(rawValue: 302)
  /// `kCFErrorHTTPParseFailure`: 303.
  public static let httpParseFailure = Self(rawValue: 303)
  /// `kCFErrorHTTPRedirectionLoopDetected`: 304.
  public static let httpRedirectionLoopDetected = Self(rawValue: 304)
  /// `kCFErrorHTTPBadURL`: 305.
  public static let httpBadURL = Self(rawValue: 305)
  /// `kCFErrorHTTPProxyConnectionFailure`: 306.
  public static let httpProxyConnectionFailure = Self(rawValue: 306)
  /// `kCFErrorHTTPBadProxyCredentials`: 307.
  public static let httpBadProxyCredentials = Self(rawValue: 307)
  /// `kCFErrorPACFileError`: 308.
  public static let pacFileError = Self(rawValue: 308)
  /// `kCFErrorPACFileAuth`: 309.
  public static let pacFileAuthenticationRequired = Self(rawValue: 309)
  /// `kCFErrorHTTPSProxyConnectionFailure`: 310.
  public static let httpsProxyConnectionFailure = Self(rawValue: 310)
  /// `kCFStreamErrorHTTPSProxyFailureUnexpectedResponseToCONNECTMethod`: 311.
  public static let httpsProxyUnexpectedResponse = Self(rawValue: 311)
  /// `NSURLErrorUnknown`: -1.
  public static let unknownURLError = Self(rawValue: -1)
  /// `NSURLErrorBackgroundSessionRequiresSharedContainer`: -995.
  public static let backgroundSessionRequiresSharedContainer = Self(rawValue: -995)
  /// `kCFURLErrorBackgroundSessionInUseByAnotherProcess`: -996.
  public static let backgroundSessionInUseByAnotherProcess = Self(rawValue: -996)
  /// `kCFURLErrorBackgroundSessionWasDisconnected`: -997.
  public static let backgroundSessionWasDisconnected = Self(rawValue: -997)
  /// `kCFURLErrorUnknown`: -998.
  public static let unknown = Self(rawValue: -998)
  /// `kCFURLErrorCancelled`: -999.
  public static let cancelled = Self(rawValue: -999)
  /// `kCFURLErrorBadURL`: -1000.
  public static let badURL = Self(rawValue: -1000)
  /// `kCFURLErrorTimedOut`: -1001.
  public static let timedOut = Self(rawValue: -1001)
  /// `kCFURLErrorUnsupportedURL`: -1002.
  public static let unsupportedURL = Self(rawValue: -1002)
  /// `kCFURLErrorCannotFindHost`: -1003.
  public static let cannotFindHost = Self(rawValue: -1003)
  /// `kCFURLErrorCannotConnectToHost`: -1004.
  public static let cannotConnectToHost = Self(rawValue: -1004)
  /// `kCFURLErrorNetworkConnectionLost`: -1005.
  public static let networkConnectionLost = Self(rawValue: -1005)
  /// `kCFURLErrorDNSLookupFailed`: -1006.
  public static let dnsLookupFailed = Self(rawValue: -1006)
  /// `kCFURLErrorHTTPTooManyRedirects`: -1007.
  public static let httpTooManyRedirects = Self(rawValue: -1007)
  /// `kCFURLErrorResourceUnavailable`: -1008.
  public static let resourceUnavailable = Self(rawValue: -1008)
  /// `kCFURLErrorNotConnectedToInternet`: -1009.
  public static let notConnectedToInternet = Self(rawValue: -1009)
  /// `kCFURLErrorRedirectToNonExistentLocation`: -1010.
  public static let redirectToNonExistentLocation = Self(rawValue: -1010)
  /// `kCFURLErrorBadServerResponse`: -1011.
  public static let badServerResponse = Self(rawValue: -1011)
  /// `kCFURLErrorUserCancelledAuthentication`: -1012.
  public static let userCancelledAuthentication = Self(rawValue: -1012)
  /// `kCFURLErrorUserAuthenticationRequired`: -1013.
  public static let userAuthenticationRequired = Self(rawValue: -1013)
  /// `kCFURLErrorZeroByteResource`: -1014.
  public static let zeroByteResource = Self(rawValue: -1014)
  /// `kCFURLErrorCannotDecodeRawData`: -1015.
  public static let cannotDecodeRawData = Self(rawValue: -1015)
  /// `kCFURLErrorCannotDecodeContentData`: -1016.
  public static let cannotDecodeContentData = Self(rawValue: -1016)
  /// `kCFURLErrorCannotParseResponse`: -1017.
  public static let cannotParseResponse = Self(rawValue: -1017)
  /// `kCFURLErrorInternationalRoamingOff`: -1018.
  public static let internationalRoamingOff = Self(rawValue: -1018)
  /// `kCFURLErrorCallIsActive`: -1019.
  public static let callIsActive = Self(rawValue: -1019)
  /// `kCFURLErrorDataNotAllowed`: -1020.
  public static let dataNotAllowed = Self(rawValue: -1020)
  /// `kCFURLErrorRequestBodyStreamExhausted`: -1021.
  public static let requestBodyStreamExhausted = Self(rawValue: -1021)
  /// `kCFURLErrorAppTransportSecurityRequiresSecureConnection`: -1022.
  public static let appTransportSecurityRequiresSecureConnection = Self(rawValue: -1022)
  /// `kCFURLErrorFileDoesNotExist`: -1100.
  public static let fileDoesNotExist = Self(rawValue: -1100)
  /// `kCFURLErrorFileIsDirectory`: -1101.
  public static let fileIsDirectory = Self(rawValue: -1101)
  /// `kCFURLErrorNoPermissionsToReadFile`: -1102.
  public static let noPermissionsToReadFile = Self(rawValue: -1102)
  /// `kCFURLErrorDataLengthExceedsMaximum`: -1103.
  public static let dataLengthExceedsMaximum = Self(rawValue: -1103)
  /// `kCFURLErrorFileOutsideSafeArea`: -1104.
  public static let fileOutsideSafeArea = Self(rawValue: -1104)
  /// `kCFURLErrorSecureConnectionFailed`: -1200.
  public static let secureConnectionFailed = Self(rawValue: -1200)
  /// `kCFURLErrorServerCertificateHasBadDate`: -1201.
  public static let serverCertificateHasBadDate = Self(rawValue: -1201)
  /// `kCFURLErrorServerCertificateUntrusted`: -1202.
  public static let serverCertificateUntrusted = Self(rawValue: -1202)
  /// `kCFURLErrorServerCertificateHasUnknownRoot`: -1203.
  public static let serverCertificateHasUnknownRoot = Self(rawValue: -1203)
  /// `kCFURLErrorServerCertificateNotYetValid`: -1204.
  public static let serverCertificateNotYetValid = Self(rawValue: -1204)
  /// `kCFURLErrorClientCertificateRejected`: -1205.
  public static let clientCertificateRejected = Self(rawValue: -1205)
  /// `kCFURLErrorClientCertificateRequired`: -1206.
  public static let clientCertificateRequired = Self(rawValue: -1206)
  /// `kCFURLErrorCannotLoadFromNetwork`: -2000.
  public static let cannotLoadFromNetwork = Self(rawValue: -2000)
  /// `kCFURLErrorCannotCreateFile`: -3000.
  public static let cannotCreateFile = Self(rawValue: -3000)
  /// `kCFURLErrorCannotOpenFile`: -3001.
  public static let cannotOpenFile = Self(rawValue: -3001)
  /// `kCFURLErrorCannotCloseFile`: -3002.
  public static let cannotCloseFile = Self(rawValue: -3002)
  /// `kCFURLErrorCannotWriteToFile`: -3003.
  public static let cannotWriteToFile = Self(rawValue: -3003)
  /// `kCFURLErrorCannotRemoveFile`: -3004.
  public static let cannotRemoveFile = Self(rawValue: -3004)
  /// `kCFURLErrorCannotMoveFile`: -3005.
  public static let cannotMoveFile = Self(rawValue: -3005)
  /// `kCFURLErrorDownloadDecodingFailedMidStream`: -3006.
  public static let downloadDecodingFailedMidStream = Self(rawValue: -3006)
  /// `kCFURLErrorDownloadDecodingFailedToComplete`: -3007.
  public static let downloadDecodingFailedToComplete = Self(rawValue: -3007)
  /// `kCFHTTPCookieCannotParseCookieFile`: -4000.
  public static let cannotParseCookieFile = Self(rawValue: -4000)
  /// `kCFNetServiceErrorUnknown`: -72000.
  public static let netServiceUnknown = Self(rawValue: -72000)
  /// `kCFNetServiceErrorCollision`: -72001.
  public static let netServiceCollision = Self(rawValue: -72001)
  /// `kCFNetServiceErrorNotFound`: -72002.
  public static let netServiceNotFound = Self(rawValue: -72002)
  /// `kCFNetServiceErrorInProgress`: -72003.
  public static let netServiceInProgress = Self(rawValue: -72003)
  /// `kCFNetServiceErrorBadArgument`: -72004.
  public static let netServiceBadArgument = Self(rawValue: -72004)
  /// `kCFNetServiceErrorCancel`: -72005.
  public static let netServiceCancelled = Self(rawValue: -72005)
  /// `kCFNetServiceErrorInvalid`: -72006.
  public static let netServiceInvalid = Self(rawValue: -72006)
  /// `kCFNetServiceErrorTimeout`: -72007.
  public static let netServiceTimedOut = Self(rawValue: -72007)
  /// `kCFNetServiceErrorMissingRequiredConfiguration`: -72008.
  public static let netServiceMissingRequiredConfiguration = Self(rawValue: -72008)
  /// `kCFNetServiceErrorDNSServiceFailure`: -73000.
  public static let dnsServiceFailure = Self(rawValue: -73000)
}

extension NetworkErrorCode: CustomStringConvertible {
  /// The CFNetwork name, else the `NSURLError` name, else the number.
  public var description: String { entry?.name ?? "\(rawValue)" }
}
