/// The textual side of paths: no look at the disk.
package enum Path {
  /// What stands before the last component: `"."` for a bare name, `"/"` for the root.
  package static func parent(of path: String) -> String {
    let trimmed = trimmingSlashes(path)
    guard let slash = trimmed.lastIndex(of: "/") else { return trimmed == "/" ? "/" : "." }
    let parent = trimmingSlashes(String(trimmed[..<slash]))
    return parent.isEmpty ? "/" : parent
  }

  /// The last component; empty for the root.
  package static func name(of path: String) -> String {
    let trimmed = trimmingSlashes(path)
    guard let slash = trimmed.lastIndex(of: "/") else { return trimmed }
    return String(trimmed[trimmed.index(after: slash)...])
  }

  /// A name's part before its extension, and the extension without its dot.
  ///
  /// A leading dot starts no extension: `.profile` has none.
  package static func split(name: String) -> (stem: String, pathExtension: String) {
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex,
      name.index(after: dot) != name.endIndex
    else { return (name, "") }
    return (String(name[..<dot]), String(name[name.index(after: dot)...]))
  }

  /// Joins a directory and a path below it; an absolute second part wins.
  package static func join(_ directory: String, _ path: String) -> String {
    if path.hasPrefix("/") || directory.isEmpty { return path }
    return directory.hasSuffix("/") ? directory + path : "\(directory)/\(path)"
  }

  private static func trimmingSlashes(_ path: String) -> String {
    var path = path[...]
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    return String(path)
  }
}
