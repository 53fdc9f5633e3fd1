import SystemIO

/// A table of tab-separated facts that lies outside the package and may be absent.
///
/// It is looked for in `../shared/reference` beside the package, in the directory that
/// `COURIER_REFERENCE` names, and beside the one that `COURIER_CORPUS` names.
struct ReferenceTable {
  let rows: [[String: String]]

  init?(_ name: String) {
    guard let path = Self.find(name), let file = try? FileDescriptor.open(path),
      let bytes = try? file.readToEnd(limit: 1 << 20)
    else { return nil }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    guard let header = lines.first?.split(separator: "\t", omittingEmptySubsequences: false) else {
      return nil
    }
    rows = lines.dropFirst().map { line in
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      return Dictionary(
        zip(header.map(String.init), fields), uniquingKeysWith: { first, _ in first })
    }
  }

  /// Whether the table is there.
  static func isPresent(_ name: String) -> Bool { find(name) != nil }

  private static func find(_ name: String) -> String? {
    let package = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
      .joined(separator: "/")
    var folders = [package + "/../shared/reference"]
    if let folder = Environment["COURIER_REFERENCE"] { folders.insert(folder, at: 0) }
    if let corpus = Environment["COURIER_CORPUS"] { folders.append(corpus + "/../reference") }
    return folders.map { $0 + "/" + name }.first { (try? FileDescriptor.open($0)) != nil }
  }
}
