/// What an HTTP status means for a download, when it is not one that brings the file.
package enum HTTPStatusMapping {
  /// The error of a final status that a download cannot accept.
  ///
  /// Source: RFC 9110 section 15; 416 and 412 on resume have rules of their own before this.
  /// - Parameters:
  ///   - status: The number in the status line.
  ///   - hasLocation: Whether the answer names a redirect target.
  /// - Returns: The number, and `nil` where the status brings a file: 200, 203, 206, 226.
  package static func code(_ status: Int, hasLocation: Bool = true) -> NetworkErrorCode? {
    switch status {
    case 200, 203, 206, 226: nil
    case 204, 205: .zeroByteResource
    case 201, 202, 207, 208: .badServerResponse
    case 300...399:
      status == 304 || hasLocation ? .badServerResponse : .redirectToNonExistentLocation
    case 401: .userAuthenticationRequired
    case 403, 451: .noPermissionsToReadFile
    case 404, 410: .fileDoesNotExist
    case 407: .httpBadProxyCredentials
    case 408: .timedOut
    case 409, 416, 423, 425, 429, 503: .resourceUnavailable
    case 413: .dataLengthExceedsMaximum
    case 511: .notConnectedToInternet
    case 200...999: .badServerResponse
    default: .cannotParseResponse
    }
  }

  /// Whether the same request may succeed later.
  package static func retry(_ status: Int) -> RetryAdvice {
    switch status {
    case 408, 425, 429: .again
    case 421: .once
    case 501, 505, 511: .never
    case 500...599: .again
    default: .never
    }
  }

  /// The kind of failure a status is: authentication, an answer outside the protocol, or a refusal.
  package static func category(_ status: Int) -> FailureCategory {
    switch status {
    case 401, 407: .authentication
    case 511: .network
    case 204, 205: .refused
    case 300...399, 0..<200: .protocolViolation
    case 600...: .protocolViolation
    default: .refused
    }
  }

  private static let phrases: [Int: String] = [
    101: "switching protocols", 204: "no content", 205: "reset content", 206: "partial content",
    300: "multiple choices", 301: "moved permanently", 302: "found", 303: "see other",
    304: "not modified", 307: "temporary redirect", 308: "permanent redirect",
    400: "bad request", 401: "unauthorized", 402: "payment required", 403: "forbidden",
    404: "not found", 405: "method not allowed", 406: "not acceptable",
    407: "proxy authentication required", 408: "request timeout", 409: "conflict", 410: "gone",
    411: "length required", 412: "precondition failed", 413: "content too large",
    414: "URI too long", 415: "unsupported media type", 416: "range not satisfiable",
    417: "expectation failed", 421: "misdirected request", 422: "unprocessable content",
    423: "locked", 424: "failed dependency", 425: "too early", 426: "upgrade required",
    428: "precondition required", 429: "too many requests", 431: "header fields too large",
    451: "unavailable for legal reasons", 500: "internal server error", 501: "not implemented",
    502: "bad gateway", 503: "service unavailable", 504: "gateway timeout",
    505: "HTTP version not supported", 506: "variant also negotiates", 507: "insufficient storage",
    508: "loop detected", 511: "network authentication required",
  ]

  /// The registered reason phrase in small letters, or `nil` for an unregistered status.
  package static func phrase(_ status: Int) -> String? { phrases[status] }
}
