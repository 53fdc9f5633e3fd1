extension PDFDocument {
  /// Puts a page's picture together from its images, when it is images and nothing else.
  ///
  /// They are decoded at the size they are needed in, which takes a tenth of the time that the renderer needs to
  /// decode them whole. The picture may differ from the renderer's by what averaging in another order changes.
  ///
  /// - Returns: What is known about the picture; `nil` when the page is the renderer's, `pixels` then being
  ///   untouched.
  mutating func drawScan(
    _ page: Int, shown: (width: Double, height: Double), renderer: PageRenderer, size: PixelSize,
    into pixels: inout MutableRawSpan
  ) -> DrawingReport? {
    // In a rebuilt tree of pages the numbers may be others than in the structure.
    guard renderer.settings.takesShortcuts, !copy.changes.rebuildsPages else { return nil }
    let factor = renderer.supersampling(for: size)
    let large = PixelSize(width: size.width * factor, height: size.height * factor)
    let settings = renderer.settings
    let canvas = structure.withDocument { document in
      let layers = document.layers()
      return document.withPage(page) { object in
        Self.canvas(object, shown: shown, settings: settings, size: large, layers)
      }
    }
    guard let canvas else { return nil }
    let isBlank = unsafe pixels.withUnsafeMutableBytes { target in
      unsafe canvas.pixels.withUnsafeBytes { source in
        unsafe BoxFilter.reduce(
          source, sourceRow: large.width * 4, factor: factor, size: size, format: settings.format,
          blank: settings.ground.word, into: target)
      }
    }
    return DrawingReport(
      source: .scan, isBlank: isBlank, isRepaired: isRepaired(page))
  }

  /// What a page of images shows, or `nil` when the page is the renderer's.
  static func canvas(
    _ page: QPDFObject, shown: (width: Double, height: Double), settings: RenderSettings,
    size: PixelSize, _ layers: LayerStates
  ) -> ScanCanvas? {
    guard hasLargeImage(page, than: size), isWithoutAnnotations(page, settings: settings),
      let boxes = QPDFHandle.boxes(of: page)
    else { return nil }
    let box = boxes.box(settings.box)
    let isTurned = boxes.rotation % 180 != 0
    let (width, height) = isTurned ? (box.height, box.width) : (box.width, box.height)
    // Where qpdf and poppler do not agree on the page's size, poppler's word counts.
    guard abs(width - shown.width) < 0.01 * shown.width,
      abs(height - shown.height) < 0.01 * shown.height,
      let bytes = page.content(limit: 1_000_000)
    else { return nil }
    var content = ScanContent(page: box, layers: layers)
    guard content.walk(bytes, resources: page.inherited("/Resources")), content.isScan else {
      return nil
    }
    let toCanvas = transform(from: box, turned: boxes.rotation + settings.rotation, to: size)
    let ground = content.paper.map { PageGround.color($0).word } ?? settings.ground.word
    var canvas = ScanCanvas(size: size, ground: ground)
    var masks = ScanMasks()
    var isEmpty = true
    for placement in content.placements {
      let matrix = placement.matrix.followed(by: toCanvas)
      let extent = matrix.bounds(of: PDFRectangle(0, 0, 1, 1))
      // A pixel of the canvas is a sixteenth of one of the picture's.
      if extent.width < 1, extent.height < 1 { continue }
      let clip = ScanClip(toCanvas.bounds(of: placement.clip ?? box), on: size)
      guard let place = ScanPlace(matrix, clip: clip) else { return nil }
      if place.isEmpty { continue }
      guard
        let raster = ScanImage.raster(
          of: placement.image, at: place, color: placement.color, &masks)
      else { return nil }
      canvas.lay(raster, at: place)
      isEmpty = false
    }
    return isEmpty ? nil : canvas
  }

  /// From the page to the canvas, whose y points down.
  private static func transform(
    from box: PDFRectangle, turned rotation: Int, to size: PixelSize
  ) -> AffineTransform {
    let upright = AffineTransform(d: -1, tx: -box.left, ty: box.top)
    let turn = AffineTransform.turn(rotation, width: box.width, height: box.height)
    let (width, height) =
      rotation % 180 == 0 ? (box.width, box.height) : (box.height, box.width)
    return upright.followed(by: turn).followed(
      by: .scale(Double(size.width) / width, Double(size.height) / height))
  }

  /// Whether an image among the page's resources, or a form that may have one, is as large as the canvas.
  private static func hasLargeImage(_ page: QPDFObject, than size: PixelSize) -> Bool {
    guard let objects = page.inherited("/Resources")?["/XObject"] else { return false }
    return objects.keys.prefix(256).contains { key in
      guard let dictionary = objects[key]?.streamDictionary else { return false }
      if dictionary["/Subtype"]?.name == "/Form" {
        return dictionary["/Resources"]?["/XObject"] != nil
      }
      let pixels = (dictionary["/Width"]?.number ?? 0) * (dictionary["/Height"]?.number ?? 0)
      return pixels >= Double(size.width) * Double(size.height) / 4
    }
  }

  /// Whether no annotation or form field is to be drawn.
  private static func isWithoutAnnotations(_ page: QPDFObject, settings: RenderSettings) -> Bool {
    guard let annotations = page["/Annots"] else { return true }
    return annotations.elements(limit: 100_000).allSatisfy { annotation in
      let kind = annotation["/Subtype"]?.name
      if kind == "/Popup" { return true }
      if !settings.drawsAnnotations, kind != "/Widget" { return true }
      guard kind == "/Link", annotation["/AP"] == nil else { return false }
      let border = annotation["/Border"]?.element(2)?.number ?? 1
      return (annotation["/BS"]?["/W"]?.number ?? border) == 0
    }
  }
}

extension PageBoxes {
  /// One of the boxes.
  func box(_ box: PageBox) -> PDFRectangle {
    switch box {
    case .crop: crop
    case .media: media
    case .trim: trim
    }
  }
}

extension PageGround {
  /// The ground as a pixel, alpha premultiplied.
  var word: UInt32 {
    switch self {
    case .none: 0
    case .color(let color):
      0xFF00_0000 | UInt32(color.red) << 16 | UInt32(color.green) << 8 | UInt32(color.blue)
    }
  }
}
