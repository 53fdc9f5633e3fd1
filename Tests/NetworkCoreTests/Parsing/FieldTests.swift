import NetworkCore
import Testing

@Suite struct FieldTests {
  private static let dispositions: [(String, String, String?)] = [
    ("attachment; filename=\"a.zip\"", "attachment", "a.zip"),
    ("attachment; filename=a.zip", "attachment", "a.zip"),
    ("ATTACHMENT;FILENAME=a.zip", "attachment", "a.zip"),
    ("inline", "inline", nil),
    ("", "", nil),
    ("attachment; filename=\"\"", "attachment", nil),
    ("attachment; filename=\"a\\\"b\"", "attachment", "a\"b"),
    ("attachment; filename=\"a;b.zip\"; x=y", "attachment", "a;b.zip"),
    ("attachment; filename=\"a.zip\";", "attachment", "a.zip"),
    ("attachment;; ;filename=a.zip", "attachment", "a.zip"),
    ("attachment; filename=my file.zip ; x=y", "attachment", "my file.zip"),
    ("attachment; filename = \"a.zip\"", "attachment", "a.zip"),
    ("attachment; filename=old.zip; filename*=UTF-8''na%C3%AFve.zip", "attachment", "naïve.zip"),
    ("attachment; filename*=UTF-8''first.zip; filename=old.zip", "attachment", "first.zip"),
    ("attachment; filename*=utf-8'en'%e2%82%ac.zip", "attachment", "€.zip"),
    ("attachment; filename*=ISO-8859-1''%e4.zip", "attachment", "ä.zip"),
    ("attachment; filename*=UTF-8''%ff.zip; filename=ok.zip", "attachment", "ok.zip"),
    ("attachment; filename*=UTF-8''%zz; filename=ok.zip", "attachment", "ok.zip"),
    ("attachment; filename*=KOI8-R''a; filename=ok.zip", "attachment", "ok.zip"),
    ("attachment; filename*=broken; filename=ok.zip", "attachment", "ok.zip"),
    ("attachment; filename=one.zip; filename=two.zip", "attachment", "one.zip"),
    ("attachment; filename=\"a%20b.zip\"", "attachment", "a b.zip"),
    ("attachment; filename=\"100%.zip\"", "attachment", "100%.zip"),
    ("attachment; filename=\"%ff.zip\"", "attachment", "%ff.zip"),
    ("filename=\"a.zip\"", "", "a.zip"),
    ("attachment filename=a.zip", "attachment", nil),
    ("attachment; filename=\"unclosed.zip", "attachment", "\"unclosed.zip"),
    ("attachment; filename", "attachment", nil),
    ("attachment; =a.zip", "attachment", nil),
  ]

  @Test(arguments: dispositions)
  func `Content-Disposition has a type and perhaps a name`(
    value: String, type: String, name: String?
  ) {
    let disposition = ContentDisposition(value)
    #expect(disposition.type == type)
    #expect(disposition.fileName == name)
  }

  private static let names: [(String, String?)] = [
    ("a.zip", "a.zip"), ("../../../tmp/evil", "evil"), ("/etc/passwd", "passwd"),
    ("C:\\Windows\\x.exe", "x.exe"), ("..", nil), (".", nil), ("", nil), ("///", nil), ("...", nil),
    (".bashrc", "bashrc"), ("a.", "a"), (" a b ", "a b"), ("a/", "a"), ("a\\", "a"),
    ("a\u{0}b\rc\nd\u{1B}e", "abcde"), ("evil\u{202E}gpj.exe", "evilgpj.exe"),
    ("\u{200B}a\u{FEFF}", "a"), ("a\u{2028}b", "ab"), ("a\u{A0}b", "a b"),
    ("a<b>c:d\"e|f?g*h", "a_b_c_d_e_f_g_h"), ("CON", "_CON"), ("con.txt", "_con.txt"),
    ("COM1", "_COM1"), ("com¹.log", "_com¹.log"), ("COM", "COM"), ("COMX", "COMX"),
    ("NUL .txt", "_NUL .txt"), ("console.txt", "console.txt"), ("-rf", "_rf"), ("~", "~"),
    ("日本語.pdf", "日本語.pdf"), ("👨\u{200D}👩\u{200D}👧.png", "👨\u{200D}👩\u{200D}👧.png"),
    ("a.tar.gz", "a.tar.gz"), ("\u{FFFE}x", "x"), ("\u{E0041}x", "x"), (". .", nil), ("\u{1}", nil),
  ]

  @Test(arguments: names)
  func `a name from outside is made safe`(name: String, safe: String?) {
    #expect(SafeFileName.clean(name) == safe)
  }

  @Test func `a long name is cut between characters and keeps its ending`() throws {
    let long = String(repeating: "ä", count: 200)
    let safe = try #require(SafeFileName.clean(long + ".tar.gz"))
    #expect(safe.utf8.count <= 255)
    #expect(safe.hasSuffix("ä.tar.gz"))
    #expect(safe.utf8.count >= 254)
    let family = String(repeating: "👨\u{200D}👩\u{200D}👧", count: 40)
    let cut = try #require(SafeFileName.clean(family))
    #expect(cut.utf8.count <= 255)
    #expect(cut.utf8.count % 18 == 0)
    let plain = String(repeating: "x", count: 300)
    #expect(SafeFileName.clean(plain)?.utf8.count == 255)
    #expect(SafeFileName.clean(plain, limit: 242)?.utf8.count == 242)
    #expect(SafeFileName.clean("a." + plain)?.utf8.count == 255)
  }

  @Test func `one character longer than the limit is cut inside`() {
    let zalgo = "a" + String(repeating: "\u{301}", count: 400) + ".zip"
    let safe = SafeFileName.clean(zalgo) ?? ""
    #expect(!safe.isEmpty)
    #expect(safe.utf8.count <= 255)
    #expect(safe.hasSuffix(".zip"))
  }

  @Test func `making a name safe twice changes nothing more`() {
    for (name, _) in Self.names {
      guard let once = SafeFileName.clean(name) else { continue }
      #expect(SafeFileName.clean(once) == once)
    }
  }

  @Test(
    arguments: [
      (nil, "https://h/d/file.zip?x=1", "file.zip"), ("s.zip", "https://h/file.zip", "s.zip"),
      ("..", "https://h/file.zip", "file.zip"), (nil, "https://h/", "download"),
      (nil, "https://h", "download"), (nil, "https://h/a%20b.zip#f", "a b.zip"),
      (nil, "https://h/..%2f..%2fetc%2fpasswd", "passwd"), (nil, "https://h/%ff.zip", "%ff.zip"),
      (nil, "https://h/.hidden", "hidden"), (nil, "https://h/a?b=/c", "a"),
    ] as [(String?, String, String)])
  func `the name is the server's, else the URL's, else a plain word`(
    server: String?, url: String, name: String
  ) {
    #expect(SafeFileName.choose(serverName: server, url: url) == name)
  }
}
