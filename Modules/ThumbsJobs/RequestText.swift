package import PdfThumbCore

extension ThumbnailSize {
  /// Reads a box such as `128x96`, or one number for both sides; `nil` for anything else.
  package init?(box text: String) {
    let sides = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard let width = sides[0], (1...32_767).contains(width) else { return nil }
    guard sides.count > 1 else {
      self = .fit(width: width, height: width)
      return
    }
    guard sides.count == 2, let height = sides[1], (1...32_767).contains(height) else { return nil }
    self = .fit(width: width, height: height)
  }

  /// Reads pixels a point, over 0 and up to 1000; `nil` for anything else.
  package init?(scale text: String) {
    guard let scale = Double(text), scale > 0, scale <= 1000 else { return nil }
    self = .scale(scale)
  }
}

extension PageGround {
  /// Reads `none`, `white`, `black` or six hexadecimal digits with or without `#`; `nil` for anything else.
  package init?(_ text: String) {
    switch text {
    case "none": self = .none
    case "white": self = .color(.white)
    case "black": self = .color(RGBColor(red: 0, green: 0, blue: 0))
    default:
      let digits = text.hasPrefix("#") ? text.dropFirst() : text[...]
      guard digits.utf8.count == 6, digits.allSatisfy(\.isHexDigit),
        let value = UInt32(digits, radix: 16)
      else { return nil }
      self = .color(
        RGBColor(
          red: UInt8(value >> 16), green: UInt8(value >> 8 & 255), blue: UInt8(value & 255)))
    }
  }
}
