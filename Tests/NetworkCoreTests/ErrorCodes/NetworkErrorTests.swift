import NetworkCore
import Testing

@Suite struct NetworkErrorTests {
  private static let statuses: [(Int, Int?, FailureCategory, RetryAdvice)] = [
    (101, -1017, .protocolViolation, .never), (200, nil, .refused, .never),
    (204, -1014, .refused, .never), (206, nil, .refused, .never),
    (302, -1011, .protocolViolation, .never), (304, -1011, .protocolViolation, .never),
    (400, -1011, .refused, .never), (401, -1013, .authentication, .never),
    (403, -1102, .refused, .never), (404, -1100, .refused, .never),
    (405, -1011, .refused, .never), (407, 307, .authentication, .never),
    (408, -1001, .refused, .again), (409, -1008, .refused, .never),
    (410, -1100, .refused, .never), (413, -1103, .refused, .never),
    (416, -1008, .refused, .never), (421, -1011, .refused, .once),
    (425, -1008, .refused, .again), (429, -1008, .refused, .again),
    (451, -1102, .refused, .never), (500, -1011, .refused, .again),
    (501, -1011, .refused, .never), (502, -1011, .refused, .again),
    (503, -1008, .refused, .again), (504, -1011, .refused, .again),
    (505, -1011, .refused, .never), (511, -1009, .network, .never),
    (999, -1011, .protocolViolation, .never), (99, -1017, .protocolViolation, .never),
    (1000, -1017, .protocolViolation, .never), (0, -1017, .protocolViolation, .never),
  ]

  @Test(arguments: statuses)
  func `a status has its error, its kind and its advice`(
    status: Int, code: Int?, category: FailureCategory, retry: RetryAdvice
  ) {
    #expect(HTTPStatusMapping.code(status)?.rawValue == code)
    #expect(HTTPStatusMapping.category(status) == category)
    #expect(HTTPStatusMapping.retry(status) == retry)
  }

  @Test func `a redirect without a target is told from one with`() {
    #expect(HTTPStatusMapping.code(302, hasLocation: false) == .redirectToNonExistentLocation)
    #expect(HTTPStatusMapping.code(304, hasLocation: false) == .badServerResponse)
  }

  private static let problems: [(TransferProblem, Int, Int32)] = [
    (.badURL("http://[x"), -1000, 2), (.unsupportedScheme("foo"), -1002, 2),
    (.insecureURL, -1022, 2), (.certificateFile(path: "ca", nil), -1200, 2),
    (.file(.create, path: "a", SystemCode(rawValue: 13)), -3000, 3),
    (.file(.open, path: "a", nil), -3001, 3), (.file(.sync, path: "a", nil), -3002, 3),
    (.file(.close, path: "a", nil), -3002, 3),
    (.file(.write, path: "a", SystemCode(rawValue: 5)), -3003, 3),
    (.file(.write, path: "a", SystemCode(rawValue: 28)), -3003, 10),
    (.file(.write, path: "a", SystemCode(rawValue: 122)), -3003, 10),
    (.file(.remove, path: "a", nil), -3004, 3), (.file(.move, path: "a", nil), -3005, 3),
    (.targetExists(path: "a"), -3000, 3), (.targetIsNotAFile(path: "a"), -3000, 3),
    (.noSpace(path: "a", needed: 2, available: 1), -3003, 10),
    (.tooLarge(limit: 1, found: 2), -1103, 10), (.lengthOverflow("9"), -1103, 10),
    (.headerTooLarge(limit: 1), -1103, 10), (.tooManyHeaderFields(limit: 1), -1103, 10),
    (.expandsTooMuch(limit: 1), -1103, 10), (.timedOut(.tls, after: .seconds(1)), -1001, 4),
    (.cancelled, -999, 1), (.redirectRefused(scheme: "file"), -1002, 7),
    (.redirectWithoutTarget(status: 302), -1010, 7), (.badRedirectTarget("x"), -1000, 7),
    (.insecureRedirect, -1022, 5), (.tooManyRedirects(limit: 20), -1007, 7),
    (.status(404, retryAfter: nil), -1100, 8), (.status(401, retryAfter: nil), -1013, 6),
    (.status(999, retryAfter: nil), -1011, 7),
    (.waitTooLong(status: 503, wait: .seconds(86400), budget: .seconds(60)), -1008, 8),
    (.credentialsRefused(status: 401), -1013, 6), (.credentialsRefused(status: 407), 307, 6),
    (.noCommonAuthentication(status: 401, offered: ["X"]), -1013, 6),
    (.noCommonAuthentication(status: 407, offered: []), 300, 6),
    (.headerIncomplete, -1005, 4), (.badHeader("x"), -1017, 7),
    (.badContentLength("-5"), -1017, 7), (.conflictingLengths("1", "2"), -1017, 7),
    (.truncated(received: 1, expected: 2), -1005, 4),
    (.truncated(received: 0, expected: 2), -1014, 4), (.surplus(expected: 1), -1011, 7),
    (.closedWithoutNotice(received: 1), -1005, 4), (.lengthUnknown, -1011, 7),
    (.rangeIgnored(offset: 1), -1008, 8),
    (.rangeNotSatisfiable(offset: 1, total: nil), -1008, 8), (.contentRangeMissing, -1011, 7),
    (.badContentRange("x"), -1011, 7), (.rangeDiffers(requested: 1, found: 2), -1011, 7),
    (.partialUnasked, -1011, 7), (.multipartRanges, -1017, 7),
    (.totalChanged(from: 1, to: 2), -1011, 9), (.validatorChanged(from: "a", to: "b"), -1011, 9),
    (.unknownCoding("xyz"), -1016, 7), (.codingDamaged("gzip", atEnd: false, offset: 3), -3006, 9),
    (.codingDamaged("gzip", atEnd: true, offset: 3), -3007, 9),
    (.overlapDiffers(offset: 1), -3007, 9),
    (.checksum(algorithm: "sha256", expected: "a", found: "b", source: "c"), -3007, 9),
    (.sizeDiffers(expected: 1, found: 2), -3007, 9),
    (.inputFile(path: "m", InputError(.url, found: "x", line: 3)), -998, 2),
    (.cookieFile(path: "c", InputError(.cookieLine, found: "x", line: 3)), -4000, 2),
  ]

  @Test(arguments: problems)
  func `a problem has its number and exit status, and says what was expected and found`(
    problem: TransferProblem, number: Int, exit: Int32
  ) {
    let error = NetworkError(problem)
    #expect(error.code.rawValue == number)
    #expect(error.exitStatus == exit)
    #expect(error.code.entry != nil)
    #expect(error.message.contains("expected") || problem == .cancelled, "\(error.message)")
    #expect(!error.message.hasSuffix("."))
  }

  @Test func `every category has its own exit status, but cancelled`() {
    #expect(FailureCategory.allCases.map(\.exitStatus) == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 1])
  }

  @Test func `the circumstances are kept and the URL loses its secrets`() {
    let error = NetworkError(.truncated(received: 7, expected: 9))
      .during(url: "https://u:p@h.example/f?sig=1&x=2#t", phase: .body, attempt: 3)
    #expect(error.url == "https://h.example/f?sig=***&x=2")
    #expect(error.phase == .body)
    #expect(error.attempt == 3)
    #expect(error.byteOffset == 7)
    #expect(error.description.hasPrefix("https://h.example/f?sig=***&x=2: expected 9 bytes"))
    #expect(error.description.hasSuffix("(kCFURLErrorNetworkConnectionLost, -1005)"))
    #expect(error.detailedDescription.contains("attempt: 3"))
  }

  @Test func `refused credentials are nested as CFNetwork calls them`() {
    #expect(NetworkError(.credentialsRefused(status: 401)).cause?.code == .httpBadCredentials)
    #expect(
      NetworkError(.noCommonAuthentication(status: 401, offered: ["Q"])).cause?.code
        == .httpAuthenticationTypeUnsupported)
  }

  @Test func `causes nest to any depth`() {
    var outer = NetworkError(.cancelled)
    outer.cause = NetworkError(.headerIncomplete)
    outer.cause?.cause = NetworkError(.lengthUnknown)
    #expect(outer.cause?.cause?.code == .badServerResponse)
    outer.cause = nil
    #expect(outer.cause == nil)
  }

  @Test func `every number of the table has a category`() {
    for entry in NetworkErrorTable.entries where entry.family != .netService {
      let category = FailureCategory(entry.code)
      #expect((1...10).contains(category.exitStatus))
    }
    #expect(FailureCategory(.cannotFindHost) == .network)
    #expect(FailureCategory(.clientCertificateRequired) == .tls)
    #expect(FailureCategory(NetworkErrorCode(rawValue: 4711)) == .other)
  }

  @Test func `control characters of a server never reach a message`() {
    let error = NetworkError(.badHeader("a\u{1B}[31m\nb"))
    #expect(!error.message.unicodeScalars.contains { $0.value < 32 })
  }
}
