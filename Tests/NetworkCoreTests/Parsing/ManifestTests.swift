import NetworkCore
import Testing

@Suite struct ManifestTests {
  private func manifest(_ text: String) throws -> Manifest { try Manifest(Array(text.utf8)) }

  private static let md5 = "md5:d41d8cd98f00b204e9800998ecf8427e"

  @Test func `a URL a line is the plain form`() throws {
    let found = try manifest("# two files\nhttp://h/a\n\n  https://h/b?x=1 \r\n").entries
    #expect(found.map(\.url) == ["http://h/a", "https://h/b?x=1"])
    #expect(found.map(\.line) == [2, 4])
    #expect(found[0].output == nil)
  }

  @Test func `tabs divide the fields of a table, in the usual order or as the header says`() throws
  {
    let usual = try manifest(
      "http://h/a\tx/a\t12\t\(Self.md5)\thttp://m/a http://n/a\nhttp://h/b\n")
    #expect(usual.entries[0].output == "x/a")
    #expect(usual.entries[0].size == 12)
    #expect(usual.entries[0].checksum?.description == Self.md5)
    #expect(usual.entries[0].mirrors == ["http://m/a", "http://n/a"])
    #expect(usual.entries[1].output == nil)
    let headed = try manifest("size\tURL\n7\thttp://h/a\n\thttp://h/b\n").entries
    #expect(headed.map(\.url) == ["http://h/a", "http://h/b"])
    #expect(headed.map(\.size) == [7, nil])
  }

  @Test func `an object a line is the JSON form`() throws {
    let found = try manifest(
      """
      {"url": "http://h/a", "output": "a", "size": 9007199254740993, "mirrors": ["http://m/a"]}
      {"url": "http:\\/\\/h\\/b", "checksum": "\(Self.md5)", "output": null}
      """
    ).entries
    #expect(found[0].size == 9_007_199_254_740_993)
    #expect(found[0].mirrors == ["http://m/a"])
    #expect(found[1].url == "http://h/b")
    #expect(found[1].checksum?.algorithm == .md5)
  }

  @Test func `a Metalink is a manifest, too`() throws {
    let found = try manifest(
      """
      <?xml version="1.0"?>
      <metalink xmlns="urn:ietf:params:xml:ns:metalink"><file name="d/a"><size>7</size>
      <hash type="md5">d41d8cd98f00b204e9800998ecf8427e</hash>
      <url priority="2">http://b/a</url><url priority="1">http://a/a</url></file></metalink>
      """
    ).entries
    #expect(found.map(\.url) == ["http://a/a"])
    #expect(found[0].mirrors == ["http://b/a"])
    #expect(found[0].output == "d/a")
    #expect(found[0].size == 7)
    #expect(found[0].checksum?.description == Self.md5)
    let error = #expect(throws: InputError.self) { try manifest("<html>") }
    #expect(error?.expected == .xml)
  }

  @Test func `an empty manifest is a manifest of no files`() throws {
    #expect(try manifest("").entries.isEmpty)
    #expect(try manifest("\n# nothing\n").entries.isEmpty)
  }

  @Test(
    arguments: [
      ("http://h/a\nnot a url\n", 2, "url", InputExpectation.url), ("http:///x", 1, "url", .host),
      ("http://h:99999/", 1, "url", .port), ("http://h/a\t../x", 1, "output", .safeName),
      ("http://h/a\t/etc/x", 1, "output", .safeName), ("http://h/a\ta//b", 1, "output", .safeName),
      ("http://h/a\ta\u{7}", 1, "output", .safeName), ("http://h/a\tx\t1k", 1, "size", .size),
      ("http://h/a\tx\t-1", 1, "size", .size),
      ("http://h/a\tx\t9223372036854775808", 1, "size", .size),
      ("http://h/a\tx\t\tmd5:00", 1, "checksum", .digestLength),
      ("http://h/a\tx\t\t\tnope", 1, "mirrors", .url),
      ("http://h/a\tx\nhttp://h/b\tx", 2, "output", .uniqueField),
      ("url\turl\nhttp://h/a\thttp://h/b", 2, "url", .uniqueField),
      ("http://h/a\t\t\t\t\t6th", 1, nil, .manifestField), ("url\tsize\n\t5", 2, "url", .url),
      ("{\"url\": \"http://h/a\"}\nhttp://h/b", 2, nil, .jsonValue),
      ("{\"size\": 1}", 1, "url", .url),
      ("{\"url\": 1}", 1, "url", .jsonString),
      ("{\"url\": \"http://h/a\", \"sise\": 1}", 1, nil, .manifestField),
      ("{\"url\": \"http://h/a\", \"url\": \"http://h/b\"}", 1, nil, .uniqueField),
      ("{\"url\": \"http://h/a\", \"size\": 1.5}", 1, "size", .size),
      ("{\"url\": \"http://h/a\", \"mirrors\": [1]}", 1, "mirrors", .jsonString),
      ("{\"url\": \"http://h/a\"", 1, nil, .jsonObject),
    ] as [(String, Int, String?, InputExpectation)])
  func `a bad line is named with its field`(
    text: String, line: Int, field: String?, expected: InputExpectation
  ) {
    let error = #expect(throws: InputError.self) { try manifest(text) }
    #expect(error?.line == line)
    #expect(error?.field == field)
    #expect(error?.expected == expected)
  }

  @Test func `an error shows no secret of a URL`() {
    let error = #expect(throws: InputError.self) { try manifest("http://joe:hunter2@/x") }
    #expect(error?.description.contains("hunter2") == false)
  }

  @Test(arguments: [
    ("null", JSONValue.null), (" true ", .bool(true)), ("[]", .array([])), ("{}", .object([:])),
    ("-0.5e+3", .number("-0.5e+3")), ("\"a\\u00e4\\ud83d\\ude00\\n\"", .string("aä😀\n")),
    (
      "[1,[2,{\"a\":[null]}]]",
      .array([.number("1"), .array([.number("2"), .object(["a": .array([.null])])])])
    ),
  ])
  func `JSON is read`(text: String, value: JSONValue) throws {
    #expect(try JSONValue(Array(text.utf8)) == value)
  }

  @Test(arguments: [
    ("", 0), ("nul", 0), ("[1,]", 3), ("[1 2]", 3), ("{\"a\"}", 4), ("{a:1}", 1), ("\"\\x\"", 2),
    ("\"\\ud800\"", 7), ("\"\\udc00\"", 7), ("\"\\ud800\\u0041\"", 13), ("\"a", 2), ("01", 1),
    ("1.", 2),
    ("1e", 2), ("-", 1), ("+1", 0), ("true false", 5), ("\"\u{1}\"", 1), ("{\"a\":1,}", 7),
    ("\"\\u12g4\"", 5),
  ])
  func `malformed JSON is refused at its byte`(text: String, offset: Int) {
    let error = #expect(throws: InputError.self) { try JSONValue(Array(text.utf8)) }
    #expect(error?.offset == offset)
  }

  @Test func `JSON nested too deep is refused instead of overflowing the stack`() {
    let deep = String(repeating: "[", count: 100_000)
    let error = #expect(throws: InputError.self) { try JSONValue(Array(deep.utf8)) }
    #expect(error?.expected == .jsonDepth)
    #expect(throws: InputError.self) { try JSONValue([0x22, 0xFF, 0x22]) }
  }

  @Test func `the parts of a list hold every item once and differ by at most one`() throws {
    for count in 1...7 {
      var owners = [Int](repeating: 0, count: 23)
      for index in 1...count {
        let shard = try ShardSelection("\(index)/\(count)")
        let mine = owners.indices.filter(shard.contains)
        for item in mine { owners[item] += 1 }
        #expect(mine.count == 23 / count || mine.count == 23 / count + 1)
      }
      #expect(owners.allSatisfy { $0 == 1 })
    }
  }

  @Test(arguments: [
    "", "1", "0/2", "3/2", "1/0", "a/b", "1/2/3", "-1/2", "1/", "/2", "99999999999999999999/1",
    "1/9223372036854775808",
  ])
  func `anything but I of N is refused`(text: String) {
    #expect(throws: InputError(.shard, found: text)) { try ShardSelection(text) }
  }

  private static let cookie = "h.example\tFALSE\t/\tTRUE\t0\tname\tvalue"

  @Test func `cookies are counted, comments and HttpOnly marks understood`() throws {
    let text =
      "# Netscape HTTP Cookie File\n\n\(Self.cookie)\n#HttpOnly_.\(Self.cookie)\r\nh\tTRUE\t/\tFALSE\t1\tn\t\n"
    #expect(try CookieFile.check(Array(text.utf8)) == 3)
    #expect(try CookieFile.check([]) == 0)
    #expect(try CookieFile.check(Array("h\tTRUE\t/\tFALSE\t1\tn".utf8)) == 1)
  }

  @Test(
    arguments: [
      ("hello\n", 1, nil), ("#x\n\(cookie)\textra\n", 2, nil),
      ("h\tYES\t/\tTRUE\t0\tn\tv", 1, "subdomains"),
      ("h\tTRUE\t/\tno\t0\tn\tv", 1, "secure"), ("h\tTRUE\tp\tTRUE\t0\tn\tv", 1, "path"),
      ("h\tTRUE\t/\tTRUE\tsoon\tn\tv", 1, "expires"), ("h\tTRUE\t/\tTRUE\t0\t\tv", 1, "name"),
      ("\tTRUE\t/\tTRUE\t0\tn\tv", 1, "domain"), ("a b\tTRUE\t/\tTRUE\t0\tn\tv", 1, "domain"),
    ] as [(String, Int, String?)])
  func `a line that is no cookie is named with its field`(text: String, line: Int, field: String?) {
    let error = #expect(throws: InputError.self) { try CookieFile.check(Array(text.utf8)) }
    #expect(error?.line == line)
    #expect(error?.field == field)
  }

  @Test func `a cookie's value never stands in an error`() {
    let error = #expect(throws: InputError.self) {
      try CookieFile.check(Array("h\tTRUE\t/\tTRUE\t0\tn\tsecret\tmore".utf8))
    }
    #expect(error?.description.contains("secret") == false)
  }
}
