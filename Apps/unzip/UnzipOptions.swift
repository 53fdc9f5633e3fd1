import CommandLineSupport

/// The options of `unzip`: Info-ZIP's letters, then what Courier adds.
enum UnzipOptions {
  static let list = OptionSpec("", "l", section: "Actions", summary: "list entries, short")
  static let verbose = OptionSpec(
    "", "v", section: "Actions", summary: "list entries with methods, ratios and checksums",
    details: "Alone, without an archive, it tells the version.", waivesOperands: true)
  static let test = OptionSpec(
    "", "t", section: "Actions", summary: "decode and check everything, write nothing")
  static let pipe = OptionSpec(
    "", "p", section: "Actions", summary: "write contents to standard output, nothing else")
  static let print = OptionSpec(
    "", "c", section: "Actions", summary: "write contents to standard output, with names")
  static let comment = OptionSpec(
    "", "z", section: "Actions", summary: "show the archive's comment")
  static let stamp = OptionSpec(
    "", "T", section: "Actions", summary: "give the archive the time of its newest entry")
  static let freshen = OptionSpec(
    "", "f", section: "Actions", summary: "replace files that exist and are older, make none")
  static let update = OptionSpec(
    "", "u", section: "Actions", summary: "replace files that are older, make missing ones")

  static let directory = OptionSpec(
    "directory", "d", .text, metavar: "DIR", section: "Placement",
    summary: "extract into DIR, made with the parents it lacks", completion: .directory)
  static let overwrite = OptionSpec(
    "", "o", section: "Placement", summary: "replace existing files without asking")
  static let never = OptionSpec("", "n", section: "Placement", summary: "keep existing files")
  static let existing = OptionSpec(
    "existing", nil, .choice(["ask", "skip", "replace", "rename", "fail"]), metavar: "WHAT",
    section: "Placement", summary: "when a file is there (default ask)",
    details: "Without anybody to ask, files are kept and the exit status is 1.")
  static let duplicates = OptionSpec(
    "duplicates", nil, .choice(["last", "first", "rename", "error"]), metavar: "WHICH",
    section: "Placement", summary: "which of several entries of one path counts (default last)")
  static let junkPaths = OptionSpec(
    "", "j", section: "Placement", summary: "leave out directories of names")
  static let strip = OptionSpec(
    "strip-components", nil, .integer(0...1000), section: "Placement",
    summary: "leave out N leading directories of names")
  static let lowercase = OptionSpec(
    "", "L", section: "Placement",
    summary: "small letters for names made on DOS; twice: for all names")
  static let keepControl = OptionSpec(
    "", "^", section: "Placement", summary: "keep control characters in names")
  static let portableNames = OptionSpec(
    "portable-names", nil, section: "Placement",
    summary: "change names that Windows cannot have, as 'aux.txt' or 'a:b'")
  static let parents = OptionSpec(
    "", ":", section: "Placement", summary: "follow '..' in names, within the directory only")
  static let backup = OptionSpec(
    "", "B", section: "Placement", summary: "keep a replaced file as NAME~")
  static let noTimes = OptionSpec(
    "", "D", section: "Placement", summary: "no times for directories; twice: for nothing")
  static let specialBits = OptionSpec(
    "", "K", section: "Placement", summary: "keep set-id and sticky bits")
  static let owner = OptionSpec(
    "", "X", section: "Placement", summary: "restore users and groups")
  static let unsafeLinks = OptionSpec(
    "allow-unsafe-links", nil, section: "Placement",
    summary: "make links that lead out of the directory")
  static let sparse = OptionSpec(
    "sparse", nil, section: "Placement", summary: "make holes of zero bytes")
  static let dryRun = OptionSpec(
    "dry-run", nil, section: "Placement", summary: "say what would be written, write nothing")

  static let exclude = OptionSpec(
    "exclude", "x", .list, metavar: "MEMBER...", section: "Selection",
    summary: "leave out members that match")
  static let ignoreCase = OptionSpec(
    "", "C", section: "Selection", summary: "match members in both cases")
  static let wildStop = OptionSpec(
    "", "W", section: "Selection", summary: "'*' and '?' stop at '/', '**' does not")
  static let realFiles = OptionSpec(
    "real-files", nil, section: "Selection",
    summary: "leave out directory entries, __MACOSX/, ._* and .DS_Store")
  static let filesFrom = OptionSpec(
    "files-from", nil, .text, metavar: "FILE", section: "Selection",
    summary: "members to extract, one a line; '-' is standard input", completion: .file)

  static let password = OptionSpec(
    "", "P", .text, metavar: "PASSWORD", section: "Reading",
    summary: "password; visible to other users for a moment, see --password-file",
    isRepeatable: true, isSecret: true)
  static let passwordFile = OptionSpec(
    "password-file", nil, .text, metavar: "FILE", section: "Reading",
    summary: "read the password from the first line of FILE", completion: .file)
  static let encoding = OptionSpec(
    "encoding", "O", .text, metavar: "NAME", section: "Reading",
    summary: "character set of names without a Unicode mark (default: detect)",
    shortAliases: ["I"])
  static let strict = OptionSpec(
    "strict", nil, section: "Reading",
    summary: "refuse archives with any inconsistency, naming each by its rule")
  static let recover = OptionSpec(
    "recover", nil, section: "Reading",
    summary: "salvage a damaged or truncated archive, and say what was saved",
    details: "Looks at every byte of the archive. Only files whose checksums hold get their names.")
  static let text = OptionSpec(
    "", "a", section: "Reading",
    summary: "convert line ends of text entries; twice: of all entries")
  static let binary = OptionSpec("", "b", section: "Reading", summary: "convert nothing")
  static let jobs = OptionSpec(
    "jobs", nil, .integer(1...1024), section: "Reading", summary: "workers (default: cores)")
  static let maxSize = OptionSpec(
    "max-size", nil, .size, section: "Limits", summary: "refuse more bytes of content in all")
  static let maxRatio = OptionSpec(
    "max-ratio", nil, .integer(1...1_000_000), section: "Limits",
    summary: "refuse a higher compression ratio",
    details: "Of each entry and of all together, where it is more than a mebibyte of content.")
  static let maxFiles = OptionSpec(
    "max-files", nil, .integer(0...Int.max), section: "Limits", summary: "refuse more entries",
    details: "Directories that only the names of others tell of count, too.")

  // Accepted for scripts' sake: what they ask for is so already, or has no meaning on Linux.
  static let ignored: [OptionSpec] = [
    ("M", "no pager: output goes where it is sent"),
    ("V", "VMS version numbers are kept, as always"),
    ("F", "Acorn file types are of no use here"),
    ("U", "letters beyond ASCII are not escaped"),
  ].map {
    OptionSpec("", Character($0.0), section: "Accepted", summary: "accepted; " + $0.1)
  }

  static let all: [OptionSpec] =
    [
      list, verbose, test, pipe, print, comment, stamp, freshen, update, directory, overwrite,
      never, existing, duplicates, junkPaths, strip, lowercase, keepControl, portableNames, parents,
      backup,
      noTimes,
      specialBits, owner, unsafeLinks, sparse, dryRun, exclude, ignoreCase, wildStop, realFiles,
      filesFrom, password, passwordFile, encoding, strict, recover, text, binary, jobs, maxSize,
      maxRatio,
      maxFiles,
    ] + ignored
}
