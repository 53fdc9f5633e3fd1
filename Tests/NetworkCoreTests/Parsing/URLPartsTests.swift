import NetworkCore
import Testing

@Suite struct URLPartsTests {
  @Test func `a URL is taken apart`() throws {
    let parts = try URLParts("HTTPS://joe:pw@Host.Example:8443/a/b?c=d&e#f")
    #expect(parts.scheme == "https")
    #expect(parts.userInfo == "joe:pw")
    #expect(parts.host == "host.example")
    #expect(parts.port == 8443)
    #expect(parts.path == "/a/b")
    #expect(parts.query == "c=d&e")
    #expect(parts.fragment == "f")
  }

  @Test(
    arguments: [
      ("http://h", "h", nil, ""), ("http://h:/", "h", nil, "/"),
      ("http://[::1]:80/x", "::1", 80, "/x"),
      ("http://[fe80::1%25eth0]/", "fe80::1%25eth0", nil, "/"),
      ("file:///etc/passwd", "", nil, "/etc/passwd"),
      ("http://bücher.example/ü", "bücher.example", nil, "/ü"), ("ftp://a@b@h/x", "h", nil, "/x"),
      // One character with what stands behind it, and a separator all the same.
      ("http://h/\u{301}@g/x", "h", nil, "/\u{301}@g/x"),
      ("http://h:80/\u{301}", "h", 80, "/\u{301}"),
      ("http://h?\u{301}@g/x", "h", nil, ""), ("http://h#\u{301}@g/x", "h", nil, ""),
      ("http://u@\u{301}h/", "\u{301}h", nil, "/"),
      ("http://h?x", "h", nil, ""), ("http://h:65535", "h", 65535, ""),
    ] as [(String, String, UInt16?, String)])
  func `unusual URLs are read, too`(url: String, host: String, port: UInt16?, path: String) throws {
    let parts = try URLParts(url)
    #expect(parts.host == host)
    #expect(parts.port == port)
    #expect(parts.path == path)
  }

  @Test(arguments: [
    ("", InputExpectation.url), ("example.com/x", .url), ("http:/h", .url), ("://h", .url),
    ("1http://h", .url),
    ("ht tp://h", .url), ("http://h/a b", .url), ("http://h/\u{7F}", .url), ("http://", .host),
    ("http://:80/", .host),
    ("http://h:x/", .port), ("http://h:65536/", .port), ("http://h:-1/", .port),
    ("http://[::1/", .host),
    ("http://[zz]/", .host), ("http://[::1]x/", .host), ("http://a<b/", .host),
    ("http://h:1:2/", .port),
  ])
  func `what is no URL is refused`(url: String, expected: InputExpectation) {
    let error = #expect(throws: InputError.self) { try URLParts(url) }
    #expect(error?.expected == expected)
  }

  @Test(arguments: [
    ("http://h/a", "http://H:80/b", true), ("https://h", "https://h:443/x", true),
    ("http://h", "https://h", false), ("http://h", "http://g", false),
    ("http://h:1", "http://h:2", false), ("http://h/\u{301}", "http://h/a", true),
    ("http://h/\u{301}.g/", "http://g/", false),
  ])
  func `secrets stay with scheme, host and port`(first: String, second: String, same: Bool) {
    #expect(TransferURL.isSameOrigin(first, second) == same)
  }
}
