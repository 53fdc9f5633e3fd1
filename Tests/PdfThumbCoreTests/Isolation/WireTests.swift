import PdfThumbCore
import TestSupport
import Testing

@Suite struct `Messages between parent and worker` {
  static let orders = [
    DrawOrder(page: 0, size: .height(80), renderer: PageRenderer()),
    DrawOrder(
      page: 1_000_000, size: .fit(width: 10, height: 20),
      renderer: PageRenderer(
        settings: RenderSettings(
          ground: .none, isGray: true, drawsAnnotations: false, box: .trim, rotation: 270),
        greatestPixelCount: 17)),
    DrawOrder(
      page: 7, size: .scale(0.25),
      renderer: PageRenderer(
        settings: RenderSettings(ground: .color(RGBColor(red: 1, green: 2, blue: 3))))),
    DrawOrder(page: 7, size: .width(9), renderer: PageRenderer(), few: 3..<12),
  ]

  static let requests: [WireRequest.Kind] =
    [
      .surface, .open(documentSize: 1 << 40, passwordCount: nil),
      .open(documentSize: 1, passwordCount: 0), .open(documentSize: 1, passwordCount: 127),
      .describe(first: 3, count: 99, withBoxes: true), .outline, .information,
      .prepare(quickly: true), .prepare(quickly: false), .adopt(documentSize: 1 << 33),
    ] + orders.map { .draw($0) }

  static let replies: [WireReply.Kind] =
    [
      .ready(
        SandboxReport(
          hasSystemCallFilter: true, landlockVersion: 7, hasNoNewPrivileges: false, hasLimits: true)
      ),
      .opened(pageCount: 1158, objectCount: 19_794),
      .drawn(
        DrawnReply(
          size: PixelSize(width: 62, height: 80), format: .gray,
          report: DrawingReport(source: .scan, isBlank: true, flaws: 3), pageWidth: 612.5,
          pageHeight: 792, labelCount: 12)),
      .described(count: 4, dataCount: 400), .told(dataCount: 0), .needsRoom(1 << 33),
      .prepared(dataCount: 1 << 20),
    ] + WireReply.codes.map { .failed($0, dataCount: 9) }

  @Test(arguments: requests)
  func `a request comes out as it went in`(kind: WireRequest.Kind) throws {
    let request = WireRequest(serial: 0x0102_0304_0506_0708, slot: 1, kind: kind)
    #expect(request.bytes.count == WireRequest.byteCount)
    #expect(try WireRequest(request.bytes) == request)
  }

  @Test(arguments: replies)
  func `a reply comes out as it went in`(kind: WireReply.Kind) throws {
    let reply = WireReply(serial: 0x0102_0304_0506_0708, kind: kind)
    #expect(reply.bytes.count == WireReply.byteCount)
    #expect(try WireReply(reply.bytes) == reply)
  }

  /// Where a drawn reply is spoilt, with what, and the byte after it, where the trouble is reported.
  @Test(arguments: [
    (0, [9, 9, 9, 9], 4), (4, [0, 0], 6), (4, [9, 0], 6), (6, [1, 0], 8),
    (16, [0, 0], 18), (16, [0, 0x80], 18), (18, [0, 0], 20), (20, [2], 21), (21, [9], 22),
    (22, [2], 23), (23, [2], 24), (24, [2], 25), (45, [1, 2], 47),
  ])
  func `a reply with a field out of range is refused at that field`(
    at offset: Int, with field: [UInt8], reported: Int
  ) throws {
    var bytes = WireReply(serial: 5, kind: Self.replies[2]).bytes
    bytes.replaceSubrange(offset..<offset + field.count, with: field)
    let violation = #expect(throws: WireViolation.self) { try WireReply(bytes) }
    #expect(violation?.offset == reported)
  }

  @Test(arguments: [0, 1, 127, 129])
  func `a message of another size is refused`(count: Int) {
    let bytes = [UInt8](repeating: 1, count: count)
    #expect(throws: WireViolation.self) { try WireReply(bytes) }
    #expect(throws: WireViolation.self) { try WireRequest(bytes) }
  }

  @Test func `any single spoilt byte gives a reply or a violation, never a trap`() {
    for kind in Self.replies {
      let whole = WireReply(serial: 1, kind: kind).bytes
      for offset in whole.indices {
        for value: UInt8 in [0, 1, 0x7F, 0x80, 0xFF] {
          var bytes = whole
          bytes[offset] = value
          _ = try? WireReply(bytes)
        }
      }
    }
  }
}

@Suite struct `Data beside the messages` {
  let pages: [Result<PageGeometry, PDFError>] = [
    .success(PageGeometry(index: 5, width: 612, height: 792, label: "iv")),
    .failure(PDFError(code: .pageMissing, message: "m", page: 6, cause: "c")),
    .success(
      PageGeometry(
        index: 7, width: 1, height: 2, label: "",
        boxes: PageBoxes(
          media: PDFRectangle(0, 0, 10, 20), crop: PDFRectangle(1, 1, 9, 19),
          trim: PDFRectangle(2, 2, 8, 18), rotation: 270, userUnit: 2))),
  ]

  @Test func `geometry comes out as it went in`() throws {
    let bytes = pages.flatMap(WireData.bytes(of:))
    #expect(try WireData.geometries(bytes, first: 5, count: 3) == pages)
  }

  @Test func `geometry cut short is refused wherever it is cut`() {
    let bytes = pages.flatMap(WireData.bytes(of:))
    for count in bytes.indices {
      #expect(throws: WireViolation.self) {
        try WireData.geometries(Array(bytes[..<count]), first: 5, count: 3)
      }
    }
  }

  @Test func `a size that is no number becomes a sane one`() throws {
    let lie = PageGeometry(index: 0, width: 1, height: 1, label: "")
    var bytes = WireData.bytes(of: .success(lie))
    bytes.replaceSubrange(1..<9, with: [0, 0, 0, 0, 0, 0, 0xF8, 0x7F])
    let page = try WireData.geometries(bytes, first: 0, count: 1)
    #expect(try page[0].get().width == 612)
  }

  @Test func `an outline comes out clean and cut`() throws {
    let long = String(repeating: "é", count: 1000)
    let bytes =
      WireData.bytes(of: OutlineEntry(title: "a\u{1B}[2J\nb", level: 200, page: 3))
      + WireData.bytes(of: OutlineEntry(title: long, level: 1, page: nil))
    let entries = try WireData.outline(bytes, pageCount: 4)
    #expect(
      entries == [
        OutlineEntry(title: "a [2J b", level: 64, page: 3),
        OutlineEntry(title: String(long.prefix(512)), level: 1, page: nil),
      ])
    #expect(throws: WireViolation.self) { try WireData.outline(bytes, pageCount: 3) }
  }

  @Test func `an error comes out clean`() throws {
    let error = PDFError(code: .damaged, message: "a\u{0}b", cause: nil)
    #expect(
      try WireData.error(WireData.bytes(of: error), code: .damaged, page: 2)
        == PDFError(code: .damaged, message: "a b", page: 2))
  }

  @Test func `bytes that are no text become one`() throws {
    var reader = WireReader([3, 0, 0xFF, 0xC3, 0x41])
    #expect(try reader.takeText(limit: 10) == "\u{FFFD}\u{FFFD}A")
  }
}
