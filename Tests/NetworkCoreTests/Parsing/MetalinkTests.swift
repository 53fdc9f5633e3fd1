import NetworkCore
import Testing

@Suite struct MetalinkTests {
  private static let sha = String(repeating: "ab", count: 32)

  private func metalink(_ inner: String) throws -> Metalink {
    try Metalink(
      Array(
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <metalink xmlns="urn:ietf:params:xml:ns:metalink">
        \(inner)
        </metalink>
        """.utf8))
  }

  @Test func `a document gives files with places, sizes and digests`() throws {
    let found = try metalink(
      """
      <published>2026-01-01T00:00:00Z</published>
      <file name="d/a.zip">
        <size> 300 </size>
        <hash type="md5">d41d8cd98f00b204e9800998ecf8427e</hash>
        <hash type="sha-256">\(Self.sha)</hash>
        <hash type="whirlpool">zz</hash>
        <pieces length="256" type="sha-256"><hash>\(Self.sha)</hash><hash>\(Self.sha)</hash></pieces>
        <url>http://c/a.zip</url>
        <url priority="2" location="DE">http://b/a.zip</url>
        <url priority="1">http://a/a.zip?x=1&amp;y=2</url>
        <url priority="2">ftp://d/a.zip</url>
        <metaurl mediatype="torrent">http://t/a.torrent</metaurl>
        <other:size xmlns:other="urn:other">junk</other:size>
      </file>
      <file name="b"><url>http://a/b</url></file>
      """
    ).files
    #expect(found.map(\.name) == ["d/a.zip", "b"])
    let file = try #require(found.first)
    #expect(file.size == 300)
    #expect(file.checksums.map(\.algorithm) == [.sha256, .md5])
    #expect(
      file.places.map(\.url) == [
        "http://a/a.zip?x=1&y=2", "http://b/a.zip", "ftp://d/a.zip", "http://c/a.zip",
      ])
    #expect(file.places[1].location == "de")
    #expect(file.pieces?.length == 256)
    #expect(file.pieces?.checksums.count == 2)
    #expect(file.line == 4)
  }

  @Test(arguments: [
    ("<file name=\"../x\"><url>http://h</url></file>", "name", InputExpectation.safeName),
    ("<file name=\"../\u{301}x\"><url>http://h</url></file>", "name", InputExpectation.safeName),
    ("<file name=\"/\u{301}x\"><url>http://h</url></file>", "name", InputExpectation.safeName),
    ("<file name=\"/x\"><url>http://h</url></file>", "name", .safeName),
    ("<file><url>http://h</url></file>", "name", .safeName),
    ("<file name=\"x\"></file>", "url", .url),
    ("<file name=\"x\"><url>nope</url></file>", "url", .url),
    ("<file name=\"x\"><size>1k</size><url>http://h</url></file>", "size", .size),
    (
      "<file name=\"x\"><hash type=\"md5\">00</hash><url>http://h</url></file>", "hash",
      .digestLength
    ),
    ("<file name=\"x\"><hash type=\"md5\">zz</hash><url>http://h</url></file>", "hash", .hexDigits),
    ("<file name=\"x\"><url priority=\"0\">http://h</url></file>", "priority", .number),
    (
      "<file name=\"x\"><pieces length=\"0\" type=\"md5\"/><url>http://h</url></file>", "length",
      .size
    ),
    (
      "<file name=\"x\"><size>9</size><pieces length=\"4\" type=\"md5\"/><url>http://h</url></file>",
      "pieces", .number
    ),
  ])
  func `what cannot be used is named with line and element`(
    inner: String, field: String, expected: InputExpectation
  ) {
    let error = #expect(throws: InputError.self) { try metalink(inner) }
    #expect(error?.line == 3)
    #expect(error?.field == field)
    #expect(error?.expected == expected)
  }

  @Test func `the same name twice is refused`() {
    let file = "<file name=\"x\"><url>http://h</url></file>"
    let error = #expect(throws: InputError.self) { try metalink(file + file) }
    #expect(error?.expected == .uniqueField)
  }

  @Test(arguments: [
    ("", InputExpectation.xml), ("<a", .xml), ("<a></b>", .xml), ("<metalink/>", .metalink),
    ("hello", .xml),
    ("<metalink xmlns=\"urn:ietf:params:xml:ns:metalink\"/>", .metalink),
    ("<!DOCTYPE a [<!ENTITY x \"y\">]><a>&x;</a>", .noEntities), ("<a>&undefined;</a>", .xml),
    ("<a>\u{1}</a>", .xml),
  ])
  func `what is no Metalink is refused`(text: String, expected: InputExpectation) {
    let error = #expect(throws: InputError.self) { try Metalink(Array(text.utf8)) }
    #expect(error?.expected == expected)
  }

  @Test func `deep nesting and sheer size are refused`() {
    let deep = String(repeating: "<a>", count: 40) + String(repeating: "</a>", count: 40)
    #expect(throws: InputError.self) { try XMLElement(parsing: Array(deep.utf8)) }
    let long = [UInt8](repeating: 0x20, count: (16 << 20) + 1)
    let error = #expect(throws: InputError.self) { try XMLElement(parsing: long) }
    #expect(error?.expected == .inputSize)
  }

  @Test func `an element has name, attributes, text, children and line`() throws {
    let root = try XMLElement(parsing: Array("<a x='1' y='&lt;'>t<b/>u\n<c xmlns='n'/></a>".utf8))
    #expect(root.name == "a")
    #expect(root.attributes == ["x": "1", "y": "<"])
    #expect(root.text == "tu\n")
    #expect(root.children.map(\.name) == ["b", "n|c"])
    #expect(root.children.map(\.line) == [1, 2])
  }
}
