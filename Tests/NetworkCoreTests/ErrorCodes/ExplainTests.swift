import NetworkCore
import Testing

@Suite struct ExplainTests {
  @Test(arguments: [
    ("-1003", "kCFURLErrorCannotFindHost"), ("NSURLErrorTimedOut", "-1001"),
    ("CURLE_PARTIAL_FILE", "kCFURLErrorNetworkConnectionLost"), ("curl 60", "-1202"),
    ("EAI_AGAIN", "-1003"), ("x509_v_err_cert_has_expired", "-1201"), ("ENOSPC", "28"),
    ("CURLPX_USER_REJECTED", "122"), (" -998 ", "kCFURLErrorUnknown"), ("-4", "stream"),
  ])
  func `a number or name of any layer is explained`(query: String, part: String) {
    #expect(NetworkErrorTable.explain(query)?.contains(part) == true)
  }

  @Test(arguments: ["", "0", "-1105", "curl 4711", "hello", "EAI_", "99999999999999999999"])
  func `what is not known is not explained`(query: String) {
    #expect(NetworkErrorTable.explain(query) == nil)
  }

  @Test func `an explanation has number, names, domain, meaning, advice, exit and curl`() {
    #expect(
      NetworkErrorTable.explain("-1006") == """
        -1006  kCFURLErrorDNSLookupFailed, NSURLErrorDNSLookupFailed
        domain   NSURLErrorDomain, also kCFErrorDomainCFNetwork
        meaning  the name lookup failed (an old number that nothing reports any more)
        advice   see -1003
        exit     4 (network), unless more is known
        """)
    #expect(NetworkErrorTable.explain("-1014")?.contains("curl ") == false)
    #expect(NetworkErrorTable.explain("-1016")?.contains("exit     7") == true)
    #expect(NetworkErrorTable.explain("-1003")?.contains("6 CURLE_COULDNT_RESOLVE_HOST") == true)
  }

  @Test func `all is one line for each entry`() {
    let lines = NetworkErrorTable.explain("all")?.split(separator: "\n") ?? []
    #expect(lines.count == NetworkErrorTable.entries.count)
    #expect(lines.allSatisfy { $0.contains(": ") })
  }

  @Test func `a number shared by two domains is explained in both`() {
    let text = NetworkErrorTable.explain("-1000") ?? ""
    #expect(text.contains("kCFURLErrorBadURL"))
    #expect(text.contains("kCFStreamErrorDomainHTTP"))
  }

  @Test func `every explainable name is explained`() {
    for name in NetworkErrorTable.explainableNames {
      #expect(NetworkErrorTable.explain(name) != nil, "\(name)")
    }
  }

  @Test func `every number folds into one of URL loading`() {
    for entry in NetworkErrorTable.entries where entry.domain == .cfNetwork {
      #expect(entry.code.urlLoadingCode.entry?.domain == .urlLoading)
    }
    #expect(NetworkErrorCode.timedOut.urlLoadingCode == .timedOut)
    #expect(NetworkErrorCode.unknown.urlLoadingCode.rawValue == -1)
  }
}
