internal import Dialogue
internal import InfoZipForms
internal import SystemIO
internal import ZipKitCore

// What is told of an archive without a look into its entries.
extension ArchiveJob {
  func list(_ archive: ZipArchive, _ wanted: EntrySelection) throws {
    if voice.isJSON {
      listJSON(archive, wanted)
      return
    }
    var listing = TableListing(
      isVerbose: request.action == .verboseList, lowercases: options.lowercases)
    let isBare = voice.quietness > 1
    if !isBare { try voice.write(listing.head) }
    try voice.table(wanted) { entry, name, output in
      let comment = voice.quietness == 0 && entry.commentLength > 0 ? entry.comment : ""
      listing.append(entry, name: name, comment: voice.shownLines(comment), to: &output)
    }
    if !isBare { try voice.write(listing.foot) }
  }

  func stamp(_ archive: ZipArchive) throws -> UnzipStatus {
    let newest = archive.entries.lazy.filter { $0.kind != .directory }.map(\.modified).max()
    guard let newest, path != "-" else { return .warning }
    do {
      let file = try FileDescriptor.open(path)
      let time = FileTime(seconds: newest.seconds, nanoseconds: Int64(newest.nanoseconds))
      try file.setTimes(access: time, modification: time)
    } catch {
      frontEnd.error(path, "expected to set its time, found \"\(error.reason)\"")
      return .error
    }
    if voice.quietness == 0 { frontEnd.result("Updated time stamp for \(voice.shown(path)).") }
    return .success
  }
}
