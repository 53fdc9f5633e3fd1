/// What stands in a slot of the shared memory beside pixels.
package enum WireData {
  /// The longest text of any field in bytes.
  static let greatestTextCount = 1024
  /// More than the record of any page takes.
  static let greatestRecordCount = 4096
  /// The deepest level of an outline.
  static let greatestLevel = 64

  // MARK: - Documents

  package static func bytes(of information: DocumentInformation) -> [UInt8] {
    var writer = WireWriter()
    writer.put(information.isLinearized)
    writer.put(information.isEncrypted)
    writer.put(information.isRepaired)
    for text in [information.title, information.author, information.version] {
      writer.put(text != nil)
      writer.put(text ?? "", limit: greatestTextCount)
    }
    let fonts = information.missingFonts.prefix(ResourceSurvey.greatestNameCount)
    writer.put(UInt16(fonts.count))
    for font in fonts { writer.put(font, limit: greatestTextCount) }
    return writer.bytes
  }

  package static func information(_ bytes: [UInt8]) throws(WireViolation) -> DocumentInformation {
    var reader = WireReader(bytes)
    let isLinearized = try reader.takeFlag()
    let isEncrypted = try reader.takeFlag()
    let isRepaired = try reader.takeFlag()
    var texts: [String?] = []
    for _ in 0..<3 {
      let isThere = try reader.takeFlag()
      let text = try reader.takeText(limit: greatestTextCount)
      texts.append(isThere ? text : nil)
    }
    var fonts: [String] = []
    for _ in 0..<(try reader.take(UInt16.self, in: 0...ResourceSurvey.greatestNameCount)) {
      fonts.append(try reader.takeText(limit: greatestTextCount))
    }
    return DocumentInformation(
      title: texts[0], author: texts[1], version: texts[2], isLinearized: isLinearized,
      isEncrypted: isEncrypted, isRepaired: isRepaired, missingFonts: fonts)
  }

  // MARK: - Pages

  /// A page's geometry, or why there is none.
  package static func bytes(of geometry: Result<PageGeometry, PDFError>) -> [UInt8] {
    var writer = WireWriter()
    switch geometry {
    case .failure(let error):
      writer.put(UInt8(0))
      writer.put(UInt16(WireReply.codes.firstIndex(of: error.code) ?? WireReply.codes.count - 1))
      write(error, to: &writer)
    case .success(let geometry):
      writer.put(UInt8(1))
      writer.put(geometry.width)
      writer.put(geometry.height)
      writer.put(geometry.label, limit: DrawnReply.greatestLabelCount)
      writer.put(geometry.boxes != nil)
      guard let boxes = geometry.boxes else { break }
      for box in [boxes.media, boxes.crop, boxes.trim] {
        for side in [box.left, box.bottom, box.right, box.top] { writer.put(side) }
      }
      writer.put(UInt16(clamping: boxes.rotation))
      writer.put(boxes.userUnit)
    }
    return writer.bytes
  }

  /// The geometry of `count` pages from `first` on.
  package static func geometries(
    _ bytes: [UInt8], first: Int, count: Int
  ) throws(WireViolation) -> [Result<PageGeometry, PDFError>] {
    var reader = WireReader(bytes)
    var pages: [Result<PageGeometry, PDFError>] = []
    for page in first..<first + count {
      if try reader.takeFlag() {
        pages.append(.success(try geometry(of: page, &reader)))
      } else {
        let code = WireReply.codes[try reader.take(UInt16.self, in: 0...WireReply.codes.count - 1)]
        pages.append(.failure(try error(code, page: page, &reader)))
      }
    }
    return pages
  }

  private static func geometry(
    of page: Int, _ reader: inout WireReader
  ) throws(WireViolation) -> PageGeometry {
    let width = try reader.takeDouble()
    let height = try reader.takeDouble()
    let label = try reader.takeText(limit: DrawnReply.greatestLabelCount)
    var boxes: PageBoxes?
    if try reader.takeFlag() {
      let media = try rectangle(&reader)
      let crop = try rectangle(&reader)
      let trim = try rectangle(&reader)
      let rotation = try reader.take(UInt16.self, in: 0...359)
      boxes = PageBoxes(
        media: media, crop: crop, trim: trim, rotation: rotation,
        userUnit: try reader.takeDouble())
    }
    return PageGeometry(index: page, width: width, height: height, label: label, boxes: boxes)
  }

  private static func rectangle(_ reader: inout WireReader) throws(WireViolation) -> PDFRectangle {
    PDFRectangle(
      try reader.takeDouble(), try reader.takeDouble(), try reader.takeDouble(),
      try reader.takeDouble())
  }

  // MARK: - Outlines

  package static func bytes(of entry: OutlineEntry) -> [UInt8] {
    var writer = WireWriter()
    writer.put(UInt8(clamping: min(entry.level, greatestLevel)))
    writer.put(UInt32(clamping: (entry.page ?? -1) + 1))
    writer.put(entry.title, limit: greatestTextCount)
    return writer.bytes
  }

  package static func outline(_ bytes: [UInt8], pageCount: Int) throws(WireViolation)
    -> [OutlineEntry]
  {
    var reader = WireReader(bytes)
    var entries: [OutlineEntry] = []
    while !reader.isAtEnd {
      let level = try reader.take(UInt8.self, in: 0...greatestLevel)
      let page = try reader.take(UInt32.self, in: 0...pageCount)
      let title = try reader.takeText(limit: greatestTextCount)
      entries.append(OutlineEntry(title: title, level: level, page: page > 0 ? page - 1 : nil))
    }
    return entries
  }

  /// As many records from the first on as fit.
  package static func joined(_ records: [[UInt8]], limit: Int) -> (bytes: [UInt8], count: Int) {
    var bytes: [UInt8] = []
    for (count, record) in records.enumerated() {
      guard bytes.count + record.count <= limit else { return (bytes, count) }
      bytes += record
    }
    return (bytes, records.count)
  }

  // MARK: - Errors

  package static func bytes(of error: PDFError) -> [UInt8] {
    var writer = WireWriter()
    write(error, to: &writer)
    return writer.bytes
  }

  package static func error(
    _ bytes: [UInt8], code: PDFError.Code, page: Int?
  ) throws(WireViolation) -> PDFError {
    var reader = WireReader(bytes)
    return try error(code, page: page, &reader)
  }

  private static func write(_ error: PDFError, to writer: inout WireWriter) {
    writer.put(error.message, limit: greatestTextCount)
    writer.put(error.cause != nil)
    writer.put(error.cause ?? "", limit: greatestTextCount)
  }

  private static func error(
    _ code: PDFError.Code, page: Int?, _ reader: inout WireReader
  ) throws(WireViolation) -> PDFError {
    let message = try reader.takeText(limit: greatestTextCount)
    let hasCause = try reader.takeFlag()
    let cause = try reader.takeText(limit: greatestTextCount)
    return PDFError(code: code, message: message, page: page, cause: hasCause ? cause : nil)
  }
}
