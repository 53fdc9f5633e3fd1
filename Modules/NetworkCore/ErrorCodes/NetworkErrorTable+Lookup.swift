extension NetworkErrorTable {
  private static let byCode: [NetworkErrorCode: NetworkErrorEntry] = {
    var map: [NetworkErrorCode: NetworkErrorEntry] = [:]
    for entry in entries where entry.domain != .httpStream { map[entry.code] = entry }
    return map
  }()

  private static let byName: [String: NetworkErrorEntry] = {
    var map: [String: NetworkErrorEntry] = [:]
    for entry in entries {
      for name in [entry.cfName, entry.nsName].compactMap({ $0 }) {
        map[name.lowercased()] = entry
      }
    }
    return map
  }()

  /// The entry of a code, or `nil` when the table does not hold the number.
  ///
  /// Numbers of ``NetworkErrorDomain/httpStream`` mean something else there and are left out; see
  /// ``entries(numbered:)``.
  public static func entry(for code: NetworkErrorCode) -> NetworkErrorEntry? { byCode[code] }

  /// All entries with a number, in every domain.
  public static func entries(numbered number: Int) -> [NetworkErrorEntry] {
    entries.filter { $0.code.rawValue == number }
  }

  /// The entry of a constant's name, whatever its case.
  ///
  /// - Parameter name: `kCFURLErrorTimedOut`, `NSURLErrorTimedOut`, or the part that tells:
  ///   `TimedOut`, `URLErrorTimedOut`.
  /// - Returns: The entry, or `nil` when no name fits or when a part fits several.
  public static func entry(named name: String) -> NetworkErrorEntry? {
    let wanted = name.lowercased()
    if let exact = byName[wanted] { return exact }
    guard !wanted.isEmpty else { return nil }
    for prefix in ["kcfurlerror", "nsurlerror", "kcf", "ns", "kcferror", "nsnetservices"] {
      if let entry = byName[prefix + wanted] { return entry }
    }
    let suffixed = Set(byName.filter { $0.key.hasSuffix(wanted) }.map(\.value))
    return suffixed.count == 1 ? suffixed.first : nil
  }
}
