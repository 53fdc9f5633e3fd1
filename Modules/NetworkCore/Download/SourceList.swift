/// The places where a file is, each tried once, in order.
struct SourceList {
  private var urls: [String]
  private var index = 0

  init(_ urls: [String]) {
    self.urls = []
    add(urls)
  }

  /// The place in use.
  var current: String { urls[index] }
  /// Whether it is the one that was asked for.
  var isFirst: Bool { index == 0 }
  /// Whether another one is left.
  var hasNext: Bool { index + 1 < urls.count }

  /// Adds places that are not in the list.
  mutating func add(_ others: [String]) {
    for url in others where !urls.contains(url) { urls.append(url) }
  }

  /// Goes on to the next place, where there is one.
  mutating func advance() -> Bool {
    guard hasNext else { return false }
    index += 1
    return true
  }
}

/// Where else a file is, as a server said with it.
///
/// Source: RFC 6249.
struct Referrals: Equatable, Sendable {
  /// Other copies, the best first.
  private(set) var mirrors: [String] = []
  /// A Metalink document about the file.
  private(set) var metalink: String?

  /// The most copies that are remembered.
  private static let most = 16

  init() {}

  /// Takes what a head says; links that lead to no http or https URL, or away from https, are passed over.
  init(_ head: ResponseHead, from url: String, _ settings: TransferSettings) {
    let links = head.values(of: "link").flatMap(LinkField.parse)
    func resolved(_ link: LinkField) -> String? {
      try? TransferURL.resolve(link.target, from: url, settings)
    }
    let copies = links.enumerated().filter { $0.element.relations.contains("duplicate") }
      .sorted { ($0.element.priority, $0.offset) < ($1.element.priority, $1.offset) }
    mirrors = Array(copies.compactMap { resolved($0.element) }.prefix(Self.most))
    metalink = links.first {
      $0.relations.contains("describedby") && $0.type == "application/metalink4+xml"
    }.flatMap(resolved)
  }
}
