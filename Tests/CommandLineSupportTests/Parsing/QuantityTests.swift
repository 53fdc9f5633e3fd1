import CommandLineSupport
import Dialogue
import Testing

@Suite struct QuantityTests {
  @Test(arguments: [
    ("0", UInt64(0)), ("1500", 1500), ("10K", 10_000), ("10k", 10_000), ("1.5M", 1_500_000),
    ("64KiB", 65_536), ("2GiB", 2 << 30), ("2gib", 2 << 30), ("1MB", 1_000_000), ("3B", 3),
    ("0.5KiB", 512), ("18446744073709551615", .max), ("16777215TiB", 16_777_215 << 40),
    ("0.0000000019GiB", 2),
  ])
  func `reads sizes`(_ text: String, _ bytes: UInt64) {
    #expect(Quantity.size(text) == bytes)
  }

  @Test(arguments: [
    "", "1.", "K", "-1", "+1", "1 K", " 1", "1KK", "1.2.3", "0x10", "1e3", "18446744073709551616",
    "16777216TiB", "1.5X", "1.٣K", ".5K", "nan",
  ])
  func `refuses what is no size`(_ text: String) { #expect(Quantity.size(text) == nil) }

  @Test(arguments: [
    ("500ms", Duration.milliseconds(500)), ("10s", .seconds(10)), ("10", .seconds(10)),
    ("2m", .seconds(120)), ("1.5h", .seconds(5400)), ("1d", .seconds(86_400)), ("0", .zero),
    ("0.001s", .milliseconds(1)), ("2min", .seconds(120)),
  ])
  func `reads times`(_ text: String, _ duration: Duration) {
    #expect(Quantity.duration(text) == duration)
  }

  @Test(arguments: ["", "s", "-1s", "10 s", "1M", "1ms2", "1y", "106752d", "99999999999999999999s"])
  func `refuses what is no time`(_ text: String) { #expect(Quantity.duration(text) == nil) }
}

@Suite struct NearestMatchTests {
  private let names = ["output", "quiet", "max-size", "max-ratio", "verbose"]

  @Test(arguments: [
    ("outptu", "output"), ("qiet", "quiet"), ("quite", "quiet"), ("verb", "verbose"),
    ("max-siz", "max-size"), ("max-ration", "max-ratio"), ("max", "max-size"), ("OUTPUT", nil),
    ("x", nil), ("", nil), ("something", nil),
  ])
  func `finds what was meant`(_ word: String, _ candidate: String?) {
    #expect(NearestMatch.find(word, among: names) == candidate)
  }

  @Test(arguments: [
    ("", "", 0), ("", "abc", 3), ("abc", "abd", 1), ("abcd", "acbd", 1), ("abc", "ab", 1),
    ("kitten", "sitting", 3),
  ])
  func `counts edits`(_ first: String, _ second: String, _ count: Int) {
    #expect(NearestMatch.edits(first, second) == count)
    #expect(NearestMatch.edits(second, first) == count)
  }

  @Test func `takes no longer for endless words`() {
    let long = String(repeating: "x", count: 1_000_000)
    #expect(NearestMatch.find(long, among: names) == nil)
  }
}
