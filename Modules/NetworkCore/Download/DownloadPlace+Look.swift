import SystemIO

// What a download would find, with nothing opened, made or locked for longer than a moment.
extension DownloadPlace {
  /// A name and what stands under it.
  struct Prospect: Sendable {
    /// Where the file would be, `-` for standard output.
    var path: String
    var outlook: Outlook
    /// What an earlier run has left, where it belongs to this download.
    var version = FileVersion()
    var stored = ByteRanges()

    /// The part that the bytes would go to first; `nil` for a device.
    var part: String? { outlook == .device ? nil : PartName.part(of: path) }
  }

  /// Looks at the target; `nil` where the server has to name the file first.
  func look() throws(TransferProblem) -> Prospect? {
    switch target {
    case .standardOutput: return Prospect(path: "-", outlook: .device)
    case .file(let path): return try look(at: path)
    case .directory(let directory):
      try checkWritable(directory)
      guard options.resumes, let part = earlierPart(in: directory) else { return nil }
      return try look(at: String(part.dropLast(PartName.suffix.count)))
    }
  }

  /// Looks at a name that the server gave.
  func look(named name: String) throws(TransferProblem) -> Prospect {
    guard case .directory(let directory) = target else { throw .targetIsNotAFile(path: name) }
    var prospect = try look(at: Path.join(directory, name))
    // Bytes that were not asked about cannot be combined with the answer.
    (prospect.version, prospect.stored) = (FileVersion(), ByteRanges())
    return prospect
  }

  private func look(at path: String) throws(TransferProblem) -> Prospect {
    var prospect = Prospect(path: path, outlook: try outlook(path))
    if case .taken = prospect.outlook { return prospect }
    guard let part = prospect.part else { return prospect }
    try checkWritable(Path.parent(of: path))
    do {
      if let known = try knownState(part), let status = try? FileSystem.status(part) {
        prospect.version = known.version
        prospect.stored = known.proven(bootID: currentBootID(), partSize: status.size)
      }
    } catch {
      throw problem(error, part)
    }
    if PartialDownload(part)?.isInUse == true { throw problem(.inUse, part) }
    if prospect.outlook == .givesWay, options.existing == .rename {
      prospect.path =
        DownloadName.candidates(path).first { !FileSystem.exists($0) } ?? path
    }
    return prospect
  }

  private func checkWritable(_ directory: String) throws(TransferProblem) {
    do {
      try FileSystem.checkWritable(directory: directory)
    } catch {
      throw .file(.create, path: directory, SystemCode(rawValue: error.errno))
    }
  }

  /// Whether the rest of a file has room beside its name.
  func checkRoom(for total: UInt64, at prospect: Prospect) throws(TransferProblem) {
    guard let part = prospect.part else { return }
    let there = (try? FileSystem.status(part))?.allocated ?? 0
    let needed = total - min(total, there)
    let free = try? FileDescriptor.open(Path.parent(of: part), [.directory]).freeSpace()
    guard let free, free < needed else { return }
    throw .noSpace(path: part, needed: total, available: free)
  }
}
