/// Whether a symbolic link stays inside the target directory: pure, on text alone.
package enum LinkPolicy {
  /// The longest target Linux takes.
  static let longestTarget = 4095

  /// Judges a link.
  ///
  /// A `..` may follow only the real directories that extraction itself made: behind anything else, which
  /// might be a link too, it could lead anywhere.
  /// - Parameters:
  ///   - target: The link's text.
  ///   - directory: The parts of the directory that the link stands in.
  ///   - isRealDirectory: Whether a path below the target is a directory that is no link.
  /// - Throws: ``ZipError``: `link-damaged`, `link-escapes`.
  package static func check(
    _ target: [UInt8], in directory: String, isRealDirectory: (String) -> Bool
  ) throws(ZipError) {
    guard !target.isEmpty, target.count <= longestTarget, !target.contains(0) else {
      throw .linkDamaged(target.count)
    }
    let text = String(decoding: target, as: UTF8.self)
    let slash = UInt8(ascii: "/")
    guard target[0] != slash else { throw .linkEscapes(text) }
    // By bytes: as a character, a slash takes an accent behind it along and is no slash any more.
    var parts = directory.utf8.split(separator: slash).map { Array($0) }
    for part in target.split(separator: slash) where !part.elementsEqual(".".utf8) {
      if part.elementsEqual("..".utf8) {
        let here = String(validating: parts.joined(separator: [slash]), as: UTF8.self)
        guard !parts.isEmpty, let here, isRealDirectory(here) else { throw .linkEscapes(text) }
        parts.removeLast()
      } else {
        parts.append(Array(part))
      }
    }
  }
}
