@testable import PdfThumbCore

/// Small documents of pages that are text, and of pages that are one image.
enum DocumentSeeds {
  static let models: [DocumentModel] = [text] + images.map(scan)

  private static let content = "q 0.5 g 20 20 90 200 re f Q BT /F1 40 Tf 3 Tr (Hg) Tj ET /I Do"

  private static let text = DocumentModel([
    words("<< /Type /Catalog /Pages 2 0 R >>"),
    words("<< /Type /Pages /Count 2 /Kids [3 0 R 7 0 R] >>"),
    words(
      """
      << /Type /Page /Parent 2 0 R /MediaBox [0 0 200 300] /Contents [4 0 R 8 0 R] /Annots [6 0 R] \
      /Resources << /Font << /F1 5 0 R >> /XObject << /I 9 0 R >> /ExtGState << /G << /ca .5 >> >> >> >>
      """),
    DocumentModel.stream("", words(content), isPacked: true),
    words(
      "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /FontDescriptor << /FontFile 8 0 R >> >>"
    ),
    words("<< /Type /Annot /Subtype /Link /Rect [0 0 9 9] /Border [0 0 0] >>"),
    words(
      "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] /Rotate 90 /Contents 8 0 R /Resources << >> >>"
    ),
    DocumentModel.stream("", words("1 0 0 1 5 5 cm 0 0 m 9 9 l S"), isPacked: true),
    DocumentModel.stream(
      "/Type /XObject /Subtype /Form /BBox [0 0 200 300] /Matrix [1 0 0 1 0 0] /Resources << /XObject << /I 9 0 R >> >>",
      words("q /I Do Q"), isPacked: true),
  ])

  private static let size = PixelSize(width: 48, height: 64)
  private static let samples: [UInt8] = (0..<size.width * size.height).map {
    UInt8(truncatingIfNeeded: ($0 &* $0) >> 5)
  }
  private static let colors: [UInt8] = samples.flatMap { [$0, 255 - $0, $0 / 2] }
  private static let rows: [UInt8] = (0..<size.height).flatMap { (row: Int) -> [UInt8] in
    let start = row * size.width
    return [UInt8(row % 5)] + samples[start..<start + size.width]
  }

  /// Images as they stand in documents.
  private static let images: [[UInt8]] = [
    image("/ColorSpace /DeviceRGB /BitsPerComponent 8", colors, isPacked: true),
    image("/ColorSpace /DeviceRGB /BitsPerComponent 8 /SMask 6 0 R", colors),
    image("/ColorSpace /DeviceCMYK /BitsPerComponent 8", colors + samples, isPacked: true),
    image(
      "/ColorSpace /DeviceGray /BitsPerComponent 8 /DecodeParms << /Predictor 15 /Columns 48 >>",
      rows,
      isPacked: true),
    image(
      "/ColorSpace [/Indexed /DeviceRGB 15 <\(String(repeating: "00ff80", count: 16))>] /BitsPerComponent 4",
      Array(samples.prefix(24 * 64)), isPacked: true),
    image("/ImageMask true /BitsPerComponent 1 /Decode [1 0]", Array(samples.prefix(6 * 64))),
    image(
      "/ColorSpace /DeviceGray /BitsPerComponent 1 /Filter /CCITTFaxDecode /DecodeParms << /K -1 /Columns 48 >>",
      [0x26, 0xA3, 0xD4, 0x35, 0xFF] + [UInt8](repeating: 0xFF, count: 60)),
    image(
      "/ColorSpace /DeviceGray /BitsPerComponent 8 /Filter /RunLengthDecode",
      (0..<size.height).flatMap { row in [UInt8(257 - 48), UInt8(row)] } + [128]),
    image(
      "/ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /DCTDecode",
      (try? TurboJPEG.encode(colors, size: size, isGray: false, quality: 60)) ?? []),
    image(
      "/ColorSpace /DeviceGray /BitsPerComponent 8 /Filter /DCTDecode",
      (try? TurboJPEG.encode(samples, size: size, isGray: true, quality: 60)) ?? []),
  ]

  private static func image(_ entries: String, _ data: [UInt8], isPacked: Bool = false) -> [UInt8] {
    let dimensions = "/Width \(size.width) /Height \(size.height)"
    return DocumentModel.stream(
      "/Type /XObject /Subtype /Image \(dimensions) \(entries)", data, isPacked: isPacked)
  }

  private static func scan(_ image: [UInt8]) -> DocumentModel {
    DocumentModel([
      words("<< /Type /Catalog /Pages 2 0 R >>"),
      words("<< /Type /Pages /Count 1 /Kids [3 0 R] >>"),
      words(
        """
        << /Type /Page /Parent 2 0 R /MediaBox [0 0 200 300] /Contents 4 0 R \
        /Resources << /XObject << /I 5 0 R /J 6 0 R >> >> >>
        """),
      DocumentModel.stream("", words("q 200 0 0 300 0 0 cm /I Do Q"), isPacked: true),
      image,
      DocumentSeeds.image("/ColorSpace /DeviceGray /BitsPerComponent 8", samples, isPacked: true),
    ])
  }

  private static func words(_ text: String) -> [UInt8] { Array(text.utf8) }
}
