/// The filter for what a person would call the files of an archive.
public enum RealFiles {
  /// Whether a name is of a file that somebody meant to pack: no directory entry, nothing of macOS's
  /// `__MACOSX/`, `._*` and `.DS_Store`, nor Windows' `Thumbs.db` and `desktop.ini`.
  public static func contains(_ name: String) -> Bool {
    guard name.utf8.last != UInt8(ascii: "/") else { return false }
    let parts = name.utf8.split(separator: UInt8(ascii: "/")).map { Substring($0) }
    guard let last = parts.last, !parts.contains("__MACOSX") else { return false }
    return !last.hasPrefix("._") && last != ".DS_Store" && last != "Thumbs.db"
      && last != "desktop.ini"
  }
}

extension ZipEntry {
  /// Whether the entry is a file that somebody meant to pack; see ``RealFiles``.
  public var isRealFile: Bool { kind != .directory && kind != .special && RealFiles.contains(name) }
}

/// Names for files whose own name is taken.
enum UniqueName {
  /// `report.pdf` as `report (2).pdf`, cut so that it still fits a file system.
  static func numbered(_ name: String, _ count: Int) -> String {
    let bytes = Array(name.utf8)
    let dot = bytes.lastIndex(of: UInt8(ascii: ".")).flatMap { $0 > 0 ? $0 : nil } ?? bytes.count
    let mark = " (\(count))"
    let tail = bytes[dot...].count <= 64 ? Array(bytes[dot...]) : []
    var stem = tail.isEmpty && dot < bytes.count ? bytes[...] : bytes[..<dot]
    let room = 255 - mark.utf8.count - tail.count
    while stem.count > room { stem.removeLast() }
    // A cut may have split a character.
    while let last = stem.last, last >= 0x80, String(validating: stem, as: UTF8.self) == nil {
      stem.removeLast()
    }
    return String(decoding: stem, as: UTF8.self) + mark + String(decoding: tail, as: UTF8.self)
  }
}
