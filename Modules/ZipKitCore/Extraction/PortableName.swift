/// Names that Windows can have, too: pure policy, bytes to bytes.
enum PortableName {
  private static let devices: Set<[UInt8]> = {
    var names = ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"]
    // The superscripts one to three count as digits there.
    for digit in (0...9).map(String.init) + ["\u{b9}", "\u{b2}", "\u{b3}"] {
      names += ["COM" + digit, "LPT" + digit]
    }
    return Set(names.map { Array($0.utf8) })
  }()
  private static let reserved = Set("<>:\"|?*\\".utf8)

  /// One part of a path as it may stand on Windows.
  ///
  /// Characters that Windows keeps for itself become `_`, as do blanks and dots at the end; `_` is put behind the
  /// name of a device, whatever ending follows.
  static func mended(_ part: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var result = Array(part)
    for place in result.indices where result[place] < 0x20 || reserved.contains(result[place]) {
      result[place] = UInt8(ascii: "_")
    }
    for place in result.indices.reversed() {
      guard result[place] == UInt8(ascii: " ") || result[place] == UInt8(ascii: ".") else { break }
      result[place] = UInt8(ascii: "_")
    }
    let stem = result.prefix { $0 != UInt8(ascii: ".") }
    let blanks = stem.reversed().prefix { $0 == UInt8(ascii: " ") }.count
    let name = stem.dropLast(blanks).map { $0 >= 0x61 && $0 <= 0x7a ? $0 & 0xdf : $0 }
    if devices.contains(name) { result.insert(UInt8(ascii: "_"), at: name.count) }
    return result[...]
  }
}
