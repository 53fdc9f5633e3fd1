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
}
