package import ZipKitCore

/// Lines that tell of one entry while it is worked on; names are as they are to be shown.
package enum EntryLine {
  /// `  inflating: NAME`, with what follows the name.
  package static func verb(_ verb: String, _ name: String, _ rest: String = "") -> String {
    String(repeating: " ", count: max(0, 8 - verb.utf8.count)) + verb + "ing: " + padded(name)
      + "  " + rest
  }

  /// A name filled up to 22 columns.
  package static func padded(_ name: String) -> String {
    name + String(repeating: " ", count: max(0, 22 - name.utf8.count))
  }

  /// `   creating: NAME/`.
  package static func creating(_ name: String) -> String { "   creating: \(name)" }

  /// An entry whose content is written; `marks` adds what conversion of line ends goes by.
  package static func writing(_ entry: ZipEntry, _ name: String, marks: Bool) -> String {
    let mark = entry.size == 0 ? "[empty] " : entry.isText ? "[text]  " : "[binary]"
    return verb(verb(entry.codingMethod), name, marks ? mark : "")
  }

  /// A link that is made, and the line about it when all are made.
  package static func linking(_ name: String, to target: String) -> (now: String, later: String) {
    (verb("link", name, "-> \(target) "), "  \(padded(name)) -> \(target)")
  }

  /// The outcome of a test.
  package static func tested(
    _ entry: ZipEntry, _ name: String, _ outcome: ExtractionReport.Outcome
  ) -> String {
    guard let problem = outcome.problems.first, outcome.status != .done else {
      return verb("test", name, outcome.status == .done ? " OK" : " cancelled")
    }
    switch problem.code {
    case .passwordNeeded: return verb("skipp", name, "unable to get password")
    case .passwordWrong: return verb("skipp", name, "incorrect password")
    case .methodUnsupported:
      return verb("skipp", name, "unsupported compression method \(entry.codingMethod.rawValue)")
    default: return verb("test", name, " \(problem.code.id)")
    }
  }

  private static func verb(_ method: CompressionMethod) -> String {
    switch method {
    case .deflated, .deflate64: "inflat"
    case .shrunk: "unshrink"
    case .imploded: "explod"
    case .bzip2: "bunzipp"
    default: "extract"
    }
  }
}

/// Lines about an archive as a whole.
package enum ArchiveLine {
  /// Tells of problems that are only counted; nil where there are none of those that are meant.
  package static func omitted(
    _ problems: ZipProblems, where isMeant: (ZipError.Code) -> Bool
  ) -> String? {
    let count = problems.omitted(where: isMeant)
    return count == 0 ? nil : "\(count) more problem\(count == 1 ? "" : "s")"
  }

  /// The name that stands before everything else.
  package static func head(_ path: String) -> String { "Archive:  \(path)" }

  /// Two lines about bytes in front of an archive.
  package static func prefix(_ path: String, bytes: Int64) -> [String] {
    [
      "warning [\(path)]:  \(bytes) extra bytes at beginning or within zipfile",
      "  (attempting to process anyway)",
    ]
  }

  /// A name of an archive that stands for no file.
  package static func notFound(_ program: String, _ name: String) -> String {
    "\(program):  cannot find or open \(name), \(name).zip or \(name).ZIP."
  }

  /// Lines about a Unicode name that is not used; none where all is well with it.
  package static func unicodeName(_ entry: ZipEntry) -> [String] {
    switch entry.unicodeNameFault {
    case nil: []
    case .version: ["", "warning:  Unicode Path version > 1"]
    case .checksum: ["", "warning:  Unicode Path checksum invalid"]
    }
  }

  /// Patterns that did nothing.
  package static func unmatched(_ selection: EntrySelection) -> [String] {
    selection.unmatched.map { "caution: filename not matched:  \($0.text)" }
      + selection.unused.map { "caution: excluded filename not matched:  \($0.text)" }
  }
}
