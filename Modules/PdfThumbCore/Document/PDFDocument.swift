/// An open PDF document, read by poppler.
///
/// It has one owner and is used by one thread at a time: whatever reads from it is `mutating`, so the
/// compiler refuses two uses at once. All of it blocks; poppler reads hostile bytes and can neither be
/// stopped nor bounded from outside, so documents of unknown origin belong in a worker process.
@safe
public struct PDFDocument: ~Copyable, Sendable {
  /// What errors call the document.
  public let name: String
  /// The number of pages, at least 1.
  public let pageCount: Int

  var handle: PopplerDocumentHandle
  /// What ``handle`` was before its tree of pages was rebuilt.
  var unbuilt: PopplerDocumentHandle?
  var bytes: DocumentBytes
  /// Whether ``bytes`` are a copy without the encryption of the original.
  let wasLocked: Bool
  var structure: DocumentStructure
  /// What ``handle`` reads: the original, or a copy.
  var copy = DrawingCopy()
  /// The document itself, while a copy of some of its pages is in its place.
  var whole: WholeDocument?
  /// What was known of the document before a copy took its place.
  var original: OriginalFacts?

  /// Opens a document.
  ///
  /// - Parameters:
  ///   - source: Where the bytes come from; they are read whole.
  ///   - password: The user's or the owner's password, when one is needed.
  /// - Throws: ``PDFError`` with ``PDFError/Code/unreadable``, ``PDFError/Code/notAPDF``,
  ///   ``PDFError/Code/damaged``, ``PDFError/Code/passwordNeeded``, ``PDFError/Code/passwordWrong``,
  ///   ``PDFError/Code/unsupportedEncryption`` or ``PDFError/Code/noPages``.
  public init(_ source: PDFSource, password: String? = nil) throws(PDFError) {
    do {
      try self.init(bytes: try source.read(), name: source.name, password: password)
    } catch {
      throw error.about(source.name)
    }
  }

  /// Opens a document out of memory that stays mapped as long as the process lives, with room right behind it that
  /// nobody else writes to.
  @unsafe
  package init(
    immortal memory: UnsafeRawBufferPointer, room: UnsafeMutableRawBufferPointer? = nil,
    name: String, password: String?
  ) throws(PDFError) {
    do {
      try self.init(
        bytes: unsafe DocumentBytes(immortal: memory, room: room), name: name, password: password)
    } catch {
      throw error.about(name)
    }
  }

  init(bytes: consuming DocumentBytes, name: String, password: String?) throws(PDFError) {
    guard bytes.count > 0 else { throw .empty() }
    PopplerLog.drain()
    let hasHeader = unsafe bytes.withBytes { unsafe Self.hasHeader($0) }
    var handle: PopplerDocumentHandle
    var wasLocked = false
    do {
      handle = try PopplerDocumentHandle(bytes: bytes)
    } catch  where error.code == .passwordNeeded && password != nil {
      bytes = try DocumentStructure.unlock(bytes, password: password ?? "")
      handle = try PopplerDocumentHandle(bytes: bytes)
      wasLocked = true
    } catch {
      throw Self.refine(error, hasHeader: hasHeader, messages: PopplerLog.drain())
    }
    var count = handle.pageCount()
    var changes = QPDFHandle.Changes()
    changes.rebuildsPages = count == 0 && hasHeader
    if changes.rebuildsPages, let copy = DocumentStructure(bytes: bytes.share()).copy(changes),
      let rebuilt = try? PopplerDocumentHandle(bytes: copy)
    {
      handle = rebuilt
      count = handle.pageCount()
    }
    PopplerLog.drain()
    guard count > 0 else { throw hasHeader ? .noPages() : .notAPDF() }
    self.name = name
    pageCount = count
    self.handle = handle
    structure = DocumentStructure(bytes: bytes.share())
    self.bytes = bytes
    self.wasLocked = wasLocked
    copy.changes = changes
    copy.wasRebuilt = changes.rebuildsPages
  }

  /// Readers accept junk before the header within the first 1024 bytes (ISO 32000-1, annex H.3).
  private static func hasHeader(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let wanted = Array("%PDF-".utf8)
    let window = unsafe Array(bytes.prefix(1024 + wanted.count))
    guard window.count >= wanted.count else { return false }
    return (0...window.count - wanted.count).contains { start in
      window[start..<start + wanted.count].elementsEqual(wanted)
    }
  }

  private static func refine(
    _ error: PDFError, hasHeader: Bool, messages: PopplerMessages
  ) -> PDFError {
    guard error.code == .damaged else { return error }
    if let text = messages.first.first(where: { $0.contains("ncrypt") || $0.contains("ecurity") }) {
      return .unsupportedEncryption(cause: text)
    }
    return hasHeader ? error : .notAPDF()
  }

  /// Refuses a page that lies outside the document.
  func check(page: Int) throws(PDFError) {
    guard (0..<pageCount).contains(page) else {
      throw PDFError.pageOutOfRange(page, count: pageCount).about(name)
    }
  }
}
