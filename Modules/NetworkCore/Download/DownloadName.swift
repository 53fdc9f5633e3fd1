import SystemIO

/// Chooses the name of a file that the caller did not name.
enum DownloadName {
  /// The server's name made safe, else the URL's last segment, else `download`.
  ///
  /// Leaves room for the endings of part and journal.
  static func choose(head: ResponseHead, url: String) -> String {
    let named = head["content-disposition"].flatMap { ContentDisposition($0).fileName }
    let room = SafeFileName.byteLimit - PartName.journal(of: PartName.suffix).utf8.count
    return SafeFileName.choose(serverName: named, url: url, limit: room)
  }

  /// The path, and those tried in its place where it is taken: `name (1).ext`.
  ///
  /// A name that would be too long is cut between two characters before its number.
  static func candidates(_ path: String) -> some Sequence<String> {
    let (stem, suffix) = Path.split(name: Path.name(of: path))
    return (0..<10_000).lazy.map { number in
      guard number > 0 else { return path }
      let tail = " (\(number))" + (suffix.isEmpty ? "" : "." + suffix)
      var kept = stem
      while kept.utf8.count + tail.utf8.count > SafeFileName.byteLimit, !kept.isEmpty {
        kept.removeLast()
      }
      return Path.join(Path.parent(of: path), kept + tail)
    }
  }
}
