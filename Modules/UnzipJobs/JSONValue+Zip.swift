internal import Dialogue
internal import ZipKitCore

// Entries, problems and salvages as programs read them.
extension JSONValue {
  /// What the directory tells of an entry.
  static func fields(_ entry: ZipEntry) -> [Field] {
    let moment = entry.modified
    return [
      .init("index", .init(entry.index)), .init("name", .string(entry.name)),
      .init("kind", .string("\(entry.kind)")), .init("size", .init(entry.size)),
      .init("compressed", .init(entry.compressedSize)),
      .init("method", .init(entry.codingMethod.rawValue)),
      .init("method_name", .init(entry.codingMethod.name)),
      .init("crc32", .string(digits(entry.crc32))), .init("encrypted", .bool(entry.isEncrypted)),
      .init("modified", .init(moment.seconds)),
      .init("mode", entry.unixMode.map { .init($0) } ?? .null),
      .init("encoding", .string(encoding(entry))),
    ]
  }

  /// What is wrong with an entry, and whether there is more of it.
  static func fields(_ problems: [ZipError], isAbridged: Bool) -> [Field] {
    [.init("problems", .array(problems.map { JSONValue($0) }))]
      + (isAbridged ? [.init("abridged", .bool(true))] : [])
  }

  init(_ problem: ZipError) {
    self = [
      "rule": .string(problem.code.id), "message": .string(problem.message),
      "offset": problem.offset.map { .init($0) } ?? .null,
    ]
  }

  init(_ salvage: ArchiveSalvage) {
    self = [
      "reason": salvage.reason.map { JSONValue($0) } ?? .null,
      "found": .init(salvage.archive.entries.count),
      "lost": .array(
        salvage.lost.map { ["name": .string($0.name), "size": .init($0.size)] }),
      "gaps": .array(
        salvage.gaps.map {
          ["offset": .init($0.lowerBound), "count": .init($0.upperBound - $0.lowerBound)]
        }),
    ]
  }

  private static func encoding(_ entry: ZipEntry) -> String {
    switch entry.nameOrigin {
    case .ascii: "ASCII"
    case .utf8Flag, .unicodeField, .utf8Guess: "UTF-8"
    case .encoding(let name): name
    }
  }

  private static func digits(_ value: UInt32) -> String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 8 - digits.utf8.count) + digits
  }
}
