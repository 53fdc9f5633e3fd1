internal import CPopplerGlib

/// The owner of one `PopplerPage`.
///
/// A page keeps the text layout of its last drawing (0.8 MB on a page of text), so it is let go of as
/// soon as it is drawn. It belongs to the thread that uses its document.
@safe
struct PopplerPageHandle: ~Copyable {
  private let raw: OpaquePointer

  @unsafe
  init(owning raw: OpaquePointer) {
    unsafe self.raw = raw
  }

  deinit {
    unsafe g_object_unref(UnsafeMutableRawPointer(raw))
  }

  /// The size of the crop box after the page's turn, in points; may be no sane number.
  func size() -> (width: Double, height: Double) {
    var width = 0.0
    var height = 0.0
    unsafe poppler_page_get_size(raw, &width, &height)
    return (width, height)
  }

  /// The page's label, or `nil` when the document names none.
  func label() -> String? {
    unsafe string(taking: poppler_page_get_label(raw))
  }

  /// Draws the page as on a screen: images filtered, hairlines adjusted; lays out its text as well.
  func drawForScreen(on surface: borrowing CairoSurfaceHandle) {
    unsafe surface.withContext { unsafe poppler_page_render(raw, $0) }
  }

  /// Draws the page as on paper: no text layout, images larger than 8192 pixels scaled while read.
  ///
  /// - Parameters:
  ///   - surface: What is drawn on.
  ///   - withAnnotations: Whether annotations meant for print are drawn, or form fields only.
  func drawForPrint(on surface: borrowing CairoSurfaceHandle, withAnnotations: Bool) {
    let flags = withAnnotations ? POPPLER_PRINT_MARKUP_ANNOTS : POPPLER_PRINT_DOCUMENT
    unsafe surface.withContext {
      unsafe poppler_page_render_for_printing_with_options(raw, $0, flags)
    }
  }

  /// The size of the embedded thumbnail in pixels, or `nil` when there is none.
  func embeddedThumbnailSize() -> PixelSize? {
    var width: Int32 = 0
    var height: Int32 = 0
    guard unsafe poppler_page_get_thumbnail_size(raw, &width, &height) != 0, width > 0, height > 0
    else { return nil }
    return PixelSize(width: Int(width), height: Int(height))
  }

  /// The embedded thumbnail; ask for its size first, for decoding has no other limit.
  func embeddedThumbnail() -> CairoSurfaceHandle? {
    guard let surface = unsafe poppler_page_get_thumbnail(raw) else { return nil }
    return unsafe CairoSurfaceHandle(owning: surface)
  }
}
