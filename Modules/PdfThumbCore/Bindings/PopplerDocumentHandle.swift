internal import CPopplerGlib

/// The owner of one `PopplerDocument`.
///
/// A document has one output device for all its pages, so two threads must never use it at once; calls
/// that touch it are `mutating`, which makes the compiler prove that they do not.
@safe
struct PopplerDocumentHandle: ~Copyable, @unchecked Sendable {
  private let raw: OpaquePointer

  /// Opens a document out of bytes that the handle keeps.
  ///
  /// There is no password here: poppler 22.12 follows a null pointer when one has no Latin-1 form, or when the
  /// C library's converter cannot be loaded in a confined process.
  init(bytes: borrowing DocumentBytes) throws(PDFError) {
    PopplerLog.install()
    var error: UnsafeMutablePointer<GError>?
    // Safety: poppler takes its own reference to the bytes.
    let document = unsafe bytes.withHandle { handle in
      unsafe poppler_document_new_from_bytes(handle, nil, &error)
    }
    guard let document = unsafe document else {
      throw unsafe PopplerDocumentHandle.failure(error)
    }
    unsafe raw = document
  }

  deinit {
    unsafe g_object_unref(UnsafeMutableRawPointer(raw))
  }

  /// The number of pages, as far as poppler believes the document.
  mutating func pageCount() -> Int {
    Int(max(0, unsafe poppler_document_get_n_pages(raw)))
  }

  /// The page of that index, or `nil` when its object is missing.
  mutating func page(_ index: Int) -> PopplerPageHandle? {
    guard let number = Int32(exactly: index),
      let page = unsafe poppler_document_get_page(raw, number)
    else { return nil }
    return unsafe PopplerPageHandle(owning: page)
  }

  /// Whether the file is laid out for showing its first page early.
  mutating func isLinearized() -> Bool {
    unsafe poppler_document_is_linearized(raw) != 0
  }

  /// The document's title, author and the like; `nil` where it names none.
  mutating func information() -> (title: String?, author: String?, version: String?) {
    (
      unsafe string(taking: poppler_document_get_title(raw)),
      unsafe string(taking: poppler_document_get_author(raw)),
      unsafe string(taking: poppler_document_get_pdf_version_string(raw))
    )
  }

  /// The outline in reading order, at most `limit` entries and 32 levels deep.
  mutating func outline(limit: Int) -> [OutlineEntry] {
    guard let first = unsafe poppler_index_iter_new(raw) else { return [] }
    var entries: [OutlineEntry] = []
    unsafe appendOutline(first, level: 0, limit: limit, to: &entries)
    return entries
  }

  /// Consumes the iterator.
  @unsafe
  private func appendOutline(
    _ iterator: OpaquePointer, level: Int, limit: Int, to entries: inout [OutlineEntry]
  ) {
    defer { unsafe poppler_index_iter_free(iterator) }
    repeat {
      guard entries.count < limit else { return }
      if let action = unsafe poppler_index_iter_get_action(iterator) {
        let title = unsafe cpoppler_action_title(action).map { unsafe String(cString: $0) } ?? ""
        let page = Int(unsafe cpoppler_action_page(raw, action))
        entries.append(OutlineEntry(title: title, level: level, page: page > 0 ? page - 1 : nil))
        unsafe poppler_action_free(action)
      }
      if level < 32, let child = unsafe poppler_index_iter_get_child(iterator) {
        unsafe appendOutline(child, level: level + 1, limit: limit, to: &entries)
      }
    } while unsafe poppler_index_iter_next(iterator) != 0
  }

  /// Consumes poppler's error and says what it means.
  @unsafe
  private static func failure(_ error: UnsafeMutablePointer<GError>?) -> PDFError {
    guard let error = unsafe error else { return .damaged(cause: "no reason given") }
    defer { unsafe g_error_free(error) }
    let sentence = unsafe error.pointee.message.map { unsafe String(cString: $0) } ?? ""
    guard unsafe error.pointee.domain == poppler_error_quark() else {
      return .unreadable(cause: sentence)
    }
    switch unsafe PopplerError(rawValue: UInt32(bitPattern: error.pointee.code)) {
    case POPPLER_ERROR_ENCRYPTED: return .passwordNeeded()
    case POPPLER_ERROR_OPEN_FILE: return .unreadable(cause: sentence)
    default: return .damaged(cause: sentence)
    }
  }
}

/// Copies a string that glib allocated for the caller, and frees it.
@unsafe
func string(taking text: UnsafeMutablePointer<CChar>?) -> String? {
  guard let text = unsafe text else { return nil }
  defer { unsafe g_free(text) }
  return unsafe String(cString: text)
}
