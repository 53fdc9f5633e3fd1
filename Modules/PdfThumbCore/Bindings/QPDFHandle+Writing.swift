internal import CQpdf

extension QPDFHandle {
  /// What is changed in a copy of a document.
  struct Changes: Sendable, Equatable {
    /// The box that becomes every page's crop box.
    var box = PageBox.crop
    /// Whether compressed streams and object streams are expanded, without loss, but for large images.
    ///
    /// Poppler inflates fonts and shared streams anew for each page that uses them.
    var expands = false
    /// Whether the text of pages is kept from poppler's layout of text.
    var hidesText = false
    /// Whether the tree of pages is written anew, from the pages that are there.
    var rebuildsPages = false
    /// Whether circles among what content draws with are cut; without any there is no copy.
    var cutsCircles = false
  }

  /// A copy of the document in memory, not encrypted, or `nil` when qpdf cannot write it.
  ///
  /// Bombs end with the process's own limit of memory, which qpdf takes as an error of the document.
  mutating func copy(_ changes: Changes) -> DocumentBytes? {
    unsafe withCopy(changes) { unsafe DocumentBytes(copying: $0) }
  }

  /// Lends a copy like that of ``copy(_:)`` for the time of the call.
  mutating func withCopy<R: ~Copyable>(
    _ changes: Changes, _ body: (UnsafeRawBufferPointer) -> R
  ) -> R? {
    defer { unsafe qpdf_oh_release_all(raw) }
    if changes.rebuildsPages, !rebuildPages() { return nil }
    if changes.cutsCircles, !cutCircles() { return nil }
    if changes.expands { keepImagesPacked() }
    if changes.hidesText, !hideText() { return nil }
    if changes.box != .crop { setCropBoxes(to: changes.box) }
    guard unsafe qpdf_init_write_memory(raw) & 2 == 0 else { return nil }
    unsafe qpdf_set_preserve_encryption(raw, 0)
    unsafe qpdf_set_static_ID(raw, 1)
    if changes.expands {
      unsafe qpdf_set_object_stream_mode(raw, qpdf_o_disable)
      unsafe qpdf_set_stream_data_mode(raw, qpdf_s_uncompress)
      unsafe qpdf_set_decode_level(raw, qpdf_dl_generalized)
    } else {
      unsafe qpdf_set_stream_data_mode(raw, qpdf_s_preserve)
    }
    guard unsafe qpdf_write(raw) & 2 == 0, let start = unsafe qpdf_get_buffer(raw) else {
      return nil
    }
    let count = Int(unsafe qpdf_get_buffer_length(raw))
    return unsafe body(UnsafeRawBufferPointer(start: start, count: count))
  }

  /// Keeps large images from being expanded, which takes time and memory that pages that do not draw them never need.
  ///
  /// A second filter does it that expanding does not undo: run lengths, of which there is one in 128 bytes.
  private mutating func keepImagesPacked() {
    for number in 1..<max(1, min(objectCount(), 1 << 20)) {
      defer { unsafe qpdf_oh_release_all(raw) }
      let object = unsafe QPDFObject(
        document: raw, handle: qpdf_get_object_by_id(raw, Int32(number), 0))
      guard object.isLargeImage, let filters = object.filters, filters.count == 1,
        filters[0].name == "/FlateDecode",
        let packed = unsafe object.withStream(.none, { unsafe RunLengths.wrap($0) })
      else { continue }
      let both = unsafe qpdf_oh_new_array(raw)
      let parameters = unsafe qpdf_oh_new_array(raw)
      for name in ["/RunLengthDecode", "/FlateDecode"] {
        unsafe qpdf_oh_append_item(raw, both, qpdf_oh_new_name(raw, name))
      }
      unsafe qpdf_oh_append_item(raw, parameters, qpdf_oh_new_null(raw))
      unsafe qpdf_oh_append_item(
        raw, parameters, filters[0].parameters?.handle ?? qpdf_oh_new_null(raw))
      unsafe qpdf_oh_replace_stream_data(
        raw, object.handle, packed, packed.count, both, parameters)
    }
  }

  /// qpdf makes one array of all pages as soon as one of them is moved, if the tree's count is true.
  private mutating func rebuildPages() -> Bool {
    unwrapDictionaries()
    let count = unsafe qpdf_get_num_pages(raw)
    let root = unsafe QPDFObject(document: raw, handle: qpdf_get_root(raw))
    guard count > 0, let pages = root["/Pages"] else { return false }
    unsafe qpdf_oh_replace_key(
      raw, pages.handle, "/Count", qpdf_oh_new_integer(raw, Int64(count)))
    let last = unsafe qpdf_get_page_n(raw, Int(count) - 1)
    let status = unsafe (qpdf_remove_page(raw, last) | qpdf_add_page(raw, raw, last, 0))
    return status & 2 == 0
  }

  private mutating func setCropBoxes(to box: PageBox) {
    for page in 0..<max(0, Int(unsafe qpdf_get_num_pages(raw))) {
      let object = unsafe QPDFObject(document: raw, handle: qpdf_get_page_n(raw, page))
      guard let boxes = Self.boxes(of: object) else { continue }
      let rectangle = box == .media ? boxes.media : boxes.trim
      let array = unsafe qpdf_oh_new_array(raw)
      for side in [rectangle.left, rectangle.bottom, rectangle.right, rectangle.top] {
        unsafe qpdf_oh_append_item(raw, array, qpdf_oh_new_real_from_double(raw, side, 6))
      }
      unsafe qpdf_oh_replace_key(raw, object.handle, "/CropBox", array)
    }
  }
}
