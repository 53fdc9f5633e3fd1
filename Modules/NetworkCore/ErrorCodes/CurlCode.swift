/// A result of libcurl, a `CURLcode`, without libcurl.
///
/// Every number up to libcurl 8.22 has a name here; those that libcurl no longer uses are called
/// obsolete. ``CurlCodeTable`` says what each means and which ``NetworkErrorCode`` it becomes.
public struct CurlCode: RawRepresentable, Hashable, Sendable {
  /// The number, for example 56.
  public let rawValue: Int32

  /// Creates a code from its number; it need not be one that the table knows.
  public init(rawValue: Int32) {
    self.rawValue = rawValue
  }

  /// `CURLE_OK`: 0.
  public static let ok = Self(rawValue: 0)
  /// `CURLE_UNSUPPORTED_PROTOCOL`: 1.
  public static let unsupportedProtocol = Self(rawValue: 1)
  /// `CURLE_FAILED_INIT`: 2.
  public static let failedInit = Self(rawValue: 2)
  /// `CURLE_URL_MALFORMAT`: 3.
  public static let urlMalformat = Self(rawValue: 3)
  /// `CURLE_NOT_BUILT_IN`: 4.
  public static let notBuiltIn = Self(rawValue: 4)
  /// `CURLE_COULDNT_RESOLVE_PROXY`: 5.
  public static let couldntResolveProxy = Self(rawValue: 5)
  /// `CURLE_COULDNT_RESOLVE_HOST`: 6.
  public static let couldntResolveHost = Self(rawValue: 6)
  /// `CURLE_COULDNT_CONNECT`: 7.
  public static let couldntConnect = Self(rawValue: 7)
  /// `CURLE_WEIRD_SERVER_REPLY`: 8.
  public static let weirdServerReply = Self(rawValue: 8)
  /// `CURLE_REMOTE_ACCESS_DENIED`: 9.
  public static let remoteAccessDenied = Self(rawValue: 9)
  /// `CURLE_FTP_ACCEPT_FAILED`: 10.
  public static let ftpAcceptFailed = Self(rawValue: 10)
  /// `CURLE_FTP_WEIRD_PASS_REPLY`: 11.
  public static let ftpWeirdPassReply = Self(rawValue: 11)
  /// `CURLE_FTP_ACCEPT_TIMEOUT`: 12.
  public static let ftpAcceptTimeout = Self(rawValue: 12)
  /// `CURLE_FTP_WEIRD_PASV_REPLY`: 13.
  public static let ftpWeirdPasvReply = Self(rawValue: 13)
  /// `CURLE_FTP_WEIRD_227_FORMAT`: 14.
  public static let ftpWeird227Format = Self(rawValue: 14)
  /// `CURLE_FTP_CANT_GET_HOST`: 15.
  public static let ftpCantGetHost = Self(rawValue: 15)
  /// `CURLE_HTTP2`: 16.
  public static let http2 = Self(rawValue: 16)
  /// `CURLE_FTP_COULDNT_SET_TYPE`: 17.
  public static let ftpCouldntSetType = Self(rawValue: 17)
  /// `CURLE_PARTIAL_FILE`: 18.
  public static let partialFile = Self(rawValue: 18)
  /// `CURLE_FTP_COULDNT_RETR_FILE`: 19.
  public static let ftpCouldntRetrFile = Self(rawValue: 19)
  /// `CURLE_OBSOLETE20`: 20.
  public static let obsolete20 = Self(rawValue: 20)
  /// `CURLE_QUOTE_ERROR`: 21.
  public static let quoteError = Self(rawValue: 21)
  /// `CURLE_HTTP_RETURNED_ERROR`: 22.
  public static let httpReturnedError = Self(rawValue: 22)
  /// `CURLE_WRITE_ERROR`: 23.
  public static let writeError = Self(rawValue: 23)
  /// `CURLE_OBSOLETE24`: 24.
  public static let obsolete24 = Self(rawValue: 24)
  /// `CURLE_UPLOAD_FAILED`: 25.
  public static let uploadFailed = Self(rawValue: 25)
  /// `CURLE_READ_ERROR`: 26.
  public static let readError = Self(rawValue: 26)
  /// `CURLE_OUT_OF_MEMORY`: 27.
  public static let outOfMemory = Self(rawValue: 27)
  /// `CURLE_OPERATION_TIMEDOUT`: 28.
  public static let operationTimedOut = Self(rawValue: 28)
  /// `CURLE_OBSOLETE29`: 29.
  public static let obsolete29 = Self(rawValue: 29)
  /// `CURLE_FTP_PORT_FAILED`: 30.
  public static let ftpPortFailed = Self(rawValue: 30)
  /// `CURLE_FTP_COULDNT_USE_REST`: 31.
  public static let ftpCouldntUseRest = Self(rawValue: 31)
  /// `CURLE_OBSOLETE32`: 32.
  public static let obsolete32 = Self(rawValue: 32)
  /// `CURLE_RANGE_ERROR`: 33.
  public static let rangeError = Self(rawValue: 33)
  /// `CURLE_OBSOLETE34`: 34.
  public static let obsolete34 = Self(rawValue: 34)
  /// `CURLE_SSL_CONNECT_ERROR`: 35.
  public static let sslConnectError = Self(rawValue: 35)
  /// `CURLE_BAD_DOWNLOAD_RESUME`: 36.
  public static let badDownloadResume = Self(rawValue: 36)
  /// `CURLE_FILE_COULDNT_READ_FILE`: 37.
  public static let fileCouldntReadFile = Self(rawValue: 37)
  /// `CURLE_LDAP_CANNOT_BIND`: 38.
  public static let ldapCannotBind = Self(rawValue: 38)
  /// `CURLE_LDAP_SEARCH_FAILED`: 39.
  public static let ldapSearchFailed = Self(rawValue: 39)
  /// `CURLE_OBSOLETE40`: 40.
  public static let obsolete40 = Self(rawValue: 40)
  /// `CURLE_OBSOLETE41`: 41.
  public static let obsolete41 = Self(rawValue: 41)
  /// `CURLE_ABORTED_BY_CALLBACK`: 42.
  public static let abortedByCallback = Self(rawValue: 42)
  /// `CURLE_BAD_FUNCTION_ARGUMENT`: 43.
  public static let badFunctionArgument = Self(rawValue: 43)
  /// `CURLE_OBSOLETE44`: 44.
  public static let obsolete44 = Self(rawValue: 44)
  /// `CURLE_INTERFACE_FAILED`: 45.
  public static let interfaceFailed = Self(rawValue: 45)
  /// `CURLE_OBSOLETE46`: 46.
  public static let obsolete46 = Self(rawValue: 46)
  /// `CURLE_TOO_MANY_REDIRECTS`: 47.
  public static let tooManyRedirects = Self(rawValue: 47)
  /// `CURLE_UNKNOWN_OPTION`: 48.
  public static let unknownOption = Self(rawValue: 48)
  /// `CURLE_SETOPT_OPTION_SYNTAX`: 49.
  public static let setoptOptionSyntax = Self(rawValue: 49)
  /// `CURLE_OBSOLETE50`: 50.
  public static let obsolete50 = Self(rawValue: 50)
  /// `CURLE_OBSOLETE51`: 51.
  public static let obsolete51 = Self(rawValue: 51)
  /// `CURLE_GOT_NOTHING`: 52.
  public static let gotNothing = Self(rawValue: 52)
  /// `CURLE_SSL_ENGINE_NOTFOUND`: 53.
  public static let sslEngineNotFound = Self(rawValue: 53)
  /// `CURLE_SSL_ENGINE_SETFAILED`: 54.
  public static let sslEngineSetFailed = Self(rawValue: 54)
  /// `CURLE_SEND_ERROR`: 55.
  public static let sendError = Self(rawValue: 55)
  /// `CURLE_RECV_ERROR`: 56.
  public static let recvError = Self(rawValue: 56)
  /// `CURLE_OBSOLETE57`: 57.
  public static let obsolete57 = Self(rawValue: 57)
  /// `CURLE_SSL_CERTPROBLEM`: 58.
  public static let sslCertProblem = Self(rawValue: 58)
  /// `CURLE_SSL_CIPHER`: 59.
  public static let sslCipher = Self(rawValue: 59)
  /// `CURLE_PEER_FAILED_VERIFICATION`: 60.
  public static let peerFailedVerification = Self(rawValue: 60)
  /// `CURLE_BAD_CONTENT_ENCODING`: 61.
  public static let badContentEncoding = Self(rawValue: 61)
  /// `CURLE_OBSOLETE62`: 62.
  public static let obsolete62 = Self(rawValue: 62)
  /// `CURLE_FILESIZE_EXCEEDED`: 63.
  public static let fileSizeExceeded = Self(rawValue: 63)
  /// `CURLE_USE_SSL_FAILED`: 64.
  public static let useSSLFailed = Self(rawValue: 64)
  /// `CURLE_SEND_FAIL_REWIND`: 65.
  public static let sendFailRewind = Self(rawValue: 65)
  /// `CURLE_SSL_ENGINE_INITFAILED`: 66.
  public static let sslEngineInitFailed = Self(rawValue: 66)
  /// `CURLE_LOGIN_DENIED`: 67.
  public static let loginDenied = Self(rawValue: 67)
  /// `CURLE_TFTP_NOTFOUND`: 68.
  public static let tftpNotFound = Self(rawValue: 68)
  /// `CURLE_TFTP_PERM`: 69.
  public static let tftpPerm = Self(rawValue: 69)
  /// `CURLE_REMOTE_DISK_FULL`: 70.
  public static let remoteDiskFull = Self(rawValue: 70)
  /// `CURLE_TFTP_ILLEGAL`: 71.
  public static let tftpIllegal = Self(rawValue: 71)
  /// `CURLE_TFTP_UNKNOWNID`: 72.
  public static let tftpUnknownID = Self(rawValue: 72)
  /// `CURLE_REMOTE_FILE_EXISTS`: 73.
  public static let remoteFileExists = Self(rawValue: 73)
  /// `CURLE_TFTP_NOSUCHUSER`: 74.
  public static let tftpNoSuchUser = Self(rawValue: 74)
  /// `CURLE_OBSOLETE75`: 75.
  public static let obsolete75 = Self(rawValue: 75)
  /// `CURLE_OBSOLETE76`: 76.
  public static let obsolete76 = Self(rawValue: 76)
  /// `CURLE_SSL_CACERT_BADFILE`: 77.
  public static let sslCACertBadFile = Self(rawValue: 77)
  /// `CURLE_REMOTE_FILE_NOT_FOUND`: 78.
  public static let remoteFileNotFound = Self(rawValue: 78)
  /// `CURLE_SSH`: 79.
  public static let ssh = Self(rawValue: 79)
  /// `CURLE_SSL_SHUTDOWN_FAILED`: 80.
  public static let sslShutdownFailed = Self(rawValue: 80)
  /// `CURLE_AGAIN`: 81.
  public static let tryAgain = Self(rawValue: 81)
  /// `CURLE_SSL_CRL_BADFILE`: 82.
  public static let sslCRLBadFile = Self(rawValue: 82)
  /// `CURLE_SSL_ISSUER_ERROR`: 83.
  public static let sslIssuerError = Self(rawValue: 83)
  /// `CURLE_FTP_PRET_FAILED`: 84.
  public static let ftpPretFailed = Self(rawValue: 84)
  /// `CURLE_RTSP_CSEQ_ERROR`: 85.
  public static let rtspCSeqError = Self(rawValue: 85)
  /// `CURLE_RTSP_SESSION_ERROR`: 86.
  public static let rtspSessionError = Self(rawValue: 86)
  /// `CURLE_FTP_BAD_FILE_LIST`: 87.
  public static let ftpBadFileList = Self(rawValue: 87)
  /// `CURLE_CHUNK_FAILED`: 88.
  public static let chunkFailed = Self(rawValue: 88)
  /// `CURLE_NO_CONNECTION_AVAILABLE`: 89.
  public static let noConnectionAvailable = Self(rawValue: 89)
  /// `CURLE_SSL_PINNEDPUBKEYNOTMATCH`: 90.
  public static let sslPinnedPubKeyNotMatch = Self(rawValue: 90)
  /// `CURLE_SSL_INVALIDCERTSTATUS`: 91.
  public static let sslInvalidCertStatus = Self(rawValue: 91)
  /// `CURLE_HTTP2_STREAM`: 92.
  public static let http2Stream = Self(rawValue: 92)
  /// `CURLE_RECURSIVE_API_CALL`: 93.
  public static let recursiveAPICall = Self(rawValue: 93)
  /// `CURLE_AUTH_ERROR`: 94.
  public static let authError = Self(rawValue: 94)
  /// `CURLE_HTTP3`: 95.
  public static let http3 = Self(rawValue: 95)
  /// `CURLE_QUIC_CONNECT_ERROR`: 96.
  public static let quicConnectError = Self(rawValue: 96)
  /// `CURLE_PROXY`: 97.
  public static let proxy = Self(rawValue: 97)
  /// `CURLE_SSL_CLIENTCERT`: 98.
  public static let sslClientCert = Self(rawValue: 98)
  /// `CURLE_UNRECOVERABLE_POLL`: 99.
  public static let unrecoverablePoll = Self(rawValue: 99)
  /// `CURLE_TOO_LARGE`: 100.
  public static let tooLarge = Self(rawValue: 100)
  /// `CURLE_ECH_REQUIRED`: 101.
  public static let echRequired = Self(rawValue: 101)
}

extension CurlCode: CustomStringConvertible {
  /// The name of libcurl's constant, else the number.
  public var description: String { CurlCodeTable.entry(for: self)?.name ?? "CURLcode \(rawValue)" }
}
