package import ZipKitCore

/// Which names `-L` shows in small letters.
package enum CaseConversion {
  /// Whether names of an entry's system are changed.
  static func changes(_ entry: ZipEntry, _ rule: ExtractionOptions.Lowercasing) -> Bool {
    rule == .all || rule == .fromDOS && !entry.host.hasUnixMode
  }

  /// A name of an entry, in small letters where that is asked for.
  package static func name(
    _ entry: ZipEntry, _ name: String, by rule: ExtractionOptions.Lowercasing
  ) -> String {
    guard changes(entry, rule) else { return name }
    return String(
      decoding: name.utf8.map { $0 >= 0x41 && $0 <= 0x5a ? $0 | 0x20 : $0 }, as: UTF8.self)
  }
}
