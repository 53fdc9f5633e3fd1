import NetworkCore
import SystemIO
import TestSupport
import Testing

/// Which of all numbers a real condition brings about in tests, and why the others cannot be had.
@Suite struct ProducedCodesTests {
  /// Numbers by the test that makes them come about, seen from this folder.
  static let produced: [(file: String, codes: [NetworkErrorCode])] = [
    (
      "SOCKSTests.swift",
      [
        .socksUnsupportedServerVersion, .socks4RequestFailed, .socks4IdentdFailed,
        .socks4IdConflict, .socks4UnknownStatusCode, .socks5BadState, .socks5BadResponseAddress,
        .socks5BadCredentials, .socks5UnsupportedNegotiationMethod, .socks5NoAcceptableMethod,
        .timedOut,
      ]
    ),
    (
      "HTTPProxyTests.swift",
      [
        .httpProxyConnectionFailure, .httpsProxyConnectionFailure, .httpBadProxyCredentials,
        .httpsProxyUnexpectedResponse,
      ]
    ),
    ("FTPTests.swift", [.ftpUnexpectedStatusCode, .networkConnectionLost]),
    (
      "AnswerTests.swift",
      [
        .zeroByteResource, .redirectToNonExistentLocation, .httpTooManyRedirects, .badURL,
        .unsupportedURL, .userAuthenticationRequired, .httpAuthenticationTypeUnsupported,
        .httpBadCredentials, .noPermissionsToReadFile, .fileDoesNotExist,
        .dataLengthExceedsMaximum, .resourceUnavailable, .badServerResponse,
        .notConnectedToInternet, .cannotDecodeContentData,
        .appTransportSecurityRequiresSecureConnection, .clientCertificateRejected,
        .downloadDecodingFailedMidStream,
      ]
    ),
    (
      "LocalTests.swift",
      [
        .fileIsDirectory, .cannotParseCookieFile, .cannotFindHost, .cannotConnectToHost,
        .cannotCreateFile,
      ]
    ),
    (
      "TLSTests.swift",
      [
        .serverCertificateHasBadDate, .serverCertificateNotYetValid, .serverCertificateUntrusted,
        .serverCertificateHasUnknownRoot,
      ]
    ),
    (
      "../../TruthTable/Rows",
      [
        .cannotParseResponse, .cannotDecodeRawData, .secureConnectionFailed,
        .clientCertificateRequired, .cannotWriteToFile, .cannotMoveFile,
        .downloadDecodingFailedToComplete,
      ]
    ),
    ("../Download", [.cannotOpenFile, .cannotRemoveFile]),
    ("../Session", [.cancelled]),
  ]

  /// The others, and why.
  static let others: [(reason: String, codes: [NetworkErrorCode])] = [
    (
      "stands below -1003, by what the resolver of the machine says",
      [.hostNotFound, .hostLookupUnknown]
    ),
    ("libcurl does not tell it apart", [.socksUnknownClientVersion]),
    (
      "URL loading has a number of its own for it, which is used",
      [
        .httpConnectionLost, .httpParseFailure, .httpRedirectionLoopDetected, .httpBadURL,
        .unknownURLError, .dnsLookupFailed,
      ]
    ),
    ("no proxy configuration scripts are run", [.pacFileError, .pacFileAuthenticationRequired]),
    (
      "Apple's platforms only",
      [
        .backgroundSessionRequiresSharedContainer, .backgroundSessionInUseByAnotherProcess,
        .backgroundSessionWasDisconnected, .internationalRoamingOff, .callIsActive,
        .dataNotAllowed, .fileOutsideSafeArea,
      ]
    ),
    (
      "nothing is asked for, sent or cached that could fail so",
      [
        .userCancelledAuthentication, .requestBodyStreamExhausted, .cannotLoadFromNetwork,
      ]
    ),
    ("an error of the machine that cannot be made at will", [.unknown, .cannotCloseFile]),
    (
      "no services are looked for",
      [
        .netServiceUnknown, .netServiceCollision, .netServiceNotFound, .netServiceInProgress,
        .netServiceBadArgument, .netServiceCancelled, .netServiceInvalid, .netServiceTimedOut,
        .netServiceMissingRequiredConfiguration, .dnsServiceFailure,
      ]
    ),
  ]

  @Test func `every number is brought about or has a reason`() {
    let all = Set(NetworkErrorTable.entries.filter { $0.domain != .httpStream }.map(\.code))
    let listed = Self.produced.flatMap(\.codes) + Self.others.flatMap(\.codes)
    #expect(Set(listed).count == listed.count)
    #expect(Set(listed) == all, "\(all.symmetricDifference(listed).map(\.description).sorted())")
  }

  @Test func `the documentation counts the same`() throws {
    let root = Path.parent(of: Path.parent(of: Path.parent(of: Path.parent(of: #filePath))))
    guard let file = try? FileDescriptor.open(Path.join(root, "Documentation/NetworkCore.md"))
    else {
      try Test.cancel("the sources are not where the tests were built")
    }
    let text = String(decoding: try file.readToEnd(limit: 1 << 22), as: UTF8.self)
    let count = Self.produced.flatMap(\.codes).count
    #expect(text.contains("\(count) of the 87 numbers"), "\(count)")
    for (_, codes) in Self.others {
      for code in codes where code.rawValue > -72_000 {
        #expect(text.contains("`\(code.rawValue)`"), "\(code.rawValue)")
      }
    }
  }
}
