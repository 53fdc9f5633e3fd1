import CommandLineSupport
import Testing

/// A command with one option of each kind, and texts that are hard to quote.
enum Sample {
  static let output = OptionSpec(
    "output", "o", .text, metavar: "FILE", section: "Files", summary: "write there",
    details: "A '-' means standard output; C:\\temp and [brackets] are nothing special.",
    completion: .file)
  static let directory = OptionSpec(
    "directory", "d", .text, metavar: "DIR", section: "Files",
    summary: "where files go: \"here\" without it", completion: .directory)
  static let existing = OptionSpec(
    "existing", nil,
    .choice([
      .init("skip", "leave what's there"), .init("replace", "write over it: $HOME too"),
      .init("rename"), .init("fail", "stop \"at once\""),
    ]),
    metavar: "WHAT", section: "Files", summary: "when the target exists")
  static let resume = OptionSpec(
    "resume", nil, .negatableFlag, section: "Files", summary: "go on where it stopped")
  static let connections = OptionSpec(
    "connections", "n", .integer(1...16, words: ["auto"]), section: "Network",
    summary: "segments a file")
  static let limit = OptionSpec(
    "max-size", nil, .size, section: "Network", summary: "largest file")
  static let timeout = OptionSpec(
    "connect-timeout", nil, .duration, section: "Network", summary: "patience")
  static let header = OptionSpec(
    "header", "H", .text, metavar: "LINE", section: "Network", summary: "send this line",
    isRepeatable: true)
  static let serve = OptionSpec(
    "serve", nil, .integer(0...65535), metavar: "PORT", section: "Network", summary: "show pages",
    isValueOptional: true)
  static let verbose = OptionSpec("verbose", "v", section: "Network", summary: "tell more")
  static let explain = OptionSpec(
    "explain", nil, .text, metavar: "CODE", section: "Network", summary: "explain an error",
    waivesOperands: true)
  static let secret = OptionSpec("secret", nil, summary: "not for everybody", isHidden: true)

  static let spec = CommandSpec(
    name: "sample", version: "1.2.3", summary: "fetch things, carefully",
    description: [
      "Fetches each thing. A line that is long enough has to be wrapped somewhere, which is what"
        + " this one is for.", ".starts with a dot, and isn't a request.",
    ],
    operands: [.init("URL", .oneOrMore, summary: "what to fetch", completion: .file)],
    options: [
      output, directory, existing, resume, connections, limit, timeout, header, serve, verbose,
      explain, secret,
    ],
    examples: [.init("sample -o 'a b' https://example.org/~x", "Fetches one thing.")],
    outcomes: [
      .init(.success, "all was fetched"), .init(.failure, "something was not"),
      .init(.usage, "the command line could not be understood"),
    ],
    manualSections: [.init("DIFFERENCES", ["None that matter — or so we think."])],
    seeAlso: ["curl(1)", "wget(1)"])
}

/// A command with the grammar of Info-ZIP.
enum Zipped {
  static let list = OptionSpec("", "l", section: "Modes", summary: "list")
  static let test = OptionSpec("", "t", section: "Modes", summary: "test")
  static let junk = OptionSpec("", "j", summary: "no directories")
  static let overwrite = OptionSpec("", "o", summary: "overwrite")
  static let never = OptionSpec("", "n", summary: "never overwrite")
  static let exclude = OptionSpec("", "x", .list, metavar: "member...", summary: "leave out")
  static let directory = OptionSpec(
    "", "d", .text, metavar: "dir", summary: "extract there", completion: .directory)
  static let encoding = OptionSpec(
    "encoding", "O", .text, metavar: "NAME", summary: "names", shortAliases: ["I"])
  static let jobs = OptionSpec("jobs", nil, .integer(1...64), summary: "workers")

  static let namesOnly = OptionSpec("", "1", summary: "names only")
  static let header = OptionSpec("", "h", summary: "header line")
  static let info = CommandSpec(
    name: "zipped-info", version: "1", summary: "tell about archives",
    operands: [.init("archive", summary: "which"), .init("member", .any, summary: "which")],
    options: [namesOnly, header], grammar: .infoZip, usageStatus: ExitStatus(10))
  static let spec = CommandSpec(
    name: "zipped", version: "1", summary: "unpack archives",
    operands: [
      .init("archive", summary: "which", completion: .file),
      .init("member", .any, summary: "which"),
    ],
    options: [list, test, junk, overwrite, never, exclude, directory, encoding, jobs],
    grammar: .infoZip, usageStatus: ExitStatus(10), showsHelpWhenEmpty: true,
    optionVariables: ["ZIPPED", "ZIPPEDOPT"], alternates: [.init(prefix: "-Z", spec: info)])
}

extension CommandSpec: CustomTestStringConvertible {
  package var testDescription: String { name }
}
