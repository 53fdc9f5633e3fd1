import NetworkCore
import Testing

@Suite struct CurlCodeTableTests {
  @Test(
    .enabled(
      if: ReferenceTable.isPresent("curl-to-cfnetwork.tsv"),
      "the reference table is not beside the package"))
  func `every row of the reference is in the table, with name, number and error`() throws {
    let reference = try #require(ReferenceTable("curl-to-cfnetwork.tsv"))
    #expect(reference.rows.count == CurlCodeTable.entries.count)
    for row in reference.rows {
      let number = try #require(Int32(row["curl_code"] ?? ""))
      let entry = try #require(CurlCodeTable.entry(for: CurlCode(rawValue: number)))
      #expect(entry.name == row["curl_name"])
      #expect("\(entry.errorCode?.rawValue ?? 0)" == row["cf_code"], "\(entry.name)")
      #expect(entry.errorCode?.entry?.cfName == (number == 0 ? nil : row["cf_name"]))
      #expect(Self.agrees(entry.retry, row["retry"] ?? ""), "\(entry.name)")
    }
  }

  @Test func `the numbers run from 0 to 101 without a gap`() {
    #expect(CurlCodeTable.entries.map(\.code.rawValue) == Array(0...101))
    #expect(Set(CurlCodeTable.entries.map(\.name)).count == 102)
  }

  @Test func `every result but success becomes an error of the table`() {
    for entry in CurlCodeTable.entries {
      #expect((entry.errorCode == nil) == (entry.code == .ok))
      if let code = entry.errorCode { #expect(code.entry != nil) }
      #expect(!entry.meaning.isEmpty)
    }
  }

  @Test func `a result is found by name with and without its prefix`() {
    #expect(CurlCodeTable.entry(named: "CURLE_PARTIAL_FILE")?.code == .partialFile)
    #expect(CurlCodeTable.entry(named: "partial_file")?.code == .partialFile)
    #expect(CurlCodeTable.entry(named: "partial") == nil)
    #expect(CurlCodeTable.entry(for: CurlCode(rawValue: 999)) == nil)
    #expect(CurlCode(rawValue: 999).description == "CURLcode 999")
  }

  /// Whether our advice is what the words of the reference start with.
  private static func agrees(_ advice: RetryAdvice?, _ words: String) -> Bool {
    switch advice {
    case .never: words.hasPrefix("no") || words == "-"
    case .again: words.hasPrefix("yes")
    case .once: words.hasPrefix("once")
    case .withoutCoding: words.hasPrefix("once (identity)")
    case .restart: words == "restart"
    case .onHTTP1: words == "yes (downgrade to h1)"
    case nil: !["no", "yes", "once", "restart"].contains(words)
    }
  }
}
