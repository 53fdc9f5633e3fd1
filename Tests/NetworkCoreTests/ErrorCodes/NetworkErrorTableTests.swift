import NetworkCore
import Testing

@Suite struct NetworkErrorTableTests {
  @Test(
    .enabled(
      if: ReferenceTable.isPresent("cfnetwork-error-codes.tsv"),
      "the reference table is not beside the package"))
  func `every row of the reference is in the table, with both names and the domain`() throws {
    let reference = try #require(ReferenceTable("cfnetwork-error-codes.tsv"))
    #expect(reference.rows.count == NetworkErrorTable.entries.count)
    for row in reference.rows {
      let number = try #require(Int(row["code"] ?? ""))
      let isStream = row["domain-group"]?.hasPrefix("CFStreamError") == true
      let entry = try #require(
        NetworkErrorTable.entries(numbered: number).first {
          ($0.domain == .httpStream) == isStream
        }, "\(row)")
      #expect(entry.cfName == Self.name(row["cfname"]))
      #expect(entry.nsName == Self.name(row["nsname"]))
      #expect(Self.groups[entry.family]?.contains(row["domain-group"] ?? "") == true, "\(row)")
    }
  }

  @Test func `the table has 94 lines, 87 of them in the domains that errors are reported in`() {
    #expect(NetworkErrorTable.entries.count == 94)
    #expect(NetworkErrorTable.entries.filter { $0.domain != .httpStream }.count == 87)
  }

  @Test func `no number and no name stands twice in its domain`() {
    var seen: Set<String> = []
    for entry in NetworkErrorTable.entries {
      let isStream = entry.domain == .httpStream
      #expect(seen.insert("\(isStream) \(entry.code.rawValue)").inserted, "\(entry)")
      for name in [entry.cfName, entry.nsName].compactMap({ $0 }) {
        #expect(seen.insert(name).inserted, "\(name)")
      }
    }
  }

  @Test func `meaning and advice are clauses, and no meaning stands twice`() {
    var meanings: Set<String> = []
    for entry in NetworkErrorTable.entries {
      #expect(meanings.insert(entry.meaning).inserted, "\(entry.meaning)")
      for clause in [entry.meaning, entry.advice] {
        #expect(clause.count > 8)
        #expect(!clause.hasSuffix("."))
      }
    }
  }

  @Test(arguments: [
    ("kCFURLErrorTimedOut", -1001), ("NSURLErrorTimedOut", -1001), ("timedout", -1001),
    ("URLErrorTimedOut", -1001), ("NSURLErrorUnknown", -1), ("kCFURLErrorUnknown", -998),
    ("unknown", -998), ("kCFErrorHTTPBadCredentials", 301),
    ("kCFStreamErrorHTTPSProxyFailureUnexpectedResponseToCONNECTMethod", 311),
    ("NSNetServicesTimeoutError", -72007), ("cannotparsecookiefile", -4000),
  ])
  func `a constant is found by its name or the part that tells`(name: String, number: Int) {
    #expect(NetworkErrorTable.entry(named: name)?.code.rawValue == number)
  }

  @Test(arguments: ["", "Error", "kCF", "certificate", "-1003", "NSURLErrorNoSuchThing"])
  func `a name that fits none or several finds nothing`(name: String) {
    #expect(NetworkErrorTable.entry(named: name) == nil)
  }

  @Test func `TLS numbers are Apple's, not those of Foundation on Linux`() {
    #expect(NetworkErrorCode.secureConnectionFailed.rawValue == -1200)
    #expect(NetworkErrorCode.clientCertificateRequired.rawValue == -1206)
  }

  @Test func `a number of the stream layer does not hide one of URL loading`() {
    #expect(NetworkErrorTable.entry(for: .badURL)?.cfName == "kCFURLErrorBadURL")
    #expect(NetworkErrorTable.entries(numbered: -1000).count == 2)
    #expect(NetworkErrorTable.entries(numbered: -4).first?.domain == .httpStream)
    #expect(NetworkErrorTable.entry(for: .init(rawValue: -4)) == nil)
  }

  /// The constant in a cell; cells without one start with a hyphen or a bracket.
  private static func name(_ cell: String?) -> String? {
    guard let cell, let first = cell.first, first != "-", first != "(" else { return nil }
    return cell
  }

  private static let groups: [NetworkErrorFamily: [String]] = [
    .host: ["CFNetwork/host"], .socks: ["CFNetwork/SOCKS"], .socks4: ["CFNetwork/SOCKS4"],
    .socks5: ["CFNetwork/SOCKS5"], .ftp: ["CFNetwork/FTP"], .http: ["CFNetwork/HTTP"],
    .httpProxy: ["CFNetwork/HTTP proxy"], .urlLoading: ["URL loading", "NSURLErrorDomain only"],
    .background: ["URL loading/background", "NSURLErrorDomain only (no CF constant)"],
    .file: ["URL loading/file"], .tls: ["URL loading/TLS"],
    .download: ["URL loading/download+file I/O"], .cookie: ["CFNetwork/cookie"],
    .netService: ["CFNetwork/NetService (NSNetServicesErrorDomain)"],
    .stream: ["CFStreamError (domain kCFStreamErrorDomainHTTP=4), not kCFErrorDomainCFNetwork"],
  ]
}
