extension NetworkErrorTable {
  /// What a number or name means, in several lines ready to print, as `fetch --explain` shows it.
  ///
  /// - Parameter query: A number of CFNetwork or `NSURLError` (`-1003`), one of its names, a name or
  ///   number of libcurl (`CURLE_PARTIAL_FILE`, `curl 18`), a resolver, certificate or kernel constant
  ///   (`EAI_AGAIN`, `X509_V_ERR_CERT_HAS_EXPIRED`, `ENOSPC`), or `all`.
  /// - Returns: The text without a line end, or `nil` when nothing is known by that name.
  public static func explain(_ query: String) -> String? {
    let query = query.trimmed
    if query.lowercased() == "all" {
      return entries.map(line).joined(separator: "\n")
    }
    if let number = Int(query) {
      let found = entries(numbered: number)
      return found.isEmpty ? nil : found.map(block).joined(separator: "\n\n")
    }
    if let entry = entry(named: query) { return block(entry) }
    if let entry = curlEntry(query) { return block(entry) }
    return foreignBlock(query.uppercased())
  }

  /// The names that ``explain(_:)`` knows, for suggestions and completion.
  public static let explainableNames: [String] =
    entries.flatMap { [$0.cfName, $0.nsName].compactMap { $0 } } + CurlCodeTable.entries.map(\.name)

  private static func curlEntry(_ query: String) -> CurlCodeEntry? {
    let words = query.lowercased().split { $0 == " " || $0 == ":" || $0 == "-" }
    if words.count == 2, words[0] == "curl", let number = Int32(words[1]) {
      return CurlCodeTable.entry(for: CurlCode(rawValue: number))
    }
    return CurlCodeTable.entry(named: query)
  }

  /// One line of the whole table: number, names, meaning.
  private static func line(_ entry: NetworkErrorEntry) -> String {
    let number = "\(entry.code.rawValue)"
    let padding = String(repeating: " ", count: max(1, 8 - number.count))
    return number + padding + names(entry) + ": " + entry.meaning
  }

  private static func names(_ entry: NetworkErrorEntry) -> String {
    let names = [entry.cfName, entry.nsName].compactMap { $0 }
    return names.isEmpty ? "(no public name)" : names.joined(separator: ", ")
  }

  private static func block(_ entry: NetworkErrorEntry) -> String {
    var lines = [
      "\(entry.code.rawValue)  \(names(entry))", "domain   \(domains(entry))",
      "meaning  \(entry.meaning)", "advice   \(entry.advice)",
    ]
    if entry.domain == .httpStream { return lines.joined(separator: "\n") }
    let category = FailureCategory(entry.code)
    lines.append("exit     \(category.exitStatus) (\(category.rawValue)), unless more is known")
    let curl = CurlCodeTable.entries.filter { $0.errorCode == entry.code && !$0.isObsolete }
    if !curl.isEmpty {
      let list = curl.map { "\($0.code.rawValue) \($0.name)" }
      lines.append("curl     " + list.joined(separator: ", "))
    }
    return lines.joined(separator: "\n")
  }

  private static func domains(_ entry: NetworkErrorEntry) -> String {
    let own = entry.domain.rawValue
    let other = NetworkErrorDomain.cfNetwork.rawValue
    return entry.domain == .urlLoading && entry.cfName != nil ? "\(own), also \(other)" : own
  }

  private static func block(_ entry: CurlCodeEntry) -> String {
    var lines = [
      "\(entry.code.rawValue)  \(entry.name)", "meaning  \(entry.meaning)",
      "retry    \(entry.retry?.rawValue ?? "the circumstances decide")",
    ]
    if let code = entry.errorCode, let target = code.entry {
      lines.append("becomes  \(code.rawValue) \(names(target)), unless more is known")
    }
    return lines.joined(separator: "\n")
  }

  private static func foreignBlock(_ name: String) -> String? {
    if let code = ResolverCode.all.first(where: { $0.name == name }) {
      return foreign(code.rawValue, name, code.meaning, .cannotFindHost)
    }
    if let result = CertificateResult.all.first(where: { $0.name == name }) {
      let becomes = result.rawValue == 0 ? nil : result.serverError
      return foreign(Int32(truncatingIfNeeded: result.rawValue), name, result.meaning, becomes)
    }
    if let code = ProxyCode.all.first(where: { $0.name == name }) {
      return foreign(code.rawValue, name, nil, code.error(isVersion4: false))
    }
    if let code = SystemCode.all.first(where: { $0.name == name }) {
      return foreign(code.rawValue, name, code.meaning, nil)
    }
    return nil
  }

  private static func foreign(
    _ number: Int32, _ name: String, _ meaning: String?, _ becomes: NetworkErrorCode?
  ) -> String {
    var lines = ["\(number)  \(name)"]
    if let meaning { lines.append("meaning  \(meaning)") }
    if let becomes, let target = becomes.entry {
      lines.append("becomes  \(becomes.rawValue) \(names(target))")
      lines.append("advice   \(target.advice)")
    }
    return lines.joined(separator: "\n")
  }
}
