import SystemIO

/// Where a download lands: found before the first request, or once the server has named the file.
struct DownloadPlace {
  /// What was found at the start.
  enum Finding {
    /// The place is open.
    case open(OpenPlace)
    /// The server has to name the file first.
    case unnamed
    /// There is a file already, and it is to stay.
    case skip(path: String, size: UInt64)
  }

  let target: DownloadTarget
  let url: String
  let options: DownloadOptions
  var earlier = EarlierParts()

  /// Looks at the target before anything is requested.
  func find() throws(TransferProblem) -> Finding {
    switch target {
    case .file(let path): return try open(path)
    case .standardOutput:
      let store = StreamStore(FileDescriptor(borrowing: 1), path: "standard output")
      return .open(OpenPlace(path: "-", part: nil, store: store))
    case .directory(let directory):
      do {
        try FileSystem.checkWritable(directory: directory)
      } catch {
        throw .file(.create, path: directory, SystemCode(rawValue: error.errno))
      }
      guard options.resumes, let part = earlierPart(in: directory) else { return .unnamed }
      return try open(String(part.dropLast(PartName.suffix.count)))
    }
  }

  /// Opens the place for a name that the server gave.
  func open(inDirectory directory: String, name: String) throws(TransferProblem) -> Finding {
    try open(Path.join(directory, name))
  }

  private func open(_ path: String) throws(TransferProblem) -> Finding {
    switch try outlook(path) {
    case .taken(let size): .skip(path: path, size: size)
    case .device: .open(try openDevice(path))
    case .free, .givesWay: .open(try openPart(path))
    }
  }

  /// What stands under a name, as far as it matters here.
  enum Outlook: Equatable {
    case free
    /// A file that is to be replaced, or to keep its name.
    case givesWay
    /// A file that stays, or is compared.
    case taken(size: UInt64)
    case device
  }

  /// Looks at a name without changing anything.
  func outlook(_ path: String) throws(TransferProblem) -> Outlook {
    // The part has a shorter name: only the move at the end would tell.
    guard Path.name(of: path).utf8.count <= SafeFileName.byteLimit else {
      throw .file(.create, path: path, .nameTooLong)
    }
    if let status = try? FileSystem.status(path, followLinks: false) {
      switch status.kind {
      case .directory: throw .targetIsNotAFile(path: path)
      case .regular, .symbolicLink:
        switch options.existing {
        case .fail where options.checksums.isEmpty: throw .targetExists(path: path)
        case .fail, .skip: return .taken(size: status.size)
        case .replace, .rename: return .givesWay
        }
      default: return .device
      }
    }
    guard !Path.namesDirectory(path), !Path.name(of: path).isEmpty else {
      throw .targetIsNotAFile(path: path)
    }
    return .free
  }

  private func openDevice(_ path: String) throws(TransferProblem) -> OpenPlace {
    do {
      let file = try FileDescriptor.open(path, [.writeOnly, .noFollow])
      return OpenPlace(path: path, part: nil, store: StreamStore(file, path: path))
    } catch {
      throw .file(.open, path: path, SystemCode(rawValue: error.errno))
    }
  }

  private func openPart(_ path: String) throws(TransferProblem) -> OpenPlace {
    let partPath = PartName.part(of: path)
    do {
      let known = try knownState(partPath)
      let part = try PartFile(partPath, resuming: known)
      return OpenPlace(path: path, part: part, store: part)
    } catch {
      throw problem(error, partPath)
    }
  }

  func problem(_ failure: PartFailure, _ partPath: String) -> TransferProblem {
    switch failure {
    case .inUse:
      let state = try? JournalFile.load(PartName.journal(of: partPath))
      return .partInUse(path: partPath, processID: state?.processID, removing: false)
    case .ofAnother(let url): return .partOfAnother(path: partPath, url: url)
    case .open(let error):
      return .file(.create, path: partPath, SystemCode(rawValue: error.errno))
    }
  }

  /// What an earlier run's journal proves, where it is about this very file.
  func knownState(_ partPath: String) throws(PartFailure) -> JournalState? {
    guard let status = try? FileSystem.status(partPath, followLinks: false) else { return nil }
    let journalPath = PartName.journal(of: partPath)
    let known: JournalState?
    do {
      known = try JournalFile.load(journalPath)
    } catch {
      throw .open(error)
    }
    let isOurs =
      known.map { $0.origin.isEmpty || $0.origin.first == URLRedaction.redact(url) }
      ?? FileSystem.exists(journalPath)
    guard isOurs || options.adoptsOtherURL else {
      // The part of another download, or no part at all: not ours to overwrite unasked.
      guard status.size < PartFile.journalThreshold else {
        throw .ofAnother(url: known?.origin.first)
      }
      return nil
    }
    return options.resumes ? known.map(comparable) : nil
  }

  /// Entity tags and times mean nothing to another server: there the sizes and the bytes at the joins tell.
  private func comparable(_ known: JournalState) -> JournalState {
    var known = known
    if let before = known.origin.first, TransferURL.host(before) != TransferURL.host(url) {
      known.version = FileVersion(total: known.version.total)
    }
    return known
  }

  /// The part of an earlier run whose journal names this URL.
  func earlierPart(in directory: String) -> String? {
    earlier.part(of: URLRedaction.redact(url), in: directory)
  }
}

/// A place that takes bytes.
struct OpenPlace: Sendable {
  var path: String
  /// `nil` for a device.
  var part: PartFile?
  var store: any DownloadStore
  /// The store, where it is a device.
  var stream: StreamStore? { store as? StreamStore }
}
