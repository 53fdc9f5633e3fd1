/// Every network error that Apple's platforms number: names, domain, meaning and advice.
///
/// Sources of the numbers and names: `CFNetworkErrors.h`, `NSURLError.h`, `CFHTTPStream.h`. The words
/// are ours.
public enum NetworkErrorTable {
  private static let hostErrors: [Row] = [
    row(
      .hostNotFound, "kCFHostErrorHostNotFound", nil,
      "the name lookup finished: this host does not exist",
      "check the spelling of the host name"),
    row(
      .hostLookupUnknown, "kCFHostErrorUnknown", nil,
      "the name lookup ended with a resolver error of another kind",
      "look at the resolver code beside this error; check /etc/resolv.conf"),
  ]

  private static let socksErrors: [Row] = [
    row(
      .socksUnknownClientVersion, "kCFSOCKSErrorUnknownClientVersion", nil,
      "the SOCKS proxy does not speak the protocol version of the request",
      "choose the other SOCKS version in the proxy URL (socks4, socks4a, socks5, socks5h)"),
    row(
      .socksUnsupportedServerVersion, "kCFSOCKSErrorUnsupportedServerVersion", nil,
      "the SOCKS proxy answered with another protocol version than the one asked for",
      "choose the other SOCKS version in the proxy URL; check that the port is a SOCKS proxy's"),
  ]

  private static let socks4Errors: [Row] = [
    row(
      .socks4RequestFailed, "kCFSOCKS4ErrorRequestFailed", nil,
      "the SOCKS4 proxy refused the connection or could not make it",
      "check that the proxy may reach the target, or go without it"),
    row(
      .socks4IdentdFailed, "kCFSOCKS4ErrorIdentdFailed", nil,
      "the SOCKS4 proxy found no identd on this machine to ask for the user",
      "run an identd, or use SOCKS5"),
    row(
      .socks4IdConflict, "kCFSOCKS4ErrorIdConflict", nil,
      "the SOCKS4 proxy heard two different user names, from identd and from the request",
      "make the user name of the proxy URL the one that identd gives"),
    row(
      .socks4UnknownStatusCode, "kCFSOCKS4ErrorUnknownStatusCode", nil,
      "the SOCKS4 proxy answered with a status that the protocol does not have",
      "check that the port belongs to a SOCKS4 proxy"),
  ]

  private static let socks5Errors: [Row] = [
    row(
      .socks5BadState, "kCFSOCKS5ErrorBadState", nil,
      "the SOCKS5 exchange broke off, or the proxy reported a general failure",
      "check that the port belongs to a SOCKS5 proxy, and read its log"),
    row(
      .socks5BadResponseAddress, "kCFSOCKS5ErrorBadResponseAddr", nil,
      "an address in the SOCKS5 exchange has a type or length that cannot be used",
      "let the proxy resolve the name (socks5h), or give a shorter host name"),
    row(
      .socks5BadCredentials, "kCFSOCKS5ErrorBadCredentials", nil,
      "the SOCKS5 proxy refused the user name or the password",
      "correct the credentials of the proxy"),
    row(
      .socks5UnsupportedNegotiationMethod, "kCFSOCKS5ErrorUnsupportedNegotiationMethod", nil,
      "the SOCKS5 proxy chose a way of authentication that was not offered",
      "set the proxy to user name and password, or to no authentication"),
    row(
      .socks5NoAcceptableMethod, "kCFSOCKS5ErrorNoAcceptableMethod", nil,
      "the SOCKS5 proxy accepts none of the ways of authentication offered",
      "give a user name and password for the proxy"),
  ]

  private static let ftpErrors: [Row] = [
    row(
      .ftpUnexpectedStatusCode, "kCFFTPErrorUnexpectedStatusCode", nil,
      "the FTP server answered with a reply that does not fit the command",
      "read the reply beside this error; passive and active mode are worth changing")
  ]

  private static let httpErrors: [Row] = [
    row(
      .httpAuthenticationTypeUnsupported, "kCFErrorHTTPAuthenticationTypeUnsupported", nil,
      "the server accepts no way of authentication that is available here",
      "see which schemes the server names; Basic, Digest, NTLM and Negotiate are spoken here"),
    row(
      .httpBadCredentials, "kCFErrorHTTPBadCredentials", nil,
      "the server refused the user name or the password",
      "correct the credentials"),
    row(
      .httpConnectionLost, "kCFErrorHTTPConnectionLost", nil,
      "the HTTP connection was lost",
      "try again; what has arrived is kept"),
    row(
      .httpParseFailure, "kCFErrorHTTPParseFailure", nil,
      "the HTTP message could not be read",
      "look at what the server sends; it may not be an HTTP server"),
    row(
      .httpRedirectionLoopDetected, "kCFErrorHTTPRedirectionLoopDetected", nil,
      "the redirects lead in a circle or are too many",
      "look at where each redirect leads; cookies or the user agent may change it"),
    row(
      .httpBadURL, "kCFErrorHTTPBadURL", nil,
      "the URL cannot be used for HTTP",
      "correct the URL"),
  ]

  private static let httpProxyErrors: [Row] = [
    row(
      .httpProxyConnectionFailure, "kCFErrorHTTPProxyConnectionFailure", nil,
      "no connection to the HTTP proxy could be made",
      "check the proxy's name and port, and that it is running"),
    row(
      .httpBadProxyCredentials, "kCFErrorHTTPBadProxyCredentials", nil,
      "the proxy refused the credentials, or wants some",
      "give the user name and password of the proxy"),
    row(
      .pacFileError, "kCFErrorPACFileError", nil,
      "the proxy auto-configuration script could not be run",
      "name the proxy directly"),
    row(
      .pacFileAuthenticationRequired, "kCFErrorPACFileAuth", nil,
      "the proxy auto-configuration script is behind a login",
      "name the proxy directly"),
    row(
      .httpsProxyConnectionFailure, "kCFErrorHTTPSProxyConnectionFailure", nil,
      "no tunnel through the proxy could be made for an HTTPS request",
      "check the proxy's name, port and certificate"),
    row(
      .httpsProxyUnexpectedResponse,
      "kCFStreamErrorHTTPSProxyFailureUnexpectedResponseToCONNECTMethod", nil,
      "the proxy answered the request for a tunnel with something other than consent",
      "ask whether the proxy allows this host and port"),
  ]

  private static let urlLoadingErrors: [Row] = [
    row(
      .unknownURLError, nil, "NSURLErrorUnknown",
      "an error of URL loading without a closer description",
      "look at the nested error"),
    row(
      .unknown, "kCFURLErrorUnknown", nil,
      "an error without a closer description",
      "look at the nested error; if there is none, report it with the printed numbers"),
    row(
      .cancelled, "kCFURLErrorCancelled", "NSURLErrorCancelled",
      "the transfer was cancelled",
      "nothing is wrong; start it again to go on from what was kept"),
    row(
      .badURL, "kCFURLErrorBadURL", "NSURLErrorBadURL",
      "the URL is malformed; no request was made",
      "correct the URL"),
    row(
      .timedOut, "kCFURLErrorTimedOut", "NSURLErrorTimedOut",
      "the time limit passed",
      "try again, or allow more time (--connect-timeout, --stall-timeout, --max-time)"),
    row(
      .unsupportedURL, "kCFURLErrorUnsupportedURL", "NSURLErrorUnsupportedURL",
      "the URL's scheme is not one that can be fetched here",
      "use http, https, ftp, ftps or file"),
    row(
      .cannotFindHost, "kCFURLErrorCannotFindHost", "NSURLErrorCannotFindHost",
      "the host name cannot be resolved",
      "check the spelling of the host name and the name servers of this machine"),
    row(
      .cannotConnectToHost, "kCFURLErrorCannotConnectToHost", "NSURLErrorCannotConnectToHost",
      "the host was found but accepts no connection",
      "check the port, and whether the server is up or a firewall is between"),
    row(
      .networkConnectionLost, "kCFURLErrorNetworkConnectionLost", "NSURLErrorNetworkConnectionLost",
      "the connection broke before the transfer was whole",
      "try again; what has arrived is kept and the transfer goes on from there"),
    row(
      .dnsLookupFailed, "kCFURLErrorDNSLookupFailed", "NSURLErrorDNSLookupFailed",
      "the name lookup failed (an old number that nothing reports any more)",
      "see -1003"),
    row(
      .httpTooManyRedirects, "kCFURLErrorHTTPTooManyRedirects", "NSURLErrorHTTPTooManyRedirects",
      "there are more redirects than allowed",
      "look at where each redirect leads, or allow more of them"),
    row(
      .resourceUnavailable, "kCFURLErrorResourceUnavailable", "NSURLErrorResourceUnavailable",
      "the server has the resource but cannot give it now, or not in the part asked for",
      "try again later; the server may say when"),
    row(
      .notConnectedToInternet, "kCFURLErrorNotConnectedToInternet",
      "NSURLErrorNotConnectedToInternet",
      "this machine has no way to the network",
      "connect to a network; at a hotspot, log in with a browser first"),
    row(
      .redirectToNonExistentLocation, "kCFURLErrorRedirectToNonExistentLocation",
      "NSURLErrorRedirectToNonExistentLocation",
      "the server redirects without saying where to",
      "report it to the server's owner"),
    row(
      .badServerResponse, "kCFURLErrorBadServerResponse", "NSURLErrorBadServerResponse",
      "the server's answer is an error or contradicts itself",
      "read the status beside this error; try again later or report it to the server's owner"),
    row(
      .userCancelledAuthentication, "kCFURLErrorUserCancelledAuthentication",
      "NSURLErrorUserCancelledAuthentication",
      "the login was called off by the user",
      "start again and log in"),
    row(
      .userAuthenticationRequired, "kCFURLErrorUserAuthenticationRequired",
      "NSURLErrorUserAuthenticationRequired",
      "the resource is only given to who logs in",
      "give credentials (--user, --netrc) or a token in a header"),
    row(
      .zeroByteResource, "kCFURLErrorZeroByteResource", "NSURLErrorZeroByteResource",
      "data was announced, and none came",
      "try again; if it stays so, report it to the server's owner"),
    row(
      .cannotDecodeRawData, "kCFURLErrorCannotDecodeRawData", "NSURLErrorCannotDecodeRawData",
      "the content coding is a known one, but the data is damaged",
      "try again, or store the data as it comes (--decode off)"),
    row(
      .cannotDecodeContentData, "kCFURLErrorCannotDecodeContentData",
      "NSURLErrorCannotDecodeContentData",
      "the content coding is not known here",
      "store the data as it comes (--decode off)"),
    row(
      .cannotParseResponse, "kCFURLErrorCannotParseResponse", "NSURLErrorCannotParseResponse",
      "the answer is not what the protocol allows",
      "check that the port speaks HTTP; otherwise report it to the server's owner"),
    row(
      .internationalRoamingOff, "kCFURLErrorInternationalRoamingOff",
      "NSURLErrorInternationalRoamingOff",
      "the connection needs roaming, which is switched off",
      "mobile devices only: allow roaming or find another network"),
    row(
      .callIsActive, "kCFURLErrorCallIsActive", "NSURLErrorCallIsActive",
      "a telephone call keeps the mobile network from carrying data",
      "mobile devices only: end the call or find another network"),
    row(
      .dataNotAllowed, "kCFURLErrorDataNotAllowed", "NSURLErrorDataNotAllowed",
      "the mobile network does not carry data",
      "mobile devices only: allow mobile data or find another network"),
    row(
      .requestBodyStreamExhausted, "kCFURLErrorRequestBodyStreamExhausted",
      "NSURLErrorRequestBodyStreamExhausted",
      "the request body has to be sent again and cannot be read again",
      "give the body as a file"),
    row(
      .appTransportSecurityRequiresSecureConnection,
      "kCFURLErrorAppTransportSecurityRequiresSecureConnection",
      "NSURLErrorAppTransportSecurityRequiresSecureConnection",
      "policy allows encrypted connections only",
      "use an https URL, or allow plain ones"),
    row(
      .cannotLoadFromNetwork, "kCFURLErrorCannotLoadFromNetwork", "NSURLErrorCannotLoadFromNetwork",
      "the answer was to come from the cache alone, and is not there",
      "allow the network"),
  ]

  private static let backgroundErrors: [Row] = [
    row(
      .backgroundSessionRequiresSharedContainer, nil,
      "NSURLErrorBackgroundSessionRequiresSharedContainer",
      "a background session of an app extension has no shared container",
      "Apple's platforms only: set the shared container identifier of the session"),
    row(
      .backgroundSessionInUseByAnotherProcess, "kCFURLErrorBackgroundSessionInUseByAnotherProcess",
      "NSURLErrorBackgroundSessionInUseByAnotherProcess",
      "the background session belongs to another process",
      "Apple's platforms only: use one session identifier per process"),
    row(
      .backgroundSessionWasDisconnected, "kCFURLErrorBackgroundSessionWasDisconnected",
      "NSURLErrorBackgroundSessionWasDisconnected",
      "the process was suspended or ended while a background transfer ran",
      "Apple's platforms only: start the transfer again"),
  ]

  private static let fileErrors: [Row] = [
    row(
      .fileDoesNotExist, "kCFURLErrorFileDoesNotExist", "NSURLErrorFileDoesNotExist",
      "there is no such file",
      "check the path in the URL; the file may have been moved"),
    row(
      .fileIsDirectory, "kCFURLErrorFileIsDirectory", "NSURLErrorFileIsDirectory",
      "the URL names a directory, not a file",
      "name a file in it"),
    row(
      .noPermissionsToReadFile, "kCFURLErrorNoPermissionsToReadFile",
      "NSURLErrorNoPermissionsToReadFile",
      "the file may not be read",
      "ask for access, or give other credentials"),
    row(
      .dataLengthExceedsMaximum, "kCFURLErrorDataLengthExceedsMaximum",
      "NSURLErrorDataLengthExceedsMaximum",
      "there is more data than the limit allows",
      "raise the limit (--max-size) if the size is expected"),
    row(
      .fileOutsideSafeArea, "kCFURLErrorFileOutsideSafeArea", "NSURLErrorFileOutsideSafeArea",
      "a file operation left the area it is confined to",
      "Apple's platforms only: report it to the system's maker"),
  ]

  private static let tlsErrors: [Row] = [
    row(
      .secureConnectionFailed, "kCFURLErrorSecureConnectionFailed",
      "NSURLErrorSecureConnectionFailed",
      "no encrypted connection could be set up",
      "check that the port speaks TLS, and which versions and ciphers both sides allow"),
    row(
      .serverCertificateHasBadDate, "kCFURLErrorServerCertificateHasBadDate",
      "NSURLErrorServerCertificateHasBadDate",
      "the server's certificate has expired, or its dates do not hold",
      "check this machine's clock; otherwise the server's owner must renew the certificate"),
    row(
      .serverCertificateUntrusted, "kCFURLErrorServerCertificateUntrusted",
      "NSURLErrorServerCertificateUntrusted",
      "the server's certificate is not trusted for this host",
      "check the host name; for an authority of your own give its certificate (--cacert)"),
    row(
      .serverCertificateHasUnknownRoot, "kCFURLErrorServerCertificateHasUnknownRoot",
      "NSURLErrorServerCertificateHasUnknownRoot",
      "the server's certificate leads to no authority that is known here",
      "install the authorities' certificates (ca-certificates) or name yours (--cacert)"),
    row(
      .serverCertificateNotYetValid, "kCFURLErrorServerCertificateNotYetValid",
      "NSURLErrorServerCertificateNotYetValid",
      "the server's certificate is not valid yet",
      "check this machine's clock"),
    row(
      .clientCertificateRejected, "kCFURLErrorClientCertificateRejected",
      "NSURLErrorClientCertificateRejected",
      "the client certificate was refused or cannot be used",
      "check the certificate, its key and its dates (--cert, --key)"),
    row(
      .clientCertificateRequired, "kCFURLErrorClientCertificateRequired",
      "NSURLErrorClientCertificateRequired",
      "the server wants a client certificate",
      "give one (--cert, --key)"),
  ]

  private static let downloadErrors: [Row] = [
    row(
      .cannotCreateFile, "kCFURLErrorCannotCreateFile", "NSURLErrorCannotCreateFile",
      "the file to download to cannot be created",
      "check that the directory exists and may be written, and that the name is free"),
    row(
      .cannotOpenFile, "kCFURLErrorCannotOpenFile", "NSURLErrorCannotOpenFile",
      "the file to download to cannot be opened",
      "check its permissions"),
    row(
      .cannotCloseFile, "kCFURLErrorCannotCloseFile", "NSURLErrorCannotCloseFile",
      "the file could not be closed or brought safely to the disk",
      "check the disk; the data may be incomplete"),
    row(
      .cannotWriteToFile, "kCFURLErrorCannotWriteToFile", "NSURLErrorCannotWriteToFile",
      "the data could not be written to the file",
      "check the free space and the disk; what was written is kept"),
    row(
      .cannotRemoveFile, "kCFURLErrorCannotRemoveFile", "NSURLErrorCannotRemoveFile",
      "a file of the download could not be removed",
      "remove it by hand, and check the permissions of the directory"),
    row(
      .cannotMoveFile, "kCFURLErrorCannotMoveFile", "NSURLErrorCannotMoveFile",
      "the finished file could not be moved to its place",
      "the whole data is in the .part file; move it by hand, and check the permissions there"),
    row(
      .downloadDecodingFailedMidStream, "kCFURLErrorDownloadDecodingFailedMidStream",
      "NSURLErrorDownloadDecodingFailedMidStream",
      "decoding the download failed part-way",
      "try again, or store the data as it comes (--decode off)"),
    row(
      .downloadDecodingFailedToComplete, "kCFURLErrorDownloadDecodingFailedToComplete",
      "NSURLErrorDownloadDecodingFailedToComplete",
      "everything arrived, but the data is not what it should be",
      "try again; if it stays so, the source or the expected checksum is wrong"),
  ]

  private static let cookieErrors: [Row] = [
    row(
      .cannotParseCookieFile, "kCFHTTPCookieCannotParseCookieFile", nil,
      "the cookie file cannot be read as one",
      "correct the line named; the form is Netscape's, seven fields divided by tabs")
  ]

  private static let netServiceErrors: [Row] = [
    row(
      .netServiceUnknown, "kCFNetServiceErrorUnknown", "NSNetServicesUnknownError",
      "an error of service discovery without a closer description",
      "Bonjour only: look at the nested error"),
    row(
      .netServiceCollision, "kCFNetServiceErrorCollision", "NSNetServicesCollisionError",
      "the service name is taken",
      "Bonjour only: publish under another name"),
    row(
      .netServiceNotFound, "kCFNetServiceErrorNotFound", "NSNetServicesNotFoundError",
      "the service was not found",
      "Bonjour only: check that it is published in this network"),
    row(
      .netServiceInProgress, "kCFNetServiceErrorInProgress", "NSNetServicesActivityInProgress",
      "the service is busy with another operation",
      "Bonjour only: wait for it to end"),
    row(
      .netServiceBadArgument, "kCFNetServiceErrorBadArgument", "NSNetServicesBadArgumentError",
      "the service was given an argument it cannot use",
      "Bonjour only: correct the argument"),
    row(
      .netServiceCancelled, "kCFNetServiceErrorCancel", "NSNetServicesCancelledError",
      "the operation of service discovery was cancelled",
      "nothing is wrong"),
    row(
      .netServiceInvalid, "kCFNetServiceErrorInvalid", "NSNetServicesInvalidError",
      "the service object cannot be used any more",
      "Bonjour only: make a new one"),
    row(
      .netServiceTimedOut, "kCFNetServiceErrorTimeout", "NSNetServicesTimeoutError",
      "the operation of service discovery took too long",
      "Bonjour only: try again"),
    row(
      .netServiceMissingRequiredConfiguration, "kCFNetServiceErrorMissingRequiredConfiguration",
      "NSNetServicesMissingRequiredConfigurationError",
      "the app does not declare the service in its configuration",
      "Bonjour only: list the service types in Info.plist"),
    row(
      .dnsServiceFailure, "kCFNetServiceErrorDNSServiceFailure", nil,
      "the system's service discovery reported an error",
      "Bonjour only: look at the DNS-SD code beside this error"),
  ]

  // The stream layer below CFNetwork counts for itself; its numbers collide with those above.
  private static let streamErrors: [Row] = [
    row(
      .init(rawValue: -1), "kCFStreamErrorHTTPParseFailure", nil,
      "the HTTP stream could not be read as a message",
      "see kCFErrorHTTPParseFailure"),
    row(
      .init(rawValue: -2), "kCFStreamErrorHTTPRedirectionLoop", nil,
      "the redirects of the HTTP stream lead in a circle",
      "see kCFErrorHTTPRedirectionLoopDetected"),
    row(
      .init(rawValue: -3), "kCFStreamErrorHTTPBadURL", nil,
      "the URL of the HTTP stream cannot be used",
      "see kCFErrorHTTPBadURL"),
    // Seen beside -1005 on Apple's platforms; no header names it.
    row(
      .init(rawValue: -4), nil, nil,
      "the connection of the HTTP stream was lost",
      "see kCFErrorHTTPConnectionLost"),
    row(
      .init(rawValue: -1000), "kCFStreamErrorHTTPAuthenticationTypeUnsupported", nil,
      "the HTTP stream has no way of authentication that the server accepts",
      "see kCFErrorHTTPAuthenticationTypeUnsupported"),
    row(
      .init(rawValue: -1001), "kCFStreamErrorHTTPAuthenticationBadUserName", nil,
      "the server of the HTTP stream refused the user name",
      "see kCFErrorHTTPBadCredentials"),
    row(
      .init(rawValue: -1002), "kCFStreamErrorHTTPAuthenticationBadPassword", nil,
      "the server of the HTTP stream refused the password",
      "see kCFErrorHTTPBadCredentials"),
  ]

  /// All entries, a family after the other, in the order of Apple's headers within a family.
  public static let entries: [NetworkErrorEntry] =
    entries(.host, hostErrors) + entries(.socks, socksErrors) + entries(.socks4, socks4Errors)
    + entries(.socks5, socks5Errors) + entries(.ftp, ftpErrors) + entries(.http, httpErrors)
    + entries(.httpProxy, httpProxyErrors) + entries(.urlLoading, urlLoadingErrors)
    + entries(.background, backgroundErrors) + entries(.file, fileErrors)
    + entries(.tls, tlsErrors) + entries(.download, downloadErrors)
    + entries(.cookie, cookieErrors) + entries(.netService, netServiceErrors)
    + entries(.stream, streamErrors)
}
