/// The name of a file that is not whole.
enum PartName {
  static let suffix = ".part"
  static let journalSuffix = ".journal"

  /// The part beside a target: its path with `.part`.
  ///
  /// Where that, or the journal's name, would be longer than a name may be, the target's name is cut
  /// between two characters and told from others like it by a checksum of the whole.
  static func part(of path: String) -> String {
    let room = SafeFileName.byteLimit - suffix.utf8.count - journalSuffix.utf8.count
    let name =
      path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path[path.utf8.index(after: $0)...] }
      ?? path[...]
    guard name.utf8.count > room else { return path + suffix }
    let check = "~" + hex(CRC32C.checksum(name.utf8))
    var kept = ""
    for character in name {
      guard kept.utf8.count + character.utf8.count + check.utf8.count <= room else { break }
      kept.append(character)
    }
    return path[..<name.startIndex] + kept + check + suffix
  }

  /// The journal of a part.
  static func journal(of part: String) -> String { part + journalSuffix }

  private static func hex(_ value: UInt32) -> String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 8 - digits.utf8.count) + digits
  }
}
