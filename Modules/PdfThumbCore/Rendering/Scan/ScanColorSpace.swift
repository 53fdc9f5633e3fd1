/// The colour spaces of scans; the others are the renderer's.
enum ScanColorSpace {
  case gray
  case rgb
  /// An ICC profile of 1 or 3 parts.
  case profile(QPDFObject, parts: Int)
  /// A table of colours.
  case indexed([RGBColor])

  /// Reads the colour space of an image, or returns `nil` for one that is not known here.
  init?(_ object: QPDFObject) {
    switch object.name ?? object.element(0)?.name {
    case "/DeviceGray", "/G", "/CalGray": self = .gray
    case "/DeviceRGB", "/RGB", "/CalRGB": self = .rgb
    case "/ICCBased":
      guard let profile = object.element(1),
        let parts = profile.streamDictionary?["/N"]?.integer, [1, 3].contains(parts)
      else { return nil }
      self = .profile(profile, parts: parts)
    case "/Indexed", "/I":
      guard let palette = Self.palette(object) else { return nil }
      self = .indexed(palette)
    default: return nil
    }
  }

  /// The number of samples of a colour.
  var parts: Int {
    switch self {
    case .gray, .indexed: 1
    case .rgb: 3
    case .profile(_, let parts): parts
    }
  }

  /// What the two values of a bilevel image look like, or `nil` when it has more parts.
  func pair(isInverted: Bool) -> (zero: RGBColor, one: RGBColor)? {
    let colors: [RGBColor]
    switch self {
    case .rgb, .profile(_, 3): return nil
    case .gray: colors = [RGBColor(red: 0, green: 0, blue: 0), .white]
    case .indexed(let palette):
      guard palette.count >= 2 else { return nil }
      colors = palette
    case .profile(let profile, _):
      guard let converted = Self.convert([0, 255], 1, profile), converted.count == 6 else {
        return nil
      }
      colors = Self.colors(converted)
    }
    return isInverted ? (colors[1], colors[0]) : (colors[0], colors[1])
  }

  /// Samples of a profile in sRGB, three bytes each.
  static func convert(_ samples: [UInt8], _ parts: Int, _ profile: QPDFObject) -> [UInt8]? {
    unsafe profile.withStream(.lossless) { bytes in
      unsafe ColorProfile(bytes, parts: parts)?.colors(of: samples)
    }
  }

  private static func palette(_ object: QPDFObject) -> [RGBColor]? {
    guard let named = object.element(1), let base = ScanColorSpace(named),
      let last = object.element(2)?.integer, (1...255).contains(last),
      let table = object.element(3),
      let bytes = table.string ?? table.streamBytes(limit: 1 << 16)
    else { return nil }
    let wanted = (last + 1) * base.parts
    guard bytes.count >= wanted else { return nil }
    let samples = Array(bytes.prefix(wanted))
    switch base {
    case .gray: return samples.map { RGBColor(red: $0, green: $0, blue: $0) }
    case .rgb: return colors(samples)
    case .profile(let profile, let parts):
      return convert(samples, parts, profile).map(colors)
    case .indexed: return nil
    }
  }

  private static func colors(_ samples: [UInt8]) -> [RGBColor] {
    stride(from: 0, to: samples.count - 2, by: 3).map {
      RGBColor(red: samples[$0], green: samples[$0 + 1], blue: samples[$0 + 2])
    }
  }
}
