/// What a worker answers: one message of ``byteCount`` bytes each.
///
/// The worker may have been taken over by the document it reads, so each field is checked against
/// what is possible at all here, and against what was asked where the reply is used. Layout: the
/// mark (4 bytes), the kind (2), zero (2), the serial number of the request (8), the kind's own
/// fields, zeros. What has no fixed size stands in the slot of the request.
package struct WireReply: Equatable, Sendable {
  /// The size of every reply.
  package static let byteCount = 128

  /// The kinds of reply.
  package enum Kind: Equatable, Sendable {
    /// The worker is warm and confined; the first message, with serial 0.
    case ready(SandboxReport)
    /// The document, or the copy to draw from, is open.
    case opened(pageCount: Int, objectCount: Int)
    /// The page is drawn; the rows stand at the slot's start, the label follows.
    case drawn(DrawnReply)
    /// So many pages are described in `dataCount` bytes of the slot.
    case described(count: Int, dataCount: Int)
    /// What was asked for stands in `dataCount` bytes of the slot.
    case told(dataCount: Int)
    /// The answer needs a slot of that many bytes.
    case needsRoom(UInt64)
    /// The copy stands in so many bytes of the memory file; none when there is no copy to be had.
    case prepared(dataCount: Int)
    /// It did not work; message and cause stand in `dataCount` bytes of the slot.
    case failed(PDFError.Code, dataCount: Int)
  }

  /// The serial number of the request answered.
  package var serial: UInt64
  /// What is answered.
  package var kind: Kind

  package init(serial: UInt64, kind: Kind) {
    self.serial = serial
    self.kind = kind
  }

  /// What a worker may say went wrong; the rest is for the parent to find.
  package static let codes: [PDFError.Code] = [
    .unreadable, .notAPDF, .damaged, .passwordNeeded, .passwordWrong, .unsupportedEncryption,
    .noPages, .pageOutOfRange, .pageMissing, .pageTooLarge, .outOfMemory, .noThumbnail,
    .renderFailed,
  ]

  /// The message.
  package var bytes: [UInt8] {
    var writer = WireWriter()
    writer.put(WireRequest.mark)
    switch kind {
    case .ready(let report):
      Self.begin(1, serial, &writer)
      report.write(to: &writer)
    case .opened(let pageCount, let objectCount):
      Self.begin(2, serial, &writer)
      writer.put(UInt32(pageCount))
      writer.put(UInt32(clamping: objectCount))
    case .drawn(let drawn):
      Self.begin(3, serial, &writer)
      drawn.write(to: &writer)
    case .described(let count, let dataCount):
      Self.begin(4, serial, &writer)
      writer.put(UInt32(count))
      writer.put(UInt32(dataCount))
    case .told(let dataCount):
      Self.begin(5, serial, &writer)
      writer.put(UInt32(dataCount))
    case .needsRoom(let count):
      Self.begin(6, serial, &writer)
      writer.put(count)
    case .failed(let code, let dataCount):
      Self.begin(7, serial, &writer)
      writer.put(UInt16(Self.codes.firstIndex(of: code) ?? Self.codes.count - 1))
      writer.put(UInt32(dataCount))
    case .prepared(let dataCount):
      Self.begin(8, serial, &writer)
      writer.put(UInt32(dataCount))
    }
    return writer.padded(to: Self.byteCount)
  }

  private static func begin(_ number: UInt16, _ serial: UInt64, _ writer: inout WireWriter) {
    writer.put(number)
    writer.put(UInt16(0))
    writer.put(serial)
  }

  /// Takes a message apart.
  ///
  /// - Throws: ``WireViolation`` for a message of another size, mark, kind or range of fields.
  package init(_ bytes: [UInt8]) throws(WireViolation) {
    var reader = WireReader(bytes)
    guard bytes.count == Self.byteCount else {
      throw reader.violation("expected \(Self.byteCount) bytes, found \(bytes.count)")
    }
    let mark: UInt32 = try reader.take()
    guard mark == WireRequest.mark else {
      throw reader.violation("expected the mark, found \(mark)")
    }
    let number = try reader.take(UInt16.self, in: 1...8)
    _ = try reader.take(UInt16.self, in: 0...0)
    serial = try reader.take()
    let counts = 0...Int(Int32.max)
    switch number {
    case 1: kind = .ready(try SandboxReport(&reader))
    case 2:
      kind = .opened(
        pageCount: try reader.take(UInt32.self, in: 1...Int(Int32.max)),
        objectCount: try reader.take(UInt32.self, in: counts))
    case 3: kind = .drawn(try DrawnReply(&reader))
    case 4:
      kind = .described(
        count: try reader.take(UInt32.self, in: counts),
        dataCount: try reader.take(UInt32.self, in: counts))
    case 5: kind = .told(dataCount: try reader.take(UInt32.self, in: counts))
    case 6: kind = .needsRoom(try reader.take())
    case 8: kind = .prepared(dataCount: try reader.take(UInt32.self, in: counts))
    default:
      let code = Self.codes[try reader.take(UInt16.self, in: 0...Self.codes.count - 1)]
      kind = .failed(code, dataCount: try reader.take(UInt32.self, in: counts))
    }
  }
}

/// What a worker says of a page it drew.
package struct DrawnReply: Equatable, Sendable {
  /// The size of the picture in pixels; each side from 1 to 32,767.
  package var size: PixelSize
  /// How the pixels stand in the slot.
  package var format: PixelFormat
  /// What is known about the picture.
  package var report: DrawingReport
  /// The page's width as shown, in points.
  package var pageWidth: Double
  /// The page's height as shown, in points.
  package var pageHeight: Double
  /// The bytes the page's label takes behind the pixels.
  package var labelCount: Int

  /// The longest label in bytes.
  package static let greatestLabelCount = 512

  package init(
    size: PixelSize, format: PixelFormat, report: DrawingReport, pageWidth: Double,
    pageHeight: Double, labelCount: Int
  ) {
    self.size = size
    self.format = format
    self.report = report
    self.pageWidth = pageWidth
    self.pageHeight = pageHeight
    self.labelCount = labelCount
  }

  func write(to writer: inout WireWriter) {
    writer.put(UInt16(size.width))
    writer.put(UInt16(size.height))
    writer.put(format.rawValue)
    writer.put(report.source.rawValue)
    for flag in [report.isBlank, report.lacksFonts, report.isRepaired] { writer.put(flag) }
    writer.put(UInt32(clamping: report.flaws))
    writer.put(pageWidth)
    writer.put(pageHeight)
    writer.put(UInt16(labelCount))
  }

  init(_ reader: inout WireReader) throws(WireViolation) {
    let sides = 1...32_767
    size = PixelSize(
      width: try reader.take(UInt16.self, in: sides),
      height: try reader.take(UInt16.self, in: sides))
    let rawFormat: UInt8 = try reader.take()
    guard let format = PixelFormat(rawValue: rawFormat) else {
      throw reader.violation("expected a pixel format, found \(rawFormat)")
    }
    self.format = format
    let rawSource: UInt8 = try reader.take()
    guard let source = PictureSource(rawValue: rawSource) else {
      throw reader.violation("expected a source, found \(rawSource)")
    }
    report = DrawingReport(source: source)
    report.isBlank = try reader.takeFlag()
    report.lacksFonts = try reader.takeFlag()
    report.isRepaired = try reader.takeFlag()
    report.flaws = Int(try reader.take(UInt32.self))
    pageWidth = try reader.takeDouble()
    pageHeight = try reader.takeDouble()
    labelCount = try reader.take(UInt16.self, in: 0...Self.greatestLabelCount)
  }
}
