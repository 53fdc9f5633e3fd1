import NetworkCore
import Testing

@Suite struct URLRedactionTests {
  @Test(arguments: [
    ("https://a.example/f.zip", "https://a.example/f.zip"),
    ("https://u:p@a.example/f", "https://a.example/f"),
    ("https://u@a.example", "https://a.example"),
    ("ftp://u:p@ss@a.example/f", "ftp://a.example/f"),
    ("//u:p@a/f", "//a/f"),
    ("u:p@a.example/f", "a.example/f"),
    ("http://u:pa/ss@a.example/f", "http://a.example/f"),
    ("http://u:p@ss:pa/ss@a.example/f", "http://a.example/f"),
    ("http://[::1]:80/a@b", "http://[::1]:80/a@b"),
    ("http://a.example:8080/x@y", "http://a.example:8080/x@y"),
    ("http://a/?q=1&token=abc&z=2", "http://a/?q=1&token=***&z=2"),
    ("http://a/?X-Amz-Signature=ab&X-Amz-Date=1", "http://a/?X-Amz-Signature=***&X-Amz-Date=1"),
    ("http://a/?%74oken=abc", "http://a/?%74oken=***"),
    ("http://a/?a=1;api_key=2", "http://a/?a=1;api_key=***"),
    ("http://a/?access_token=1=2", "http://a/?access_token=***"),
    ("http://a/f#access_token=abc", "http://a/f"),
    ("http://a/?token", "http://a/?token"),
    ("http://a/?keyboard=1&monkey=2", "http://a/?keyboard=1&monkey=2"),
    ("", ""), ("?sig=1", "?sig=***"), ("@", ""), ("http://", "http://"),
  ])
  func `secrets are taken out and the rest stays`(url: String, shown: String) {
    #expect(URLRedaction.redact(url) == shown)
  }

  @Test func `redacting twice changes nothing more`() {
    let once = URLRedaction.redact("https://u:p@h/f?a=1&sig=2")
    #expect(URLRedaction.redact(once) == once)
  }

  @Test func `URLs inside a sentence are redacted`() {
    #expect(
      URLRedaction.redactText("see 'http://u:p@h/x?sig=1' and a@b")
        == "see 'http://h/x?sig=***' and a@b")
    #expect(
      URLRedaction.redactText("at http://u:p@h/\u{301}x?\u{301}sig=1 \u{301}http://u:p@h/")
        == "at http://h/\u{301}x?\u{301}sig=*** \u{301}http://h/")
  }
}
