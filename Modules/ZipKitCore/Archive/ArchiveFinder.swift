internal import SystemIO

/// Finds archives as Info-ZIP does: the name itself, with wildcards, with `.zip` behind it.
package enum ArchiveFinder {
  /// The paths that a name stands for; empty when there is none.
  package static func find(_ name: String) -> [String] {
    if name == "-" || isFile(name) { return [name] }
    if name.contains(where: { "*?[".contains($0) }) {
      let directory = Path.parent(of: name)
      let pattern = NamePattern(Path.name(of: name))
      let names = (try? FileSystem.names(in: directory)) ?? []
      let found = names.filter { pattern.matches($0) && !$0.hasPrefix(".") }.sorted()
        .map { Path.hasSlash(name) ? Path.join(directory, $0) : $0 }.filter(isFile)
      if !found.isEmpty { return found }
    }
    return [name + ".zip", name + ".ZIP"].first(where: isFile).map { [$0] } ?? []
  }

  private static func isFile(_ path: String) -> Bool {
    guard let status = try? FileSystem.status(path) else { return false }
    return status.kind != .directory
  }

  /// The bytes behind a path; standard input is put into a nameless file first, as an archive is read
  /// from its end.
  package static func source(_ path: String) throws -> any ArchiveSource {
    if path != "-" { return try SplitSource.open(path: path) }
    let standard = FileDescriptor(borrowing: 0)
    if let source = try? FileSource(descriptor: 0) { return source }
    let spool = try FileDescriptor.open(
      Environment["TMPDIR"] ?? "/tmp", [.temporary, .readWrite], mode: 0o600)
    var buffer = [UInt8](repeating: 0, count: 1 << 18)
    while true {
      let count = try unsafe buffer.withUnsafeMutableBytes { try unsafe standard.read(into: $0) }
      if count == 0 { break }
      try unsafe buffer.withUnsafeBytes {
        try unsafe spool.write(UnsafeRawBufferPointer(rebasing: $0[..<count]))
      }
    }
    return try FileSource(descriptor: spool.raw)
  }
}
