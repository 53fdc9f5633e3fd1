internal import CQpdf
internal import Glibc

/// Keeping the text of pages from poppler's layout of text; see ``HidingSpan``.
extension QPDFHandle {
  /// Puts the content of every page into a span whose replacement text is empty; `false` when pages cannot be read.
  mutating func hideText() -> Bool {
    let count = unsafe qpdf_get_num_pages(raw)
    guard count > 0, canAddObjects() else { return false }
    let before = stream("\(HidingSpan.beginning)")
    let after = stream("\(HidingSpan.ending)")
    for index in 0..<Int(count) {
      let page = unsafe QPDFObject(document: raw, handle: qpdf_get_page_n(raw, index))
      guard let contents = page["/Contents"] else { continue }
      let array = unsafe qpdf_oh_new_array(raw)
      unsafe qpdf_oh_append_item(raw, array, before)
      if contents.isArray {
        for item in 0..<contents.elementCount {
          unsafe qpdf_oh_append_item(
            raw, array, qpdf_oh_get_array_item(raw, contents.handle, Int32(item)))
        }
      } else {
        unsafe qpdf_oh_append_item(raw, array, contents.handle)
      }
      unsafe qpdf_oh_append_item(raw, array, after)
      unsafe qpdf_oh_replace_key(raw, page.handle, "/Contents", array)
    }
    return true
  }

  /// Whether there are numbers left for some objects more; making a stream without ends the process.
  private func canAddObjects() -> Bool {
    let object = unsafe qpdf_make_indirect_object(raw, qpdf_oh_new_null(raw))
    return (1..<Int32.max - 16).contains(unsafe qpdf_oh_get_object_id(raw, object))
  }

  private func stream(_ text: String) -> UInt32 {
    let stream = unsafe qpdf_make_indirect_object(raw, qpdf_oh_new_stream(raw))
    let bytes = Array(text.utf8)
    unsafe qpdf_oh_replace_stream_data(
      raw, stream, bytes, bytes.count, qpdf_oh_new_null(raw), qpdf_oh_new_null(raw))
    return stream
  }

  /// Whether a page shows so many texts that laying them out takes longer than drawing them.
  mutating func isRichInText(_ page: Int) -> Bool? {
    withPage(page) { object in
      // What takes that much in the file is not worth expanding to know.
      guard let content = object.content(limit: 250_000) else { return true }
      return ContentScan.showsTexts(content, atLeast: 2000)
    }
  }
}

extension QPDFObject {
  /// A page's content, its streams joined; `nil` when it cannot be read or takes `limit` bytes in the file.
  func content(limit: Double) -> [UInt8]? {
    guard let contents = self["/Contents"] else { return [] }
    let streams = contents.isArray ? contents.elements(limit: 1000) : [contents]
    let length = streams.reduce(0) { $0 + ($1.streamDictionary?["/Length"]?.number ?? 0) }
    guard length < limit else { return nil }
    var buffer: UnsafeMutablePointer<UInt8>?
    var count = 0
    // Safety: qpdf allocates the bytes with malloc and leaves them to the caller.
    defer { unsafe free(buffer) }
    let status = unsafe qpdf_oh_get_page_content_data(document, handle, &buffer, &count)
    // For no bytes there is no buffer.
    guard status & 2 == 0, unsafe buffer != nil || count == 0 else { return nil }
    return unsafe Array(UnsafeBufferPointer(start: buffer, count: count))
  }
}
