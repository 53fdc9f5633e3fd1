internal import CPopplerGlib

/// The owner of one cairo image surface and of a context that draws on it.
///
/// Pixels are 32-bit words, blue in the lowest byte; alpha, where there is one, is premultiplied
/// (`CAIRO_FORMAT_ARGB32` and `CAIRO_FORMAT_RGB24`). It belongs to one thread.
@safe
struct CairoSurfaceHandle: ~Copyable {
  private let raw: OpaquePointer
  private let context: OpaquePointer

  /// Allocates a surface, all zero, or returns `nil` when cairo has no memory or no such size.
  init?(size: PixelSize, hasAlpha: Bool) {
    guard let width = Int32(exactly: size.width), let height = Int32(exactly: size.height),
      let surface = unsafe cairo_image_surface_create(
        hasAlpha ? CAIRO_FORMAT_ARGB32 : CAIRO_FORMAT_RGB24, width, height),
      let handle = unsafe CairoSurfaceHandle(owning: surface)
    else { return nil }
    self = handle
  }

  /// Takes over a surface, or frees it and returns `nil` when it is in an error state.
  @unsafe
  init?(owning surface: OpaquePointer) {
    guard unsafe cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS,
      let context = unsafe cairo_create(surface)
    else {
      unsafe cairo_surface_destroy(surface)
      return nil
    }
    unsafe raw = surface
    unsafe self.context = context
  }

  deinit {
    unsafe cairo_destroy(context)
    unsafe cairo_surface_destroy(raw)
  }

  /// Fills the surface with a colour.
  func fill(_ color: RGBColor) {
    unsafe cairo_set_source_rgb(
      context, Double(color.red) / 255, Double(color.green) / 255, Double(color.blue) / 255)
    unsafe cairo_paint(context)
    unsafe cairo_set_source_rgb(context, 0, 0, 0)
  }

  /// Fills what is transparent with a colour, as if it had been there before.
  func fillBelow(_ color: RGBColor) {
    unsafe cairo_save(context)
    unsafe cairo_set_operator(context, CAIRO_OPERATOR_DEST_OVER)
    fill(color)
    unsafe cairo_restore(context)
  }

  /// Changes the mapping from what is drawn to pixels.
  func transform(_ m: AffineTransform) {
    var matrix = cairo_matrix_t(xx: m.a, yx: m.b, xy: m.c, yy: m.d, x0: m.tx, y0: m.ty)
    unsafe cairo_transform(context, &matrix)
  }

  /// Draws another surface stretched to this one's size.
  func draw(_ other: borrowing CairoSurfaceHandle) {
    unsafe cairo_save(context)
    unsafe cairo_scale(
      context, Double(size.width) / Double(other.size.width),
      Double(size.height) / Double(other.size.height))
    unsafe cairo_set_source_surface(context, other.raw, 0, 0)
    let pattern = unsafe cairo_get_source(context)
    unsafe cairo_pattern_set_filter(pattern, CAIRO_FILTER_BEST)
    unsafe cairo_pattern_set_extend(pattern, CAIRO_EXTEND_PAD)
    unsafe cairo_paint(context)
    unsafe cairo_restore(context)
  }

  /// Lends the drawing context for the time of the call.
  @unsafe
  func withContext(_ body: (OpaquePointer) -> Void) {
    unsafe cairo_save(context)
    unsafe body(context)
    unsafe cairo_restore(context)
  }

  /// cairo's words for the state drawing left behind, or `nil` when all is well.
  func failure() -> String? {
    let status = unsafe cairo_status(context)
    guard status != CAIRO_STATUS_SUCCESS, let text = unsafe cairo_status_to_string(status) else {
      return nil
    }
    return unsafe String(cString: text)
  }

  /// The width and height in pixels.
  var size: PixelSize {
    PixelSize(
      width: Int(unsafe cairo_image_surface_get_width(raw)),
      height: Int(unsafe cairo_image_surface_get_height(raw)))
  }

  /// Lends the finished pixels and the distance between rows in bytes.
  func withPixels(_ body: (_ pixels: UnsafeRawBufferPointer, _ bytesPerRow: Int) -> Void) {
    unsafe cairo_surface_flush(raw)
    let stride = Int(unsafe cairo_image_surface_get_stride(raw))
    let height = Int(unsafe cairo_image_surface_get_height(raw))
    guard let data = unsafe cairo_image_surface_get_data(raw) else { return }
    unsafe body(UnsafeRawBufferPointer(start: data, count: stride * height), stride)
  }
}
