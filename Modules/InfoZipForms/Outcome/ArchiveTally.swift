/// What is said after several archives.
package struct ArchiveTally {
  private var statuses: [UnzipStatus] = []

  /// Counts nothing yet.
  package init() {}

  /// Counts an archive.
  package mutating func append(_ status: UnzipStatus) { statuses.append(status) }

  /// The worst of all statuses.
  package var status: UnzipStatus { statuses.reduce(.success) { $0.worse($1) } }

  /// The lines, each kind of outcome counted; none for a single archive.
  package var lines: [String] {
    guard statuses.count > 1 else { return [] }
    let kinds: [(count: Int, one: String, many: String)] = [
      (
        statuses.count { $0 == .success }, "archive was successfully processed.",
        "archives were successfully processed."
      ),
      (
        statuses.count { $0 == .warning }, "archive had warnings but no fatal errors.",
        "archives had warnings but no fatal errors."
      ),
      (
        statuses.count { $0.code > 1 && $0 != .noArchive }, "archive had fatal errors.",
        "archives had fatal errors."
      ),
      (
        statuses.count { $0 == .noArchive }, "file had no zipfile directory.",
        "files had no zipfile directory."
      ),
    ]
    return [""]
      + kinds.filter { $0.count > 0 }.map { "\($0.count) \($0.count == 1 ? $0.one : $0.many)" }
  }
}
