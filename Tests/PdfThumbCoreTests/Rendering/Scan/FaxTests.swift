import PdfThumbCore
import TestSupport
import Testing

/// Fax-coded pages, written bit by bit.
@Suite struct `Fax-coded scans` {
  /// Bits as they are sent.
  private struct Bits {
    var text = ""
    mutating func put(_ code: String) { text += code }
    mutating func align() { while !text.count.isMultiple(of: 8) { text += "0" } }
    var bytes: [UInt8] {
      var padded = text
      while !padded.count.isMultiple(of: 8) { padded += "0" }
      let digits = Array(padded)
      return stride(from: 0, to: digits.count, by: 8).map {
        UInt8(String(digits[$0..<$0 + 8]), radix: 2) ?? 0
      }
    }
  }

  /// A page of 1,024 by 1,024 pixels: 256 white rows, then rows that are black from 512 to 768.
  private static func page(_ bytes: [UInt8], _ parameters: String, extra: String = "") -> PDFBuilder
  {
    var builder = PDFBuilder(pages: [
      .init(
        mediaBox: "[0 0 100 100]", content: "100 0 0 100 0 0 cm /I Do",
        resources: "/XObject << /I 1000 0 R >>")
    ])
    builder.objects[1000] = PDFBuilder.stream(
      """
      /Type /XObject /Subtype /Image /Width 1024 /Height 1024 /BitsPerComponent 1 /ColorSpace \
      /DeviceGray /Filter /CCITTFaxDecode /DecodeParms << /Columns 1024 \(parameters) >> \(extra)
      """, bytes)
    return builder
  }

  private static let white1024 = "011010101" + "00110101"  // 1024 + 0
  private static let run512 = "01100101" + "00110101"  // white 512 + 0
  private static let black256 = "000001011011" + "0000110111"  // black 256 + 0
  private static let white256 = "0110111" + "00110101"  // white 256 + 0
  private static let endOfLine = "000000000001"

  private static func oneDimensional(lines: Bool = false, aligned: Bool = false) -> [UInt8] {
    var bits = Bits()
    for row in 0..<1024 {
      if aligned { bits.align() }
      if lines { bits.put("0000" + endOfLine) }
      bits.put(row < 256 ? white1024 : run512 + black256 + white256)
    }
    return bits.bytes
  }

  private static func twoDimensional() -> [UInt8] {
    var bits = Bits()
    for row in 0..<1024 {
      switch row {
      case ..<256: bits.put("1")  // V0: the row above is white, and so is this one
      case 256: bits.put("001" + run512 + black256 + "1")
      default: bits.put("1" + "1" + "1")
      }
    }
    bits.put(endOfLine + endOfLine)
    return bits.bytes
  }

  /// Rows with a tag bit: the first of four one-dimensional, the others by the row above.
  private static func mixed() -> [UInt8] {
    var bits = Bits()
    for row in 0..<1024 {
      let isFirst = row.isMultiple(of: 4)
      bits.put(endOfLine + (isFirst ? "1" : "0"))
      if isFirst {
        bits.put(row < 256 ? white1024 : run512 + black256 + white256)
      } else {
        bits.put(row < 256 ? "1" : "111")
      }
    }
    return bits.bytes
  }

  private func draw(_ builder: PDFBuilder) throws -> (picture: Picture, report: DrawingReport) {
    var document = try PDFDocument(.bytes(builder.build()))
    return try PageRenderer().picture(
      of: 0, in: &document, size: PixelSize(width: 16, height: 16))
  }

  private static let codings: [(String, [UInt8])] = [
    ("/K 0", oneDimensional()), ("/K 0 /EndOfLine true", oneDimensional(lines: true)),
    ("/EncodedByteAlign true", oneDimensional(aligned: true)), ("/K -1", twoDimensional()),
    ("/K 4 /EndOfLine true", mixed()),
  ]

  @Test(arguments: Self.codings.indices)
  func `each coding gives the picture that was coded`(index: Int) throws {
    let (parameters, bytes) = Self.codings[index]
    let drawn = try draw(Self.page(bytes, parameters))
    #expect(drawn.report.source == .scan)
    let expected = (0..<256).flatMap { index in
      let isBlack = index / 16 >= 4 && (8..<12).contains(index % 16)
      return [UInt8](repeating: isBlack ? 0 : 255, count: 3)
    }
    #expect(drawn.picture.pixels == expected, "\(parameters)")
    let inverted = try draw(Self.page(bytes, parameters + " /BlackIs1 true"))
    #expect(inverted.picture.pixels == drawn.picture.pixels.map { 255 - $0 })
  }

  @Test(arguments: [
    // Cut short, too long a run, a code that is none, another width, rows missing.
    ("/K -1", Array(twoDimensional().prefix(60))), ("/K 0", Array(oneDimensional().prefix(900))),
    ("/K 0", [UInt8](repeating: 0x69, count: 4000)), ("/K -1", [UInt8](repeating: 0, count: 4000)),
    ("/K -1 /Columns 1000", twoDimensional()), ("/K -1", []),
  ])
  func `rows that are not sound are the renderer's`(parameters: String, bytes: [UInt8]) throws {
    #expect(try draw(Self.page(bytes, parameters)).report.source == .render)
  }

  @Test func `any bytes are survived`() throws {
    var random = SeededRandom()
    for round in 0..<40 {
      let bytes = random.bytes(3000)
      let k = ["-1", "0", "4"][round % 3]
      #expect(try draw(Self.page(bytes, "/K \(k)")).report.source == .render)
    }
  }
}
