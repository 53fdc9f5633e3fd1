internal import SystemIO

/// Where a document's bytes come from.
public struct PDFSource: Sendable {
  enum Kind: Sendable {
    case path(String)
    case descriptor(Int32)
    case bytes([UInt8])
  }

  let kind: Kind
  /// What errors call the document.
  public let name: String

  private init(_ kind: Kind, name: String) {
    self.kind = kind
    self.name = name
  }

  /// A file by its path.
  public static func path(_ path: String) -> PDFSource {
    PDFSource(.path(path), name: path)
  }

  /// An open file, which the caller keeps open until the document is open and closes afterwards.
  ///
  /// A pipe is read to its end; a regular file is read from its start whatever its position is.
  public static func descriptor(_ descriptor: Int32, name: String = "descriptor") -> PDFSource {
    PDFSource(.descriptor(descriptor), name: name)
  }

  /// Bytes in memory.
  public static func bytes(_ bytes: [UInt8], name: String = "memory") -> PDFSource {
    PDFSource(.bytes(bytes), name: name)
  }

  /// The greatest number of bytes read: poppler's offsets are 32-bit in places.
  static let greatestByteCount: UInt64 = 2_000_000_000

  /// Reads everything into memory, so that a file that changes later harms nobody.
  func read() throws(PDFError) -> DocumentBytes {
    switch kind {
    case .bytes(let bytes):
      return DocumentBytes(copying: bytes)
    case .descriptor(let raw):
      return try Self.read(FileDescriptor(borrowing: raw))
    case .path(let path):
      let file: FileDescriptor
      do {
        // Non-blocking, so that a FIFO without a writer does not hang; regular files do not care.
        file = try FileDescriptor.open(path, [.readOnly, .nonBlocking])
      } catch {
        throw .unreadable(cause: error.reason)
      }
      return try Self.read(file, mustBeRegular: true)
    }
  }

  private static func read(
    _ file: borrowing FileDescriptor, mustBeRegular: Bool = false
  ) throws(PDFError) -> DocumentBytes {
    do {
      let status = try file.status()
      switch status.kind {
      case .regular: return try readRegular(file, size: status.size)
      case .directory: throw PDFError.directory()
      default:
        guard !mustBeRegular else { throw PDFError.notRegular() }
        return DocumentBytes(copying: try file.readToEnd(limit: Int(greatestByteCount)))
      }
    } catch let error as PDFError {
      throw error
    } catch let error as SystemError {
      throw .unreadable(cause: error.reason)
    } catch {
      throw .unreadable(cause: "\(error)")
    }
  }

  private static func readRegular(
    _ file: borrowing FileDescriptor, size: UInt64
  ) throws(PDFError) -> DocumentBytes {
    guard size <= greatestByteCount else {
      throw .tooManyBytes(size, limit: greatestByteCount)
    }
    return try unsafe DocumentBytes(count: Int(size)) { buffer throws(PDFError) in
      let count: Int
      do throws(SystemError) {
        count = try unsafe file.readFully(into: buffer, at: 0)
      } catch {
        throw .unreadable(cause: error.reason)
      }
      guard count == buffer.count else { throw .changed(expected: size, found: UInt64(count)) }
    }
  }
}
