import CommandLineSupport
import Testing

@Suite struct NameEscapingTests {
  @Test(arguments: [
    ("plain name.txt", "plain name.txt"), ("日本語 café 👩‍🚀", "日本語 café 👩\\u{200D}🚀"),
    ("a\u{1B}[31mb", "a\\x1B[31mb"), ("a\nb\rc\td", "a\\nb\\rc\\td"), ("\u{0}\u{7F}", "\\x00\\x7F"),
    ("\u{9B}31m", "\\u{9B}31m"), ("gpj\u{202E}exe", "gpj\\u{202E}exe"),
    ("a\u{2066}b\u{2069}", "a\\u{2066}b\\u{2069}"), ("a\u{200B}b", "a\\u{200B}b"),
    ("\u{FEFF}a", "\\u{FEFF}a"), ("a\u{E0041}", "a\\u{E0041}"), ("a\u{AD}b", "a\\u{AD}b"),
    ("back\\slash", "back\\slash"), ("e\u{301}", "e\u{301}"),
  ])
  func `writes out what a terminal would obey or hide`(_ name: String, _ escaped: String) {
    #expect(NameEscaping.escape(name) == escaped)
    #expect(NameEscaping.escape(bytes: Array(name.utf8)) == escaped)
  }

  @Test(
    arguments: [
      ([0x61, 0xE9, 0x62], "a\\xE9b"), ([0xFF, 0xFE], "\\xFF\\xFE"), ([0xC3], "\\xC3"),
      ([0xC3, 0x28], "\\xC3("), ([0xE2, 0x82], "\\xE2\\x82"), ([0xC0, 0xAF], "\\xC0\\xAF"),
      ([0xED, 0xA0, 0x80], "\\xED\\xA0\\x80"), ([0xF5, 0x80], "\\xF5\\x80"), ([], ""),
      ([0xE2, 0x82, 0xC3, 0xA9], "\\xE2\\x82é"),
    ] as [([UInt8], String)])
  func `writes out bytes that are not UTF-8`(_ bytes: [UInt8], _ escaped: String) {
    #expect(NameEscaping.escape(bytes: bytes) == escaped)
  }

  @Test func `escapes interpolated parts on terminals only`() {
    let name = "a\u{1B}[2J"
    let text: ConsoleText = "\(.bold, "name"):\t\(name) \(bytes: [0xE9]) \(3)"
    let piped = text.rendered(isTerminal: false, hasColor: false)
    #expect(piped == Array("name:\ta\u{1B}[2J ".utf8) + [0xE9] + Array(" 3".utf8))
    let shown = text.rendered(isTerminal: true, hasColor: true)
    #expect(shown == Array("\u{1B}[1mname\u{1B}[0m:\ta\\x1B[2J \\xE9 3".utf8))
    let nested: ConsoleText = "[\(text)]\(trusted: "\n")"
    #expect(
      nested.rendered(isTerminal: true, hasColor: true) == Array("[".utf8) + shown + [0x5D, 10])
  }
}

@Suite struct DisplayWidthTests {
  @Test(arguments: [
    ("", 0), ("abc", 3), ("日本語", 6), ("ﾊﾝｶｸ", 4), ("ＡＢ", 4), ("한국어", 6), ("e\u{301}", 1),
    ("café", 4), ("👩‍🚀", 2), ("🇩🇪", 2), ("❤\u{FE0F}", 2), ("❤", 1), ("👍🏽", 2), ("…", 1), ("█▌", 2),
    ("a\u{200B}b", 2), ("\u{1F9D1}", 2), ("𠀀", 2), ("नि", 1),
  ])
  func `counts columns`(_ text: String, _ columns: Int) {
    #expect(DisplayWidth.of(text) == columns)
  }

  @Test(arguments: [
    ("abcdef", 6, "abcdef"), ("abcdef", 4, "abc…"), ("日本語", 5, "日本…"), ("日本語", 4, "日…"),
    ("日本語", 1, "…"), ("abc", 0, ""), ("e\u{301}e\u{301}e\u{301}", 2, "e\u{301}…"), ("👩‍🚀👩‍🚀", 3, "👩‍🚀…"),
  ])
  func `cuts between graphemes`(_ text: String, _ columns: Int, _ cut: String) {
    #expect(DisplayWidth.cut(text, to: columns) == cut)
    #expect(DisplayWidth.of(DisplayWidth.fit(text, to: columns)) == columns)
  }
}
