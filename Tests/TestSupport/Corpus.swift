import SystemIO

/// Documents and archives from elsewhere, which tests use where they are and do without where they are not.
///
/// The folder is `COURIER_CORPUS`, or `../shared/corpus` beside the package.
package enum Corpus {
  /// The folder, or `nil` when it is not there.
  package static let folder: String? = {
    if let named = Environment["COURIER_CORPUS"] { return isFolder(named) ? named : nil }
    var package = Path.parent(of: #filePath)
    for _ in 0..<2 { package = Path.parent(of: package) }
    let beside = Path.join(Path.parent(of: package), "shared/corpus")
    return isFolder(beside) ? beside : nil
  }()

  /// Why tests that need it are skipped.
  package static let absence = "expected a corpus at COURIER_CORPUS or ../shared/corpus, found none"

  /// The files below a folder of the corpus whose names end in `suffix`, sorted.
  package static func files(below name: String, suffix: String) -> [String] {
    guard let folder else { return [] }
    var found: [String] = []
    var folders = [Path.join(folder, name)]
    while let next = folders.popLast() {
      for entry in (try? FileSystem.names(in: next)) ?? [] {
        let path = Path.join(next, entry)
        if isFolder(path) {
          folders.append(path)
        } else if entry.hasSuffix(suffix) {
          found.append(path)
        }
      }
    }
    return found.sorted()
  }

  private static func isFolder(_ path: String) -> Bool {
    (try? FileSystem.status(path).kind) == .directory
  }
}
