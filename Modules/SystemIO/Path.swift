/// The textual side of paths: no look at the disk.
///
/// Paths are taken apart by bytes, as the kernel does: a slash with an accent behind it is one `Character` that is no
/// slash.
package enum Path {
  private static let slash = UInt8(ascii: "/")
  private static let dot = UInt8(ascii: ".")

  /// What stands before the last component: `"."` for a bare name, `"/"` for the root.
  package static func parent(of path: String) -> String {
    let trimmed = trimmingSlashes(path[...])
    guard let end = trimmed.utf8.lastIndex(of: slash) else { return "." }
    let parent = trimmingSlashes(trimmed[..<end])
    return parent.isEmpty ? "/" : String(parent)
  }

  /// The last component; empty for the root.
  package static func name(of path: String) -> String {
    let trimmed = trimmingSlashes(path[...])
    guard let end = trimmed.utf8.lastIndex(of: slash) else { return String(trimmed) }
    return String(trimmed[trimmed.utf8.index(after: end)...])
  }

  /// A name's part before its extension, and the extension without its dot.
  ///
  /// A leading dot starts no extension: `.profile` has none.
  package static func split(name: String) -> (stem: String, pathExtension: String) {
    guard let end = name.utf8.lastIndex(of: dot), end != name.startIndex,
      name.utf8.index(after: end) != name.endIndex
    else { return (name, "") }
    return (String(name[..<end]), String(name[name.utf8.index(after: end)...]))
  }

  /// Joins a directory and a path below it; an absolute second part wins.
  package static func join(_ directory: String, _ path: String) -> String {
    if isAbsolute(path) || directory.isEmpty { return path }
    return namesDirectory(directory) ? directory + path : "\(directory)/\(path)"
  }

  /// Whether a path starts from the root.
  package static func isAbsolute(_ path: String) -> Bool { path.utf8.first == slash }

  /// Whether a path ends with a slash, and so can be a directory's only.
  package static func namesDirectory(_ path: String) -> Bool { path.utf8.last == slash }

  /// Whether a path has more than one component, or is absolute.
  package static func hasSlash(_ path: String) -> Bool { path.utf8.contains(slash) }

  private static func trimmingSlashes(_ path: Substring) -> Substring {
    var end = path.endIndex
    while end != path.startIndex {
      let last = path.utf8.index(before: end)
      guard last != path.startIndex, path.utf8[last] == slash else { break }
      end = last
    }
    return path[..<end]
  }
}
