import Testing

import NetworkCore

@Suite("What a response means for a download")
struct ResponseRuleTests {
  static func head(_ status: Int, _ fields: [(String, String)] = []) -> ResponseHead {
    ResponseHead(status: status, fields: fields.map { .init(name: $0.0, value: $0.1) })
  }

  static let known = FileVersion(entityTag: "\"a\"", total: 1000)
  static let tail = RangeAsk(start: 500, isRanged: true)

  func judge(
    _ head: ResponseHead, _ ask: RangeAsk = RangeAsk(), known: FileVersion = FileVersion(),
    stored: UInt64 = 0
  ) -> ResponseVerdict {
    ResponseRule.judge(head, ask: ask, known: known, stored: stored, decodes: true)
  }

  @Test func `takes a whole file with its length`() {
    let verdict = judge(Self.head(200, [("Content-Length", "1000"), ("ETag", "\"a\"")]))
    #expect(verdict == .body(.init(start: 0, end: 1000, version: Self.known)))
  }

  @Test func `takes exactly the range asked for`() {
    let fields = [("Content-Range", "bytes 500-999/1000"), ("ETag", "\"a\"")]
    let verdict = judge(Self.head(206, fields), Self.tail, known: Self.known, stored: 500)
    #expect(verdict == .body(.init(start: 500, end: 1000, version: Self.known)))
  }

  @Test(
    arguments: [
      (
        [("Content-Range", "bytes 400-999/1000")],
        TransferProblem.rangeDiffers(requested: 500, found: 400)
      ),
      ([], .contentRangeMissing),
      ([("Content-Range", "bytes 500-999/2000")], .totalChanged(from: 1000, to: 2000)),
      ([("Content-Range", "bytes 500-999")], .badContentRange("bytes 500-999")),
      (
        [("Content-Range", "bytes 500-999/1000"), ("ETag", "\"b\"")],
        .validatorChanged(from: "\"a\"", to: "\"b\"")
      ),
      ([("Content-Type", "multipart/byteranges; boundary=x")], .multipartRanges),
    ] as [([(String, String)], TransferProblem)])
  func `starts over when a range cannot belong to the file`(
    fields: [(String, String)], problem: TransferProblem
  ) {
    let verdict = judge(Self.head(206, fields), Self.tail, known: Self.known, stored: 500)
    #expect(verdict == .startOver(problem))
  }

  @Test func `replaces what is stored when the whole file comes instead of a range`() {
    let head = Self.head(200, [("Content-Length", "9"), ("ETag", "\"new\"")])
    guard case .body(let body) = judge(head, Self.tail, known: Self.known, stored: 500) else {
      Issue.record("not accepted")
      return
    }
    #expect(body.startsOver)
    #expect(body.start == 0)
  }

  @Test func `asks without If-Range when the same version comes whole`() {
    var ask = Self.tail
    ask.isConditional = true
    let head = Self.head(200, [("Content-Length", "1000"), ("ETag", "\"a\"")])
    #expect(judge(head, ask, known: Self.known, stored: 500) == .askWithoutCondition)
  }

  @Test func `knows from 416 whether all is there`() {
    let same = Self.head(416, [("Content-Range", "bytes */500")])
    var known = FileVersion(entityTag: "\"a\"")
    #expect(judge(same, Self.tail, known: known, stored: 500) == .complete)
    known.total = 500
    #expect(judge(same, Self.tail, known: known, stored: 500) == .complete)
    // Of a larger file, with holes: no whole one of the new size.
    #expect(
      judge(same, Self.tail, known: Self.known, stored: 500)
        == .startOver(.rangeNotSatisfiable(offset: 500, total: 500)))
    let changed = Self.head(416, [("Content-Range", "bytes */500"), ("ETag", "\"b\"")])
    #expect(
      judge(changed, Self.tail, known: known, stored: 500)
        == .startOver(.validatorChanged(from: "\"a\"", to: "\"b\"")))
    let other = Self.head(416, [("Content-Range", "bytes */400")])
    #expect(
      judge(other, Self.tail, known: Self.known, stored: 500)
        == .startOver(.rangeNotSatisfiable(offset: 500, total: 400)))
  }

  @Test func `keeps what an earlier answer told where a later one leaves it out`() {
    let first = FileVersion(entityTag: "\"a\"", lastModified: "M", date: "D1", total: 10)
    #expect(FileVersion(date: "D2").completed(by: first) == first)
    let next = FileVersion(entityTag: "\"b\"", lastModified: "M", date: "D2", total: 11)
    let joined = FileVersion(entityTag: "\"b\"", lastModified: "M", date: "D1", total: 11)
    #expect(next.completed(by: first) == joined)
    let other = FileVersion(lastModified: "N", date: "D2")
    #expect(other.completed(by: first).date == "D2")
    #expect(other.completed(by: FileVersion()) == other)
  }

  @Test func `refuses a part that nobody asked for`() {
    let head = Self.head(206, [("Content-Range", "bytes 0-499/1000")])
    #expect(judge(head) == .startOver(.partialUnasked))
  }

  @Test(arguments: [
    ("-5", TransferProblem.badContentLength("-5")), ("abc", .badContentLength("abc")),
    ("1000x", .badContentLength("1000x")), ("", .badContentLength("")),
    ("99999999999999999999", .lengthOverflow("99999999999999999999")),
    ("9223372036854775808", .lengthOverflow("9223372036854775808")),
    ("5, 6", .conflictingLengths("5", "6")),
  ])
  func `refuses lengths that are none`(text: String, problem: TransferProblem) {
    #expect(judge(Self.head(200, [("Content-Length", text)])) == .failure(problem))
  }

  @Test func `lets chunked win over a length`() {
    let head = Self.head(200, [("Content-Length", "7"), ("Transfer-Encoding", "chunked")])
    #expect(judge(head) == .body(.init(start: 0, end: nil, version: FileVersion())))
  }

  @Test(arguments: [
    (302, TransferProblem.redirectWithoutTarget(status: 302)), (404, .status(404, retryAfter: nil)),
    (304, .status(304, retryAfter: nil)), (999, .status(999, retryAfter: nil)),
    (204, .status(204, retryAfter: nil)),
  ])
  func `refuses statuses that bring no file`(status: Int, problem: TransferProblem) {
    #expect(judge(Self.head(status)) == .failure(problem))
  }

  @Test func `reads how long the server wants to be left alone`() {
    let head = Self.head(503, [("Retry-After", "7")])
    #expect(judge(head) == .failure(.status(503, retryAfter: .seconds(7))))
  }

  @Test func `takes off gzip, but not from an archive that is gzip by nature`() {
    let coded = Self.head(200, [("Content-Encoding", "gzip"), ("Content-Length", "10")])
    guard case .body(let body) = judge(coded) else {
      Issue.record("not accepted")
      return
    }
    #expect(body.coding == "gzip")
    #expect(body.version.total == nil)
    let archive = Self.head(
      200, [("Content-Encoding", "x-gzip"), ("Content-Type", "application/x-gzip")])
    guard case .body(let plain) = judge(archive) else {
      Issue.record("not accepted")
      return
    }
    #expect(plain.coding == nil)
    #expect(judge(Self.head(200, [("Content-Encoding", "xyz")])) == .failure(.unknownCoding("xyz")))
  }

  @Test func `asks with If-Range only where a validator is strong`() {
    func condition(_ tag: String?, _ modified: String? = nil, _ date: String? = nil) -> String? {
      FileVersion(entityTag: tag, lastModified: modified, date: date).rangeCondition
    }
    let (old, now) = ("Sat, 01 Aug 2026 10:00:00 GMT", "Sat, 01 Aug 2026 10:00:30 GMT")
    #expect(condition("\"a\"") == "\"a\"")
    #expect(condition("W/\"a\"") == nil)
    #expect(condition(nil, old, now) == nil)
    #expect(condition(nil, old, "Sat, 01 Aug 2026 10:02:00 GMT") == old)
    #expect(condition(nil, old, nil) == nil)
  }
}
