internal import CLcms

/// The owner of one lcms transform: from an ICC profile's colours to sRGB, by the intent poppler uses.
@safe
struct ColorProfile: ~Copyable {
  private let raw: UnsafeMutableRawPointer
  private let parts: Int

  /// Reads a profile of gray (1 part) or RGB (3 parts), or returns `nil` when it is none.
  init?(_ profile: UnsafeRawBufferPointer, parts: Int) {
    let start = unsafe profile.baseAddress?.assumingMemoryBound(to: UInt8.self)
    guard let count = UInt32(exactly: profile.count),
      let raw = unsafe clcms_open(start, count, Int32(parts))
    else { return nil }
    unsafe self.raw = raw
    self.parts = parts
  }

  deinit { unsafe cmsDeleteTransform(raw) }

  /// The colours of samples, three bytes each.
  func colors(of samples: [UInt8]) -> [UInt8] {
    let pixels = samples.count / parts
    guard let count = UInt32(exactly: pixels) else { return [] }
    var colors = [UInt8](repeating: 0, count: pixels * 3)
    unsafe cmsDoTransform(raw, samples, &colors, count)
    return colors
  }
}
