internal import CChafa

/// The owner of one `ChafaTermInfo`: what a terminal understands.
///
/// It is not changed after it is made, so any thread may use it.
@safe
final class ChafaTerminal: @unchecked Sendable {
  private let raw: OpaquePointer

  /// Looks a terminal up by its environment: `TERM`, `COLORTERM` and what terminals set to be known.
  init?(environment: [String: String]) {
    var list: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
    for (name, value) in environment.sorted(by: { $0.key < $1.key }) {
      unsafe list = g_environ_setenv(list, name, value, 1)
    }
    defer { unsafe g_strfreev(list) }
    // Safety: the default database lives as long as the process; the result is ours.
    guard let database = unsafe chafa_term_db_get_default(),
      let info = unsafe chafa_term_db_detect(database, list)
    else { return nil }
    unsafe raw = info
  }

  deinit { unsafe chafa_term_info_unref(raw) }

  /// The best way of showing a picture.
  var method: TerminalMethod {
    let methods: [(ChafaTermSeq, TerminalMethod)] = [
      (CHAFA_TERM_SEQ_BEGIN_KITTY_IMMEDIATE_IMAGE_V1, .kitty),
      (CHAFA_TERM_SEQ_BEGIN_ITERM2_IMAGE, .iterm2), (CHAFA_TERM_SEQ_BEGIN_SIXELS, .sixel),
    ]
    return methods.first { has($0.0) }?.1 ?? .symbols
  }

  /// Turns pixels into what the terminal is sent.
  ///
  /// - Parameters:
  ///   - pixels: Rows of red, green, blue and straight alpha, `columns` by `rows` cells of `cell` pixels.
  ///   - columns: The width in cells.
  ///   - rows: The height in cells.
  ///   - cell: The size of a cell in pixels.
  ///   - look: How it is shown.
  /// - Returns: The bytes, without a line's end behind the last row; `nil` where chafa has no memory.
  func show(
    _ pixels: [UInt8], columns: Int, rows: Int, cell: TerminalCell, look: TerminalLook
  ) -> [UInt8]? {
    let (width, height) = (columns * cell.width, rows * cell.height)
    precondition(pixels.count == width * height * 4, "the pixels are not those of the cells")
    guard let settings = unsafe chafa_canvas_config_new() else { return nil }
    defer { unsafe chafa_canvas_config_unref(settings) }
    unsafe chafa_canvas_config_set_geometry(settings, gint(columns), gint(rows))
    unsafe chafa_canvas_config_set_cell_geometry(settings, gint(cell.width), gint(cell.height))
    unsafe chafa_canvas_config_set_pixel_mode(settings, Self.mode(look.method))
    unsafe chafa_canvas_config_set_canvas_mode(settings, colors(look))
    guard let symbols = unsafe chafa_symbol_map_new() else { return nil }
    defer { unsafe chafa_symbol_map_unref(symbols) }
    // What Latin fonts lack is left out: these are in all of them.
    let blocks = [
      CHAFA_SYMBOL_TAG_SOLID, CHAFA_SYMBOL_TAG_BLOCK, CHAFA_SYMBOL_TAG_HALF, CHAFA_SYMBOL_TAG_QUAD,
    ]
    let tags = [CHAFA_SYMBOL_TAG_SPACE] + (look.isUnicode ? blocks : [CHAFA_SYMBOL_TAG_ASCII])
    for tag in tags { unsafe chafa_symbol_map_add_by_tags(symbols, tag) }
    unsafe chafa_canvas_config_set_symbol_map(settings, symbols)
    guard let canvas = unsafe chafa_canvas_new(settings) else { return nil }
    defer { unsafe chafa_canvas_unref(canvas) }
    unsafe chafa_canvas_draw_all_pixels(
      canvas, CHAFA_PIXEL_RGBA8_UNASSOCIATED, pixels, gint(width), gint(height), gint(width * 4))
    guard let text = unsafe chafa_canvas_print(canvas, raw) else { return nil }
    defer { unsafe g_string_free(text, 1) }
    // Safety: the string holds `len` bytes until it is freed.
    return unsafe UnsafeRawBufferPointer(start: text.pointee.str, count: Int(text.pointee.len))
      .map { $0 }
  }

  private func has(_ sequence: ChafaTermSeq) -> Bool {
    unsafe chafa_term_info_have_seq(raw, sequence) != 0
  }

  private func colors(_ look: TerminalLook) -> ChafaCanvasMode {
    // Pictures bring colours of their own, whether or not letters have any.
    if look.method != .symbols { return CHAFA_CANVAS_MODE_TRUECOLOR }
    guard look.hasColor else {
      return has(CHAFA_TERM_SEQ_INVERT_COLORS)
        ? CHAFA_CANVAS_MODE_FGBG_BGFG : CHAFA_CANVAS_MODE_FGBG
    }
    let modes: [(ChafaTermSeq, ChafaCanvasMode)] = [
      (CHAFA_TERM_SEQ_SET_COLOR_FGBG_DIRECT, CHAFA_CANVAS_MODE_TRUECOLOR),
      (CHAFA_TERM_SEQ_SET_COLOR_FGBG_256, CHAFA_CANVAS_MODE_INDEXED_240),
      (CHAFA_TERM_SEQ_SET_COLOR_FGBG_16, CHAFA_CANVAS_MODE_INDEXED_16),
      (CHAFA_TERM_SEQ_INVERT_COLORS, CHAFA_CANVAS_MODE_FGBG_BGFG),
    ]
    return modes.first { has($0.0) }?.1 ?? CHAFA_CANVAS_MODE_FGBG
  }

  private static func mode(_ method: TerminalMethod) -> ChafaPixelMode {
    switch method {
    case .kitty: CHAFA_PIXEL_MODE_KITTY
    case .iterm2: CHAFA_PIXEL_MODE_ITERM2
    case .sixel: CHAFA_PIXEL_MODE_SIXELS
    case .symbols: CHAFA_PIXEL_MODE_SYMBOLS
    }
  }
}
