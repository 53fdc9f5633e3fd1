/// What was being done to a local file.
package enum FileOperation: String, Hashable, Sendable, CaseIterable {
  case create, open, read, write, sync, close, remove, move

  var code: NetworkErrorCode {
    switch self {
    case .create: .cannotCreateFile
    case .open, .read: .cannotOpenFile
    case .sync, .close: .cannotCloseFile
    case .write: .cannotWriteToFile
    case .remove: .cannotRemoveFile
    case .move: .cannotMoveFile
    }
  }
}

/// A problem that our own checks found, with the facts: what was expected, what was found.
///
/// ``NetworkError/init(_:)`` makes an error of it. Code, category and retry advice follow from the case
/// here; the words are in `NetworkError+Text.swift`.
package enum TransferProblem: Hashable, Sendable {
  // Settings and inputs
  case badURL(String)
  case unsupportedScheme(String)
  case insecureURL
  case inputFile(path: String, InputError)
  case cookieFile(path: String, InputError)
  case certificateFile(path: String, SystemCode?)
  case digestUnavailable(DigestAlgorithm)

  // Files and space
  case file(FileOperation, path: String, SystemCode?)
  case source(path: String, SystemCode)
  case targetExists(path: String)
  case targetIsNotAFile(path: String)
  case partInUse(path: String, processID: Int32?, removing: Bool)
  case partOfAnother(path: String, url: String?)
  case partMissing(path: String)
  case partChanged(path: String)
  case resumeData(InputError)
  case noSpace(path: String, needed: UInt64, available: UInt64)

  // Limits, time, cancellation
  case tooLarge(limit: UInt64, found: UInt64)
  case lengthOverflow(String)
  case headerTooLarge(limit: Int)
  case tooManyHeaderFields(limit: Int)
  case expandsTooMuch(limit: UInt64)
  case timedOut(TransferPhase, after: Duration)
  case cancelled

  // Redirects and statuses
  case redirectRefused(scheme: String)
  case redirectWithoutTarget(status: Int)
  case badRedirectTarget(String)
  case insecureRedirect
  case tooManyRedirects(limit: Int)
  case status(Int, retryAfter: Duration?)
  case waitTooLong(status: Int, wait: Duration, budget: Duration)
  case credentialsRefused(status: Int)
  case noCommonAuthentication(status: Int, offered: [String])

  // Framing
  case headerIncomplete
  case badHeader(String)
  case badContentLength(String)
  case conflictingLengths(String, String)
  case truncated(received: UInt64, expected: UInt64)
  case surplus(expected: UInt64)
  case closedWithoutNotice(received: UInt64)
  case lengthUnknown

  // Ranges and validators
  case rangeIgnored(offset: UInt64)
  case rangeNotSatisfiable(offset: UInt64, total: UInt64?)
  case contentRangeMissing
  case badContentRange(String)
  case rangeDiffers(requested: UInt64, found: UInt64)
  case partialUnasked
  case multipartRanges
  case totalChanged(from: UInt64, to: UInt64)
  case validatorChanged(from: String, to: String)

  // Coding and integrity
  case unknownCoding(String)
  case codingDamaged(String, atEnd: Bool, offset: UInt64)
  case overlapDiffers(offset: UInt64)
  case checksum(
    algorithm: String, expected: String, found: String, source: String, senders: [String] = [])
  case pieces(count: Int, of: Int, first: UInt64, senders: [String] = [])
  case sizeDiffers(expected: UInt64, found: UInt64)
}

extension TransferProblem {
  var code: NetworkErrorCode {
    switch self {
    case .badURL, .badRedirectTarget: .badURL
    case .unsupportedScheme, .redirectRefused: .unsupportedURL
    case .insecureURL, .insecureRedirect: .appTransportSecurityRequiresSecureConnection
    case .inputFile, .digestUnavailable: .unknown
    case .cookieFile: .cannotParseCookieFile
    case .certificateFile: .secureConnectionFailed
    case .file(let operation, _, _): operation.code
    case .source(_, let system): system.readError
    case .targetExists, .targetIsNotAFile, .partInUse(_, _, false), .partOfAnother:
      .cannotCreateFile
    case .partInUse: .cannotRemoveFile
    case .partMissing, .partChanged: .cannotOpenFile
    case .resumeData: .cannotDecodeRawData
    case .noSpace: .cannotWriteToFile
    case .tooLarge, .lengthOverflow, .headerTooLarge, .tooManyHeaderFields, .expandsTooMuch:
      .dataLengthExceedsMaximum
    case .timedOut: .timedOut
    case .cancelled: .cancelled
    case .redirectWithoutTarget: .redirectToNonExistentLocation
    case .tooManyRedirects: .httpTooManyRedirects
    case .status(let status, _): HTTPStatusMapping.code(status) ?? .badServerResponse
    case .waitTooLong: .resourceUnavailable
    case .credentialsRefused(let status):
      HTTPStatusMapping.code(status) ?? .userAuthenticationRequired
    case .noCommonAuthentication(let status, _):
      status == 407 ? .httpAuthenticationTypeUnsupported : .userAuthenticationRequired
    case .headerIncomplete, .closedWithoutNotice: .networkConnectionLost
    case .badHeader, .badContentLength, .conflictingLengths, .multipartRanges:
      .cannotParseResponse
    case .truncated(let received, let expected):
      received == 0 && expected > 0 ? .zeroByteResource : .networkConnectionLost
    case .surplus, .lengthUnknown, .contentRangeMissing, .badContentRange, .rangeDiffers,
      .partialUnasked, .totalChanged, .validatorChanged:
      .badServerResponse
    case .rangeIgnored, .rangeNotSatisfiable: .resourceUnavailable
    case .unknownCoding: .cannotDecodeContentData
    case .codingDamaged(_, let atEnd, let offset):
      // Where not a byte could be decoded it is the label that is wrong.
      atEnd
        ? .downloadDecodingFailedToComplete
        : offset == 0 ? .cannotDecodeRawData : .downloadDecodingFailedMidStream
    case .overlapDiffers, .checksum, .pieces, .sizeDiffers: .downloadDecodingFailedToComplete
    }
  }

  var category: FailureCategory {
    switch self {
    case .inputFile, .certificateFile, .cookieFile, .resumeData: .usage
    case .file(_, _, let system): system?.isOutOfSpace == true ? .limit : .file
    case .source: .file
    case .noSpace: .limit
    case .redirectRefused, .badRedirectTarget: .protocolViolation
    case .insecureURL: .usage
    case .status(let status, _), .waitTooLong(let status, _, _):
      HTTPStatusMapping.category(status)
    case .truncated: .network
    case .surplus, .lengthUnknown, .contentRangeMissing, .badContentRange, .rangeDiffers,
      .partialUnasked:
      .protocolViolation
    case .totalChanged, .validatorChanged: .integrity
    case .credentialsRefused, .noCommonAuthentication: .authentication
    default: FailureCategory(code)
    }
  }

  var retry: RetryAdvice {
    switch self {
    case .status(let status, _): HTTPStatusMapping.retry(status)
    case .timedOut(let phase, _): phase == .total ? .never : .again
    case .headerIncomplete, .truncated, .closedWithoutNotice: .again
    case .rangeIgnored, .rangeNotSatisfiable, .contentRangeMissing, .badContentRange, .rangeDiffers,
      .partialUnasked, .multipartRanges, .totalChanged, .validatorChanged, .overlapDiffers:
      .restart
    case .codingDamaged: .withoutCoding
    case .file(_, _, let system): system?.isTransient == true ? .once : .never
    default: .never
    }
  }

  var systemCode: SystemCode? {
    switch self {
    case .file(_, _, let system), .certificateFile(_, let system): system
    case .source(_, let system): system
    case .targetExists, .partOfAnother: .exists
    case .partInUse: .busy
    case .partMissing: .noEntry
    case .noSpace: .noSpace
    default: nil
    }
  }

  var path: String? {
    switch self {
    case .inputFile(let path, _), .cookieFile(let path, _), .certificateFile(let path, _),
      .file(_, let path, _), .source(let path, _), .targetExists(let path),
      .targetIsNotAFile(let path),
      .noSpace(let path, _, _), .partInUse(let path, _, _), .partOfAnother(let path, _),
      .partMissing(let path), .partChanged(let path):
      path
    default: nil
    }
  }

  var byteOffset: UInt64? {
    switch self {
    case .truncated(let received, _), .closedWithoutNotice(let received): received
    case .surplus(let expected): expected
    case .rangeIgnored(let offset), .rangeNotSatisfiable(let offset, _),
      .codingDamaged(_, _, let offset), .overlapDiffers(let offset), .pieces(_, _, let offset, _):
      offset
    case .rangeDiffers(let requested, _): requested
    default: nil
    }
  }

  var httpStatus: Int? {
    switch self {
    case .redirectWithoutTarget(let status), .status(let status, _), .waitTooLong(let status, _, _),
      .credentialsRefused(let status), .noCommonAuthentication(let status, _):
      status
    case .partialUnasked, .contentRangeMissing: 206
    case .rangeNotSatisfiable: 416
    default: nil
    }
  }

  /// The same, where credentials had been sent: a demand for them is a refusal then.
  var afterCredentials: TransferProblem {
    if case .status(401, _) = self { return .credentialsRefused(status: 401) }
    return self
  }

  /// The same, naming who sent the bytes.
  func sent(by senders: [String]) -> TransferProblem {
    switch self {
    case .checksum(let algorithm, let expected, let found, let source, _):
      .checksum(
        algorithm: algorithm, expected: expected, found: found, source: source, senders: senders)
    case .pieces(let count, let all, let first, _):
      .pieces(count: count, of: all, first: first, senders: senders)
    default: self
    }
  }

  /// The number below: what CFNetwork calls it where URL loading says only that a login is needed.
  var cause: NetworkErrorCode? {
    switch self {
    case .credentialsRefused(401): .httpBadCredentials
    case .noCommonAuthentication(401, _): .httpAuthenticationTypeUnsupported
    default: nil
    }
  }

  var retryAfter: Duration? {
    switch self {
    case .status(_, let wait): wait
    case .waitTooLong(_, let wait, _): wait
    default: nil
    }
  }
}
