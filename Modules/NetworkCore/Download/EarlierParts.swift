import Synchronization
import SystemIO

/// Finds the parts that earlier runs left in a directory, by the URL that they began at.
///
/// A directory is read once: a batch into a directory of many files would else read all of it for
/// each.
final class EarlierParts: Sendable {
  /// By directory, then by URL.
  private let known = Mutex<[String: [String: String]]>([:])

  /// The part of a URL, without secrets, in a directory; may be gone again.
  func part(of url: String, in directory: String) -> String? {
    known.withLock { known in
      if let parts = known[directory] { return parts[url] }
      let parts = Self.read(directory)
      known[directory] = parts
      return parts[url]
    }
  }

  private static func read(_ directory: String) -> [String: String] {
    let suffix = PartName.suffix + PartName.journalSuffix
    let names = (try? FileSystem.names(in: directory)) ?? []
    var parts: [String: String] = [:]
    for name in names.filter({ $0.hasSuffix(suffix) }).sorted() {
      let part = Path.join(directory, String(name.dropLast(PartName.journalSuffix.count)))
      guard FileSystem.exists(part), let state = try? JournalFile.load(PartName.journal(of: part)),
        let origin = state.origin.first, parts[origin] == nil
      else { continue }
      parts[origin] = part
    }
    return parts
  }
}
