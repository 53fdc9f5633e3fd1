internal import SystemIO
internal import Synchronization

/// Puts whole files under their names, whatever stands there, by the rules of the options.
struct FilePlacement: Sendable {
  /// What to do about a name.
  enum Decision: Equatable {
    /// Make a file that must not exist yet.
    case create(String)
    /// Put a new file in the place of the old one.
    case replace(String)
    /// Leave everything as it is.
    case skip
  }

  let options: ExtractionOptions
  /// The process's file creation mask.
  let mask: UInt32
  // One question at a time.
  let asking = AskLock()

  final class AskLock: Sendable {
    let mutex = Mutex(())
  }

  /// Whether times of existing files decide.
  var compares: Bool { options.onlyReplacesOlder || options.onlyFreshens }

  /// Whether the disk is looked at before an entry is decoded, rather than after.
  var asksFirst: Bool {
    if compares { return true }
    return switch options.existing {
    case .fail, .replace, .rename: false
    case .skip, .ask: true
    }
  }

  /// Decides about a name that may be taken.
  ///
  /// - Throws: ``ZipError``: `target-exists`, `target-unusable`, `write`.
  func decide(
    _ leaf: String, path: String, in directory: borrowing FileDescriptor, modified: FileTime
  ) throws(ZipError) -> Decision {
    guard let status = try Self.status(leaf, in: directory) else {
      return options.onlyFreshens ? .skip : .create(leaf)
    }
    if options.onlyReplacesOlder || options.onlyFreshens,
      modified.seconds <= status.modified.seconds
    {
      return .skip
    }
    if case .rename = options.existing { return .create(try freeName(leaf, in: directory)) }
    guard status.kind != .directory else { throw .targetIsDirectory() }
    switch options.existing {
    case .fail, .rename: throw .targetExists()
    case .skip: return .skip
    case .replace: return .replace(leaf)
    case .ask(let question):
      let answer = asking.mutex.withLock { _ in question(path) }
      switch answer {
      case .skip: return .skip
      case .replace: return .replace(leaf)
      case .rename(let name):
        guard !name.isEmpty, !name.utf8.contains(UInt8(ascii: "/")), name != ".", name != ".."
        else {
          throw .nameEscapes()
        }
        return try Self.status(name, in: directory) == nil ? .create(name) : .replace(name)
      }
    }
  }

  private static func status(
    _ leaf: String, in directory: borrowing FileDescriptor
  ) throws(ZipError) -> FileStatus? {
    do {
      return try FileSystem.status(leaf, in: directory, followLinks: false)
    } catch  where error.isAbsent {
      return nil
    } catch {
      throw .placing(error)
    }
  }

  private func freeName(
    _ leaf: String, in directory: borrowing FileDescriptor
  ) throws(ZipError) -> String {
    for count in 2..<100_000 {
      let name = UniqueName.numbered(leaf, count)
      if try Self.status(name, in: directory) == nil { return name }
    }
    throw .targetExists()
  }

  // MARK: Small files

  /// Writes verified bytes into a file that did not exist, and tells of trouble with its mode or times.
  ///
  /// - Returns: false when the name is taken after all.
  func create(
    _ leaf: String, _ bytes: UnsafeRawBufferPointer, _ attributes: FileAttributes,
    in directory: borrowing FileDescriptor, _ trouble: inout ZipError?
  ) throws(ZipError) -> Bool {
    let file: FileDescriptor
    do {
      file = try directory.open(
        leaf, [.writeOnly, .create, .exclusive, .noFollow], mode: attributes.mode)
    } catch  where error.isExisting {
      return false
    } catch {
      throw .placing(error)
    }
    do {
      if bytes.count > 0 {
        if options.writesSparse {
          try unsafe SparseWriter.write(bytes, to: file, at: 0)
          try file.truncate(to: UInt64(bytes.count))
        } else {
          try unsafe file.write(bytes)
        }
      }
      apply(attributes, to: file, &trouble)
      try file.close()
    } catch {
      // A file that is not whole must not keep its name.
      try? FileSystem.unlink(leaf, in: directory)
      throw .placing(error)
    }
    return true
  }

  /// Sets mode, times and owner of an open file; what does not work is no reason to lose it.
  func apply(
    _ attributes: FileAttributes, to file: borrowing FileDescriptor, _ trouble: inout ZipError?
  ) {
    if let owner = attributes.owner {
      // Only root may give files away.
      try? file.setOwner(user: owner.user, group: owner.group)
    }
    do {
      if attributes.isExact,
        attributes.mode & mask != 0 || attributes.mode & 0o7000 != 0
          || attributes.owner != nil
      {
        try file.setMode(attributes.mode)
      }
    } catch {
      trouble = .metadata(error)
    }
    do {
      if let modified = attributes.modified {
        try file.setTimes(access: attributes.accessed ?? modified, modification: modified)
      }
    } catch {
      trouble = .metadata(error)
    }
  }

  // MARK: Temporary files

  private static let serial = Atomic<UInt64>(0)

  /// A name for a file that is not whole yet, beside its place.
  static func temporaryName() -> String {
    let number = serial.wrappingAdd(1, ordering: .relaxed).newValue
    return ".unzip-\(Environment.processID)-\(number).part"
  }

  /// Writes verified bytes beside a file and puts them in its place.
  func replace(
    _ leaf: String, _ bytes: UnsafeRawBufferPointer, _ attributes: FileAttributes,
    in directory: borrowing FileDescriptor, _ trouble: inout ZipError?
  ) throws(ZipError) {
    let temporary = Self.temporaryName()
    guard try unsafe create(temporary, bytes, attributes, in: directory, &trouble) else {
      throw .targetExists()
    }
    _ = try settle(temporary, .replace(leaf), in: directory)
  }

  /// Gives a whole temporary file its name.
  ///
  /// - Returns: The name it got; nil when the name was taken and may not be, with the file gone.
  func settle(
    _ temporary: String, _ decision: Decision, in directory: borrowing FileDescriptor
  ) throws(ZipError) -> Bool {
    do {
      switch decision {
      case .create(let name):
        try FileSystem.rename(temporary, to: name, in: directory, .keepExisting)
      case .replace(let name):
        try replace(temporary, name, in: directory)
      case .skip:
        try FileSystem.unlink(temporary, in: directory)
      }
      return true
    } catch {
      if error.isExisting { return false }
      try? FileSystem.unlink(temporary, in: directory)
      throw .placing(error)
    }
  }

  private func replace(
    _ temporary: String, _ name: String, in directory: borrowing FileDescriptor
  ) throws(SystemError) {
    let isKept = options.keepsBackup ? try keepBackup(name, in: directory) : false
    do {
      try FileSystem.rename(temporary, to: name, in: directory)
    } catch {
      // The old file is not lost from its place for the sake of one that does not come.
      if isKept { try? FileSystem.rename(name + "~", to: name, in: directory) }
      throw error
    }
  }

  /// Returns whether there was a file to keep.
  private func keepBackup(
    _ name: String, in directory: borrowing FileDescriptor
  ) throws(SystemError) -> Bool {
    do {
      try FileSystem.rename(name, to: name + "~", in: directory)
      return true
    } catch  where error.isAbsent {
      return false
    }
  }

  // MARK: Links

  /// Makes a symbolic link, and tells of trouble with its times.
  ///
  /// - Returns: false when the name is taken.
  func link(
    _ leaf: String, to target: String, modified: FileTime?, in directory: borrowing FileDescriptor,
    _ trouble: inout ZipError?
  ) throws(ZipError) -> Bool {
    do {
      try FileSystem.makeSymbolicLink(leaf, to: target, in: directory)
    } catch  where error.isExisting {
      return false
    } catch {
      throw .placing(error)
    }
    do {
      if let modified {
        try FileSystem.setTimes(leaf, in: directory, access: modified, modification: modified)
      }
    } catch {
      trouble = .metadata(error)
    }
    return true
  }
}

/// Writes bytes and leaves out runs of zeros, which then are holes.
enum SparseWriter {
  /// The size of runs looked at, that of a page and of most file systems' blocks.
  static let block = 4096

  static func write(
    _ bytes: UnsafeRawBufferPointer, to file: borrowing FileDescriptor, at offset: UInt64
  ) throws(SystemError) {
    var start = 0
    while start < bytes.count {
      let end = min(start + block, bytes.count)
      if unsafe isZero(bytes, start, end) {
        start = end
        continue
      }
      var stop = end
      while stop < bytes.count,
        unsafe !isZero(bytes, stop, min(stop + block, bytes.count))
      {
        stop = min(stop + block, bytes.count)
      }
      try unsafe file.write(
        UnsafeRawBufferPointer(rebasing: bytes[start..<stop]), at: offset + UInt64(start))
      start = stop
    }
  }

  // Eight bytes at a time; the first that are not zero end it.
  private static func isZero(_ bytes: UnsafeRawBufferPointer, _ start: Int, _ end: Int) -> Bool {
    var place = start
    while place + 8 <= end {
      guard unsafe bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self) == 0 else {
        return false
      }
      place += 8
    }
    while place < end {
      guard unsafe bytes[place] == 0 else { return false }
      place += 1
    }
    return true
  }
}
