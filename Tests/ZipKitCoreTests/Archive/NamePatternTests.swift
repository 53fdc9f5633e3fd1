import Testing
import TestSupport
import ZipKitCore

@Suite("name patterns") struct NamePatternTests {
  @Test(arguments: [
    ("a", "a", true), ("a", "ab", false), ("*", "", true), ("*", "a/b", true),
    ("a*", "a/b/c", true),
    ("*.c", "x/y.c", true), ("*.c", "x/y.h", false), ("?", "a", true), ("?", "", false),
    ("[a-c]x", "bx", true), ("[!a-c]x", "bx", false), ("[^a-c]x", "dx", true), ("[]]", "]", true),
    ("[a", "[a", true), ("\\*", "*", true), ("\\*", "a", false), ("a**b", "ab", true),
    ("*a*b*c*", "xxaxxbxxcxx", true), ("", "", true), ("?t?", "été", true), ("[!x]t", "ét", true),
    ("?", "éé", false), ("é*", "etude", false), ("é*", "étude", true),
    ("a*a", "a", false), ("a*a", "aa", true), ("ab*ba", "aba", false), ("ab*ba", "abba", true),
    ("*ab", "b", false), ("ab*", "a", false), ("a?", "a", false), ("aa", "a", false),
  ])
  func `patterns match as Info-ZIP's do`(pattern: String, name: String, isMatch: Bool) {
    #expect(NamePattern(pattern).matches(name) == isMatch)
  }

  @Test func `case can be ignored, and wildcards can stop at directories`() {
    #expect(NamePattern("READ*", ignoresCase: true).matches("readme"))
    #expect(NamePattern("*.TXT", ignoresCase: true).matches("a.Txt"))
    #expect(NamePattern("Ab", ignoresCase: true).matches("aB"))
    #expect(!NamePattern("READ*").matches("readme"))
    #expect(NamePattern("a", ignoresCase: true) != NamePattern("a"))
    #expect(NamePattern("a*") == NamePattern("a*"))
    #expect(!NamePattern("*", stopsAtSlash: true).matches("a/b"))
    #expect(NamePattern("**", stopsAtSlash: true).matches("a/b"))
    #expect(NamePattern("*/b", stopsAtSlash: true).matches("a/b"))
    #expect(!NamePattern("?b", stopsAtSlash: true).matches("/b"))
  }

  @Test func `a pattern made to backtrack ends soon`() {
    let pattern = String(repeating: "*a", count: 30) + "b"
    #expect(!NamePattern(pattern).matches(String(repeating: "a", count: 300)))
  }

  @Test func `entries match by their text, whatever their bytes`() throws {
    let archive = try ZipArchive(
      bytes: ZipBuilder([.init(bytes: [0x81], []), .init("plain")]).bytes())
    #expect(archive.entries[0].matches(NamePattern("ü")))
    #expect(archive.entries[1].matches(NamePattern("plain")))
    #expect(!archive.entries[1].matches(NamePattern("plane")))
  }
}
