internal import Synchronization
internal import SystemIO

/// An open document file, held by the parent and lent to the workers that read it.
final class DocumentFile: Sendable {
  /// What errors call the document.
  let name: String
  /// The file; a regular one or memory.
  let descriptor: FileDescriptor
  /// Its size in bytes when it was opened.
  let size: UInt64
  /// The password, when one was given.
  let password: String?
  private let status: FileStatus
  /// How far the copy that workers share is, and what pages cost.
  let sharing: Mutex<Sharing>

  /// Opens what `source` names; bytes and pipes go into memory of a fixed content.
  ///
  /// - Throws: ``PDFError/Code/unreadable``, ``PDFError/Code/notAPDF`` for an empty file or
  ///   ``PDFError/Code/limitExceeded``.
  init(_ source: PDFSource, password: String?) throws(PDFError) {
    name = source.name
    self.password = password
    do throws(PDFError) {
      descriptor = try PDFError.mapping({ .unreadable(cause: $0) }) { try Self.open(source) }
    } catch {
      throw error.about(source.name)
    }
    guard let status = try? descriptor.status() else {
      throw PDFError.unreadable(cause: "fstat").about(source.name)
    }
    self.status = status
    size = status.size
    sharing = Mutex(
      Sharing(
        judgement: PreparationJudgement(bytes: status.size, objects: 0)))
    guard size > 0 else { throw PDFError.empty().about(name) }
    guard size <= PDFSource.greatestByteCount else {
      throw PDFError.tooManyBytes(size, limit: PDFSource.greatestByteCount).about(name)
    }
  }

  /// Whether the file still is what it was when it was opened; its name may be gone.
  var isUnchanged: Bool {
    guard let now = try? descriptor.status() else { return false }
    return now.size == status.size && now.modified == status.modified
  }

  private static func open(_ source: PDFSource) throws -> FileDescriptor {
    switch source.kind {
    case .bytes(let bytes): return try memory(bytes)
    case .path(let path):
      // Non-blocking, so that a FIFO without a writer does not hang; regular files do not care.
      let file = try FileDescriptor.open(path, [.readOnly, .nonBlocking])
      switch try file.status().kind {
      case .regular: return file
      case .directory: throw PDFError.directory()
      default: throw PDFError.notRegular()
      }
    case .descriptor(let raw):
      let file = FileDescriptor(borrowing: raw)
      switch try file.status().kind {
      case .regular: return try file.duplicate()
      case .directory: throw PDFError.directory()
      default: return try memory(file.readToEnd(limit: Int(PDFSource.greatestByteCount)))
      }
    }
  }

  private static func memory(_ bytes: [UInt8]) throws(SystemError) -> FileDescriptor {
    let file = try FileDescriptor.memory(named: "document")
    try file.write(bytes)
    try file.seal([.shrink, .grow, .write, .further])
    return file
  }
}
