/// What a result of libcurl means and becomes.
public struct CurlCodeEntry: Hashable, Sendable {
  /// The result.
  public let code: CurlCode
  /// The constant in `curl/curl.h`.
  public let name: String
  /// The error that it becomes when nothing else is known, or `nil` for success.
  public let errorCode: NetworkErrorCode?
  /// Whether the transfer is worth another attempt; `nil`: its circumstances decide.
  public let retry: RetryAdvice?
  /// What it means: a clause without capital and full stop.
  public let meaning: String

  /// Whether libcurl no longer returns it.
  public var isObsolete: Bool { name.hasPrefix("CURLE_OBSOLETE") }
}

/// Every `CURLcode` with the error that it becomes.
///
/// The table holds the answer for a bare number. Most transfers know more than that;
/// ``TransferEvidence`` decides with all that is known.
public enum CurlCodeTable {
  /// All results, ordered by number.
  public static let entries: [CurlCodeEntry] = connectionEntries + transferEntries + laterEntries

  private static let byCode: [CurlCode: CurlCodeEntry] = Dictionary(
    entries.map { ($0.code, $0) }, uniquingKeysWith: { first, _ in first })

  /// The entry of a result, or `nil` for a number newer than the table.
  public static func entry(for code: CurlCode) -> CurlCodeEntry? { byCode[code] }

  /// The entry of a constant's name, with or without `CURLE_`, whatever its case.
  public static func entry(named name: String) -> CurlCodeEntry? {
    let wanted = name.uppercased()
    return entries.first { $0.name == wanted || $0.name == "CURLE_" + wanted }
  }

  private static func row(
    _ code: CurlCode, _ name: String, _ errorCode: NetworkErrorCode?, _ retry: RetryAdvice?,
    _ meaning: String
  ) -> CurlCodeEntry {
    CurlCodeEntry(code: code, name: name, errorCode: errorCode, retry: retry, meaning: meaning)
  }

  private static let connectionEntries: [CurlCodeEntry] = [
    row(.ok, "CURLE_OK", nil, nil, "no error"),
    row(
      .unsupportedProtocol, "CURLE_UNSUPPORTED_PROTOCOL", .unsupportedURL, .never,
      "the URL's scheme is not spoken, or the answer is not HTTP"),
    row(
      .failedInit, "CURLE_FAILED_INIT", .unknown, .never,
      "the transfer library could not be started"),
    row(.urlMalformat, "CURLE_URL_MALFORMAT", .badURL, .never, "the URL is malformed"),
    row(
      .notBuiltIn, "CURLE_NOT_BUILT_IN", .unsupportedURL, .never,
      "the transfer library was built without this feature"),
    row(
      .couldntResolveProxy, "CURLE_COULDNT_RESOLVE_PROXY", .httpProxyConnectionFailure, .again,
      "the proxy's name could not be resolved"),
    row(
      .couldntResolveHost, "CURLE_COULDNT_RESOLVE_HOST", .cannotFindHost, nil,
      "the host name could not be resolved"),
    row(
      .couldntConnect, "CURLE_COULDNT_CONNECT", .cannotConnectToHost, .again,
      "no connection could be made"),
    row(
      .weirdServerReply, "CURLE_WEIRD_SERVER_REPLY", .cannotParseResponse, .never,
      "the server's reply is not what the protocol allows"),
    row(
      .remoteAccessDenied, "CURLE_REMOTE_ACCESS_DENIED", .noPermissionsToReadFile, .never,
      "the server denies access to the directory or file"),
    row(
      .ftpAcceptFailed, "CURLE_FTP_ACCEPT_FAILED", .ftpUnexpectedStatusCode, .again,
      "the FTP server did not connect back"),
    row(
      .ftpWeirdPassReply, "CURLE_FTP_WEIRD_PASS_REPLY", .ftpUnexpectedStatusCode, .never,
      "the FTP server's reply to the password is not understood"),
    row(
      .ftpAcceptTimeout, "CURLE_FTP_ACCEPT_TIMEOUT", .timedOut, .again,
      "the FTP server did not connect back in time"),
    row(
      .ftpWeirdPasvReply, "CURLE_FTP_WEIRD_PASV_REPLY", .ftpUnexpectedStatusCode, .never,
      "the FTP server's reply to PASV is not understood"),
    row(
      .ftpWeird227Format, "CURLE_FTP_WEIRD_227_FORMAT", .ftpUnexpectedStatusCode, .never,
      "the FTP server's 227 reply is not understood"),
    row(
      .ftpCantGetHost, "CURLE_FTP_CANT_GET_HOST", .cannotFindHost, .again,
      "the address in the FTP server's PASV reply could not be resolved"),
    row(
      .http2, "CURLE_HTTP2", .networkConnectionLost, .onHTTP1,
      "the HTTP/2 connection broke its framing"),
    row(
      .ftpCouldntSetType, "CURLE_FTP_COULDNT_SET_TYPE", .ftpUnexpectedStatusCode, .never,
      "the FTP server refused the transfer type"),
    row(
      .partialFile, "CURLE_PARTIAL_FILE", .networkConnectionLost, .again,
      "the transfer ended before everything announced had come"),
    row(
      .ftpCouldntRetrFile, "CURLE_FTP_COULDNT_RETR_FILE", .fileDoesNotExist, .never,
      "the FTP server refused to send the file"),
    row(.obsolete20, "CURLE_OBSOLETE20", .unknown, .never, "a number that is not used"),
    row(
      .quoteError, "CURLE_QUOTE_ERROR", .ftpUnexpectedStatusCode, .never,
      "the FTP server refused a command"),
    row(
      .httpReturnedError, "CURLE_HTTP_RETURNED_ERROR", .badServerResponse, nil,
      "the HTTP status is an error"),
    row(.writeError, "CURLE_WRITE_ERROR", .cannotWriteToFile, nil, "what came could not be stored"),
    row(.obsolete24, "CURLE_OBSOLETE24", .unknown, .never, "a number that is not used"),
    row(
      .uploadFailed, "CURLE_UPLOAD_FAILED", .badServerResponse, .never,
      "the server refused the upload"),
    row(
      .readError, "CURLE_READ_ERROR", .requestBodyStreamExhausted, .never,
      "the data to send could not be read"),
    row(
      .outOfMemory, "CURLE_OUT_OF_MEMORY", .unknown, .never,
      "memory ran out, or a header line was too long"),
  ]

  private static let transferEntries: [CurlCodeEntry] = [
    row(.operationTimedOut, "CURLE_OPERATION_TIMEDOUT", .timedOut, .again, "the time limit passed"),
    row(.obsolete29, "CURLE_OBSOLETE29", .unknown, .never, "a number that is not used"),
    row(
      .ftpPortFailed, "CURLE_FTP_PORT_FAILED", .ftpUnexpectedStatusCode, .never,
      "the FTP server refused the PORT command"),
    row(
      .ftpCouldntUseRest, "CURLE_FTP_COULDNT_USE_REST", .ftpUnexpectedStatusCode, .restart,
      "the FTP server cannot go on in the middle of a file"),
    row(.obsolete32, "CURLE_OBSOLETE32", .unknown, .never, "a number that is not used"),
    row(
      .rangeError, "CURLE_RANGE_ERROR", .resourceUnavailable, .restart,
      "the server did not give the range asked for"),
    row(.obsolete34, "CURLE_OBSOLETE34", .unknown, .never, "a number that is not used"),
    row(
      .sslConnectError, "CURLE_SSL_CONNECT_ERROR", .secureConnectionFailed, .once,
      "the TLS handshake broke off"),
    row(
      .badDownloadResume, "CURLE_BAD_DOWNLOAD_RESUME", .resourceUnavailable, .restart,
      "the download cannot go on at this offset"),
    row(
      .fileCouldntReadFile, "CURLE_FILE_COULDNT_READ_FILE", .fileDoesNotExist, .never,
      "the local file could not be read"),
    row(
      .ldapCannotBind, "CURLE_LDAP_CANNOT_BIND", .userAuthenticationRequired, .never,
      "the LDAP server refused the login"),
    row(
      .ldapSearchFailed, "CURLE_LDAP_SEARCH_FAILED", .badServerResponse, .never,
      "the LDAP search went wrong"),
    row(.obsolete40, "CURLE_OBSOLETE40", .unknown, .never, "a number that is not used"),
    row(.obsolete41, "CURLE_OBSOLETE41", .unknown, .never, "a number that is not used"),
    row(
      .abortedByCallback, "CURLE_ABORTED_BY_CALLBACK", .cancelled, nil,
      "the transfer was stopped from this side"),
    row(
      .badFunctionArgument, "CURLE_BAD_FUNCTION_ARGUMENT", .unknown, .never,
      "the transfer library was called in a wrong way"),
    row(.obsolete44, "CURLE_OBSOLETE44", .unknown, .never, "a number that is not used"),
    row(
      .interfaceFailed, "CURLE_INTERFACE_FAILED", .cannotConnectToHost, .never,
      "the local interface or address cannot be used"),
    row(.obsolete46, "CURLE_OBSOLETE46", .unknown, .never, "a number that is not used"),
    row(
      .tooManyRedirects, "CURLE_TOO_MANY_REDIRECTS", .httpTooManyRedirects, .never,
      "there are more redirects than allowed"),
    row(
      .unknownOption, "CURLE_UNKNOWN_OPTION", .unknown, .never,
      "the transfer library does not know an option"),
    row(
      .setoptOptionSyntax, "CURLE_SETOPT_OPTION_SYNTAX", .unknown, .never,
      "the value of an option is malformed"),
    row(.obsolete50, "CURLE_OBSOLETE50", .unknown, .never, "a number that is not used"),
    row(.obsolete51, "CURLE_OBSOLETE51", .unknown, .never, "a number that is not used"),
    row(
      .gotNothing, "CURLE_GOT_NOTHING", .networkConnectionLost, .again,
      "the server closed the connection without an answer"),
    row(
      .sslEngineNotFound, "CURLE_SSL_ENGINE_NOTFOUND", .secureConnectionFailed, .never,
      "the crypto engine was not found"),
    row(
      .sslEngineSetFailed, "CURLE_SSL_ENGINE_SETFAILED", .secureConnectionFailed, .never,
      "the crypto engine cannot be made the default"),
    row(
      .sendError, "CURLE_SEND_ERROR", .networkConnectionLost, .again,
      "sending to the server broke off"),
    row(
      .recvError, "CURLE_RECV_ERROR", .networkConnectionLost, .again,
      "receiving from the server broke off"),
    row(.obsolete57, "CURLE_OBSOLETE57", .unknown, .never, "a number that is not used"),
    row(
      .sslCertProblem, "CURLE_SSL_CERTPROBLEM", .clientCertificateRejected, .never,
      "the local client certificate cannot be used"),
    row(
      .sslCipher, "CURLE_SSL_CIPHER", .secureConnectionFailed, .never,
      "the cipher asked for cannot be used"),
  ]

  private static let laterEntries: [CurlCodeEntry] = [
    row(
      .peerFailedVerification, "CURLE_PEER_FAILED_VERIFICATION", .serverCertificateUntrusted,
      .never,
      "the server's certificate or key did not pass the check"),
    row(
      .badContentEncoding, "CURLE_BAD_CONTENT_ENCODING", .cannotDecodeRawData, .withoutCoding,
      "the content coding is unknown or the coded data is damaged"),
    row(.obsolete62, "CURLE_OBSOLETE62", .unknown, .never, "a number that is not used"),
    row(
      .fileSizeExceeded, "CURLE_FILESIZE_EXCEEDED", .dataLengthExceedsMaximum, .never,
      "the file is larger than the limit"),
    row(
      .useSSLFailed, "CURLE_USE_SSL_FAILED", .secureConnectionFailed, .never,
      "TLS was demanded and could not be had"),
    row(
      .sendFailRewind, "CURLE_SEND_FAIL_REWIND", .requestBodyStreamExhausted, .never,
      "the data to send had to be sent again and could not be"),
    row(
      .sslEngineInitFailed, "CURLE_SSL_ENGINE_INITFAILED", .secureConnectionFailed, .never,
      "the crypto engine could not be started"),
    row(
      .loginDenied, "CURLE_LOGIN_DENIED", .userAuthenticationRequired, .never,
      "the server refused the login"),
    row(
      .tftpNotFound, "CURLE_TFTP_NOTFOUND", .fileDoesNotExist, .never,
      "the TFTP server has no such file"),
    row(
      .tftpPerm, "CURLE_TFTP_PERM", .noPermissionsToReadFile, .never,
      "the TFTP server denies access"),
    row(
      .remoteDiskFull, "CURLE_REMOTE_DISK_FULL", .badServerResponse, .never,
      "the server's disk is full"),
    row(
      .tftpIllegal, "CURLE_TFTP_ILLEGAL", .badServerResponse, .never,
      "the TFTP server found the operation illegal"),
    row(
      .tftpUnknownID, "CURLE_TFTP_UNKNOWNID", .badServerResponse, .never,
      "the TFTP transfer identifier is unknown"),
    row(
      .remoteFileExists, "CURLE_REMOTE_FILE_EXISTS", .badServerResponse, .never,
      "the file exists on the server already"),
    row(
      .tftpNoSuchUser, "CURLE_TFTP_NOSUCHUSER", .userAuthenticationRequired, .never,
      "the TFTP server knows no such user"),
    row(.obsolete75, "CURLE_OBSOLETE75", .unknown, .never, "a number that is not used"),
    row(.obsolete76, "CURLE_OBSOLETE76", .unknown, .never, "a number that is not used"),
    row(
      .sslCACertBadFile, "CURLE_SSL_CACERT_BADFILE", .secureConnectionFailed, .never,
      "the file of certificate authorities cannot be read"),
    row(
      .remoteFileNotFound, "CURLE_REMOTE_FILE_NOT_FOUND", .fileDoesNotExist, .never,
      "there is no such file on the server"),
    row(.ssh, "CURLE_SSH", .networkConnectionLost, .again, "the SSH session broke"),
    row(
      .sslShutdownFailed, "CURLE_SSL_SHUTDOWN_FAILED", .networkConnectionLost, nil,
      "the TLS connection was not closed properly"),
    row(.tryAgain, "CURLE_AGAIN", .unknown, nil, "the socket is not ready"),
    row(
      .sslCRLBadFile, "CURLE_SSL_CRL_BADFILE", .secureConnectionFailed, .never,
      "the list of revoked certificates cannot be read"),
    row(
      .sslIssuerError, "CURLE_SSL_ISSUER_ERROR", .serverCertificateUntrusted, .never,
      "the certificate's issuer is not the one demanded"),
    row(
      .ftpPretFailed, "CURLE_FTP_PRET_FAILED", .ftpUnexpectedStatusCode, .never,
      "the FTP server refused the PRET command"),
    row(
      .rtspCSeqError, "CURLE_RTSP_CSEQ_ERROR", .cannotParseResponse, .never,
      "the RTSP sequence numbers do not match"),
    row(
      .rtspSessionError, "CURLE_RTSP_SESSION_ERROR", .cannotParseResponse, .never,
      "the RTSP session identifiers do not match"),
    row(
      .ftpBadFileList, "CURLE_FTP_BAD_FILE_LIST", .cannotParseResponse, .never,
      "the FTP directory listing cannot be read"),
    row(
      .chunkFailed, "CURLE_CHUNK_FAILED", .cancelled, .never,
      "a callback between two files stopped the transfer"),
    row(
      .noConnectionAvailable, "CURLE_NO_CONNECTION_AVAILABLE", .unknown, nil,
      "all connections are in use"),
    row(
      .sslPinnedPubKeyNotMatch, "CURLE_SSL_PINNEDPUBKEYNOTMATCH", .serverCertificateUntrusted,
      .never,
      "the server's public key is not the pinned one"),
    row(
      .sslInvalidCertStatus, "CURLE_SSL_INVALIDCERTSTATUS", .serverCertificateUntrusted, .never,
      "the server's certificate status (OCSP) is missing or bad"),
    row(
      .http2Stream, "CURLE_HTTP2_STREAM", .networkConnectionLost, .again,
      "the HTTP/2 stream was closed by an error"),
    row(
      .recursiveAPICall, "CURLE_RECURSIVE_API_CALL", .unknown, .never,
      "the transfer library was called from one of its callbacks"),
    row(
      .authError, "CURLE_AUTH_ERROR", .userAuthenticationRequired, .never,
      "an authentication function reported an error"),
    row(
      .http3, "CURLE_HTTP3", .networkConnectionLost, .again,
      "the HTTP/3 connection had an error"),
    row(
      .quicConnectError, "CURLE_QUIC_CONNECT_ERROR", .cannotConnectToHost, .again,
      "no QUIC connection could be made"),
    row(
      .proxy, "CURLE_PROXY", .httpProxyConnectionFailure, nil,
      "the handshake with the proxy went wrong"),
    row(
      .sslClientCert, "CURLE_SSL_CLIENTCERT", .clientCertificateRequired, .never,
      "the server wants a client certificate"),
    row(
      .unrecoverablePoll, "CURLE_UNRECOVERABLE_POLL", .unknown, .never,
      "waiting for sockets broke in a way that cannot be mended"),
    row(
      .tooLarge, "CURLE_TOO_LARGE", .dataLengthExceedsMaximum, .never,
      "a header or value is larger than allowed"),
    row(
      .echRequired, "CURLE_ECH_REQUIRED", .secureConnectionFailed, .never,
      "encrypted client hello was demanded and could not be had"),
  ]
}
