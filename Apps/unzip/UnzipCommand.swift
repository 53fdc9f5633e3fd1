import CommandLineSupport
import InfoZipForms
import SystemIO
import UnzipJobs
import ZipKitCore

/// `unzip`: what its command line asks for, done on this terminal.
struct UnzipCommand {
  static let spec = CommandSpec(
    name: "unzip", version: "0.1.0", summary: "list, test and extract zip archives",
    description: [
      "Extracts an archive's entries below the current directory or DIR. Options, exit statuses and "
        + "messages are those of Info-ZIP's unzip where they are safe; DIFFERENCES lists the others.",
      "A file gets its name only when it is whole and its checksum holds. Nothing is written outside "
        + "the directory, whatever the archive says.",
    ],
    synopses: ["[options] archive[.zip] [member...] [-x member...] [-d DIR]"],
    operands: [
      .init("archive", .one, summary: "the archive; '-' is standard input", completion: .file),
      .init("member", .any, summary: "entries to take; '*', '?' and '[a-z]' match"),
    ],
    options: UnzipOptions.all,
    examples: [
      .init("unzip a.zip -d out", "Extracts everything into out."),
      .init("unzip -l a.zip '*.txt'", "Lists text files."),
      .init("unzip -p a.zip notes.txt | less", "Reads one entry."),
    ],
    outcomes: .unzip,
    manualSections: [
      .init(
        "DIFFERENCES",
        [
          "Names with '..' are refused, with status 2; Info-ZIP takes the dots out and goes on. With -: "
            + "the dots are followed as far as the directory, and no farther; Info-ZIP's leads out of it.",
          "-M, -V, -F and -U are accepted: there is no pager, nothing of VMS or Acorn is changed in names, "
            + "and no letter is escaped.",
          "Links that lead out of the directory are refused; see --allow-unsafe-links.",
          "Damaged files are not left behind, and a full disk ends with status 50.",
          "Directories of -d are made with the parents they lack.",
          "Of several entries with one path the last is taken, without a question; see --duplicates. "
            + "Names that are one name on other systems, by case or by accents, are remarked upon.",
          "Backslashes in names made on DOS and Windows are separators, with status 0.",
          "Overlapping entries are told by their exact extents; an entry that is listed twice is not one.",
          "A write error of -p and -c is an error.",
          "Errors are one line each, on standard error.",
          "A Unicode name that was made for another name is remarked upon once; Info-ZIP does so again for the "
            + "entry's second header.",
          "Of several archives named by a pattern the first by name is first; Info-ZIP takes them as the directory "
            + "has them, in an order that no one can foresee.",
          "Lists show the times that extraction gives to files: those of Windows' own field count, which "
            + "Info-ZIP leaves aside for the local time of the archive's maker. Names in character sets "
            + "other than UTF-8 are shown in UTF-8.",
        ]),
      .init(
        "JSON",
        [
          "With --json a test, an extraction and a list are one object a line: one for each entry, in the order of the "
            + "archive's directory, and a last one, its summary.",
          "An entry has index, name, kind, size, compressed, method, method_name, crc32, encrypted, modified "
            + "(seconds since 1970), mode, encoding and problems, each of which has rule, message and offset; "
            + "after a test or an extraction also status, and path below the directory.",
          "The summary's name, summary, is the archive; entries counts those of a list, and done, failed, "
            + "refused and skipped what became of others; complete tells whether all is well. It has bytes of "
            + "content, and problems of the archive as a whole.",
          "The first 10,000 problems with entries are told in full, or as many as take 4 MiB. The others are "
            + "counted: omitted, in the summary, says how many they are. An entry of which nothing else is "
            + "told has the rule of its last one, and is marked as abridged.",
        ]),
    ],
    seeAlso: ["zipinfo(1)", "fetch(1)"], grammar: .infoZip, usageStatus: ExitStatus(.badOptions),
    outputStatus: ExitStatus(.diskFull), failureStatus: ExitStatus(.error),
    showsHelpWhenEmpty: true,
    optionVariables: ["UNZIP", "UNZIPOPT"],
    alternates: [.init(prefix: "-Z", spec: ZipInfoCommand.spec)])

  private let context: CommandContext
  private let arguments: ParsedArguments

  init(_ context: CommandContext) {
    self.context = context
    arguments = context.arguments
  }

  func run() async throws -> UnzipStatus {
    var request = try UnzipRequest(arguments, listed: try listedMembers())
    if arguments.operands.isEmpty {
      context.console.print("unzip (Courier) \(Self.spec.version), a drop-in for UnZip 6.00")
      return .success
    }
    request.extraction.passwords = try passwords()
    request.isJSON = context.settings.isJSON
    request.quietness = context.settings.quietness
    return try await UnzipJob(request, through: context).run()
  }

  private func passwords() throws -> [[UInt8]] {
    var result = arguments.texts(UnzipOptions.password).map { Array($0.utf8) }
    if let path = arguments.text(UnzipOptions.passwordFile) {
      let bytes = try read(path)
      result.append(Array(bytes.prefix { $0 != 0x0a && $0 != 0x0d }))
    }
    return result
  }

  private func listedMembers() throws -> [String] {
    guard let path = arguments.text(UnzipOptions.filesFrom) else { return [] }
    return try read(path).split(whereSeparator: { $0 == 0x0a || $0 == 0 })
      .map { String(decoding: $0, as: UTF8.self) }
  }

  private func read(_ path: String) throws -> [UInt8] {
    do {
      if path == "-" { return try FileDescriptor(borrowing: 0).readToEnd(limit: 64 << 20) }
      return try FileDescriptor.open(path).readToEnd(limit: 64 << 20)
    } catch {
      throw CommandFailure(
        path, "expected a file to read, found \"\(error.reason)\"", status: ExitStatus(.badOptions))
    }
  }
}
