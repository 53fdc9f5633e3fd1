import NetworkCore
import Testing

@Suite struct RangeAndDateTests {
  @Test(arguments: [
    ("bytes 0-9/20", ContentRange.part(first: 0, last: 9, total: 20)),
    ("BYTES 5-5/6", .part(first: 5, last: 5, total: 6)),
    ("bytes 0-9/*", .part(first: 0, last: 9, total: nil)),
    ("bytes */20", .unsatisfied(total: 20)), ("bytes */0", .unsatisfied(total: 0)),
    (
      "bytes 0-18446744073709551614/18446744073709551615",
      .part(first: 0, last: 18_446_744_073_709_551_614, total: .max)
    ),
  ])
  func `a right Content-Range is read`(text: String, range: ContentRange) throws {
    #expect(try ContentRange(text) == range)
  }

  @Test(arguments: [
    "", "bytes", "bytes ", "bytes 0-9", "bytes 9-0/20", "bytes 0-20/20", "bytes 0-9/20 ",
    "bytes  0-9/20", "bytes=0-9/20", "octets 0-9/20", "bytes -9/20", "bytes 0-/20", "bytes 0-9/",
    "bytes 0-9/x", "bytes */*", "bytes */", "bytes +0-9/20", "bytes 0 - 9/20", "0-9/20",
    "bytes 0-18446744073709551616/18446744073709551617", "bytes 0-9/20, bytes 0-9/20",
    "bytes 0-18446744073709551615/*",
  ])
  func `a Content-Range that is not exactly right is refused`(text: String) {
    #expect(throws: InputError(.contentRange, found: text)) { try ContentRange(text) }
  }

  @Test func `a range knows its count and total`() throws {
    #expect(try ContentRange("bytes 3-9/20").count == 7)
    #expect(try ContentRange("bytes 3-9/20").total == 20)
    #expect(try ContentRange("bytes */20").count == 0)
  }

  @Test(
    arguments: [
      (["5"], 5), ([], nil), (["5", "5"], 5), (["5, 5"], 5), ([" 5 "], 5), (["0"], 0), (["007"], 7),
      (["9223372036854775807"], UInt64(Int64.max)),
    ] as [([String], UInt64?)])
  func `Content-Length is digits, repeated or not`(values: [String], length: UInt64?) throws {
    #expect(try ContentLength.parse(values) == length)
  }

  @Test(arguments: [
    (["-5"], -1017), (["abc"], -1017), (["1000x"], -1017), (["5", "6"], -1017), (["5, 6"], -1017),
    ([""], -1017), (["5,"], -1017), (["+5"], -1017), (["1 0"], -1017),
    (["9223372036854775808"], -1103),
    (["99999999999999999999999"], -1103),
  ])
  func `any other Content-Length is refused with its number`(values: [String], code: Int) {
    let error = #expect(throws: NetworkError.self) { try ContentLength.parse(values) }
    #expect(error?.code.rawValue == code)
  }

  @Test(arguments: [
    ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
    ("Sun Nov  6 08:49:37 1994", 784_111_777), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
    ("Tue, 29 Feb 2000 12:00:00 GMT", 951_825_600), ("Wed, 31 Dec 1969 23:59:59 GMT", -1),
    ("Sat, 31 Dec 2016 23:59:60 GMT", 1_483_228_799),
    ("Friday, 01-Jan-70 00:00:00 GMT", 3_155_760_000),
    ("Monday, 01-Jan-99 00:00:00 GMT", 915_148_800),
    ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
  ])
  func `a date in any of the three forms is read`(text: String, seconds: Int64) throws {
    #expect(try HTTPDate(text).secondsSinceEpoch == seconds)
  }

  @Test(arguments: [
    "", "now", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 CET",
    "Sun, 31 Nov 1994 08:49:37 GMT", "Sun, 29 Feb 1900 08:49:37 GMT",
    "Sun, 06 Nov 1994 24:00:00 GMT",
    "Sun, 06 Foo 1994 08:49:37 GMT", "Xyz, 06 Nov 1994 08:49:37 GMT",
    "Sun, 00 Nov 1994 08:49:37 GMT",
    "Sun, 06 Nov 19940 08:49:37 GMT", "Sun, 06 Nov 1994 8:49:37 GMT", "Sun, 06 Nov 1994 08:49 GMT",
    "Sun, 99999999999999999999 Nov 1994 08:49:37 GMT",
  ])
  func `anything else is no date`(text: String) {
    #expect(throws: InputError.self) { try HTTPDate(text) }
  }

  private static let now = HTTPDate(secondsSinceEpoch: 784_111_777)

  @Test(arguments: [
    ("0", 0), ("120", 120), (" 7 ", 7), ("Sun, 06 Nov 1994 08:50:37 GMT", 60),
    ("Sun, 06 Nov 1994 08:00:00 GMT", 0), ("99999999999999999999999999", 3_162_240_000),
    ("Fri, 31 Dec 9999 23:59:59 GMT", 3_162_240_000),
  ])
  func `Retry-After is seconds or a date`(text: String, seconds: Int64) throws {
    #expect(try RetryAfter.parse(text, now: Self.now) == .seconds(seconds))
  }

  @Test(arguments: ["", "soon", "-1", "1.5", "1s"])
  func `any other Retry-After is refused`(text: String) {
    #expect(throws: InputError(.retryAfter, found: text)) {
      try RetryAfter.parse(text, now: Self.now)
    }
  }

  @Test(arguments: [
    ("\"abc\"", "abc", false), ("W/\"abc\"", "abc", true), ("\"\"", "", false),
    ("\"a'b!\"", "a'b!", false), (" \"x\" ", "x", false),
  ])
  func `an entity tag is quoted text, weak or strong`(value: String, opaque: String, weak: Bool)
    throws
  {
    let tag = try EntityTag(value)
    #expect(tag.opaque == opaque)
    #expect(tag.isWeak == weak)
    #expect(try EntityTag(tag.text) == tag)
  }

  @Test(arguments: [
    "", "abc", "\"abc", "abc\"", "\"", "w/\"abc\"", "\"a\"b\"", "\"a b\"", "W/", "*",
  ])
  func `anything else is no entity tag`(value: String) {
    #expect(throws: InputError(.entityTag, found: value)) { try EntityTag(value) }
  }

  private static let early = "Sun, 06 Nov 1994 08:49:37 GMT"
  private static let later = "Sun, 06 Nov 1994 09:49:37 GMT"

  @Test(
    arguments: [
      ("\"a\"", nil, nil, "\"a\""), ("W/\"a\"", nil, nil, nil), (nil, early, later, early),
      (nil, early, early, nil), (nil, early, nil, nil), ("\"a\"", early, later, "\"a\""),
      ("W/\"a\"", early, later, early), ("junk", nil, nil, nil), (nil, "junk", later, nil),
    ] as [(String?, String?, String?, String?)])
  func `If-Range takes a strong tag, else a strong date, else nothing`(
    tag: String?, modified: String?, date: String?, expected: String?
  ) {
    let validators = Validators(entityTag: tag, lastModified: modified, date: date)
    #expect(validators.ifRange == expected)
  }

  @Test(
    arguments: [
      ("\"a\"", nil, "\"a\"", nil, .same), ("\"a\"", nil, "\"b\"", nil, .different),
      ("W/\"a\"", nil, "W/\"a\"", nil, .alike), ("W/\"a\"", nil, "\"a\"", nil, .alike),
      ("W/\"a\"", early, "W/\"a\"", later, .different), (nil, early, nil, early, .same),
      (nil, early, nil, later, .different), ("\"a\"", nil, nil, early, .unknown),
      (nil, nil, nil, nil, .unknown),
    ] as [(String?, String?, String?, String?, Validators.Comparison)])
  func `two answers are about the same file, another one, or it cannot be told`(
    tag: String?, modified: String?, otherTag: String?, otherModified: String?,
    expected: Validators.Comparison
  ) {
    let date = "Sun, 06 Nov 1994 12:49:37 GMT"
    let first = Validators(entityTag: tag, lastModified: modified, date: date)
    let second = Validators(entityTag: otherTag, lastModified: otherModified, date: date)
    #expect(first.compare(with: second) == expected)
  }
}
