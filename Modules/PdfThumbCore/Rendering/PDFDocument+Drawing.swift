extension PDFDocument {
  /// Draws one page; see ``PageRenderer/draw(_:of:size:into:)``.
  mutating func draw(
    _ page: Int, renderer: PageRenderer, size: PixelSize, into pixels: inout MutableRawSpan
  ) throws(PDFError) -> DrawingReport {
    do throws(PDFError) {
      try check(page: page)
      try use(renderer.settings.box)
      if !renderer.settings.takesShortcuts || embedsStandIn(page, renderer.settings) {
        try dropStandIns()
      }
      var handle = try openPage(page)
      if let report = try drawEmbedded(
        page, handle, renderer: renderer, size: size, into: &pixels)
      {
        return report
      }
      if let report = drawScan(
        page, shown: handle.size(), renderer: renderer, size: size, into: &pixels)
      {
        return report
      }
      let factor = renderer.supersampling(for: size)
      let resources = structure.resources(of: page)
      let surface = try Self.surface(
        size, factor: factor, settings: renderer.settings, page: page, isGroup: resources.blend)
      let isCircular = resources.nest && isCircular(page)
      if isCircular, cutCircles() { handle = try openPage(page) }
      let path = try path(
        for: &handle, page: page, resources, settings: renderer.settings)
      // Only now is it known what images are read from.
      if useStandIns(on: page, shown: handle.size(), renderer: renderer, size: size) {
        handle = try openPage(page)
      }
      PopplerLog.drain()
      Self.draw(handle, on: surface, settings: renderer.settings, path: path)
      if resources.blend, case .color(let color) = renderer.settings.ground {
        surface.fillBelow(color)
      }
      if let cause = surface.failure() { throw PDFError.renderFailed(page, cause: cause) }
      let isBlank = Self.reduce(
        surface, factor: factor, size: size, settings: renderer.settings, into: &pixels)
      let messages = PopplerLog.drain()
      return DrawingReport(
        isBlank: isBlank, flaws: messages.count,
        lacksFonts: resources.lackFonts || messages.tellOfFonts,
        isRepaired: isRepaired(page) || isCircular)
    } catch {
      throw error.about(name)
    }
  }

  /// Allocates a surface, filled with the ground unless the page is to be a group of its own.
  ///
  /// A page is a group that lies on the ground when it is finished (ISO 32000-1, 11.4.7): colours blend with
  /// what the page has below them, and not with the ground.
  private static func surface(
    _ size: PixelSize, factor: Int, settings: RenderSettings, page: Int, isGroup: Bool
  ) throws(PDFError) -> CairoSurfaceHandle {
    let large = PixelSize(width: size.width * factor, height: size.height * factor)
    guard
      let surface = CairoSurfaceHandle(size: large, hasAlpha: isGroup || settings.ground == .none)
    else {
      throw .outOfMemory(page, bytes: PixelFormat.rgba.byteCount(large))
    }
    if !isGroup, case .color(let color) = settings.ground { surface.fill(color) }
    return surface
  }

  private static func draw(
    _ page: borrowing PopplerPageHandle, on surface: borrowing CairoSurfaceHandle,
    settings: RenderSettings, path: DrawingPath
  ) {
    let geometry = PageGeometry(
      index: 0, width: page.size().width, height: page.size().height, label: "")
    let turned = settings.swapsSides
    let (width, height) =
      turned ? (geometry.height, geometry.width) : (geometry.width, geometry.height)
    surface.transform(
      AffineTransform.turn(settings.rotation, width: geometry.width, height: geometry.height)
        .followed(
          by: .scale(Double(surface.size.width) / width, Double(surface.size.height) / height)))
    switch path {
    case .screen: page.drawForScreen(on: surface)
    case .print: page.drawForPrint(on: surface, withAnnotations: settings.drawsAnnotations)
    }
  }

  static func reduce(
    _ surface: borrowing CairoSurfaceHandle, factor: Int, size: PixelSize,
    settings: RenderSettings, into pixels: inout MutableRawSpan
  ) -> Bool {
    var isBlank = false
    unsafe pixels.withUnsafeMutableBytes { target in
      unsafe surface.withPixels { source, sourceRow in
        isBlank = unsafe BoxFilter.reduce(
          source, sourceRow: sourceRow, factor: factor, size: size, format: settings.format,
          blank: settings.ground.word, into: target)
      }
    }
    return isBlank
  }
}
