import CommandLineSupport

extension FetchCommand {
  static let output = OptionSpec(
    "output", "o", .text, metavar: "FILE", section: "Where", summary: "write there",
    details: """
      Only with one URL. A '-' means standard output; a device or pipe is written to as the bytes \
      come. Without it the file gets the server's name made safe, else the URL's last segment.
      """, completion: .file)
  static let extract = OptionSpec(
    "extract", nil, .text, metavar: "DIR", section: "Where",
    summary: "unpack the zip behind the URL into DIR",
    details: """
      The archive is downloaded to DIR/.courier-delivery.zip.part, checked, unpacked and removed. \
      --existing then says what happens to files that are in DIR already. After a network failure \
      the part stays, and the same command goes on with it.
      """, completion: .directory)
  static let directory = OptionSpec(
    "directory", "d", .text, metavar: "DIR", section: "Where",
    summary: "where files without --output go", completion: .directory)
  static let existing = OptionSpec(
    "existing", nil,
    .choice([
      .init("skip", "leave it and download nothing; its checksum, where given, must match"),
      .init("replace", "replace it when the new file is whole"),
      .init("rename", "take a free name"), .init("fail", "stop before the first byte"),
    ]), metavar: "WHAT", section: "Where", summary: "when the target exists (default fail)",
    details: """
      With --input-file the default is skip, so that the same command takes a list up again where \
      it stopped. A file that matches a --checksum is taken as done without a request.
      """)
  static let resume = OptionSpec(
    "resume", nil, .negatableFlag, section: "Where",
    summary: "go on with a part left by an earlier run (default)",
    details: """
      Until it is whole a file is NAME.part, with a journal NAME.part.journal beside it. A part \
      is taken up only where the journal proves that its bytes belong to the same file.
      """)
  static let resumeHabit = OptionSpec(
    "continue", "c", .flag, section: "Where", summary: "accepted for habit's sake: the default")
  static let adopt = OptionSpec(
    "adopt-part", nil, .flag, section: "Where",
    summary: "take up a part that began at another URL",
    details: "For links that have expired. The bytes at the join are compared.")
  static let serverTime = OptionSpec(
    "server-time", nil, .flag, section: "Where",
    summary: "give the file the server's time of modification")
  static let xattr = OptionSpec(
    "xattr", nil, .flag, section: "Where",
    summary: "mark the file with the URL it came from",
    details: "As extended attribute user.xdg.origin.url, without secrets.")

  static let inputFile = OptionSpec(
    "input-file", "i", .text, metavar: "FILE", section: "What", summary: "a list of downloads",
    details: """
      One URL a line; or fields divided by tabs: url, output, size, checksum, mirrors, in this order \
      or as a first line names them; or one JSON object with these fields a line. A '-' means \
      standard input.
      """, completion: .file, waivesOperands: true)
  static let shard = OptionSpec(
    "shard", nil, .text, metavar: "I/N", section: "What",
    summary: "take the I-th of N parts of the list",
    details: "Every N-th entry of --input-file from the I-th on, whatever is there already.")
  static let checksum = OptionSpec(
    "checksum", nil, .text, metavar: "ALGO:HEX", section: "What",
    summary: "md5, sha1, sha256, sha384 or sha512 of the file", isRepeatable: true)
  static let checksumFile = OptionSpec(
    "checksum-file", nil, .text, metavar: "FILE|URL", section: "What",
    summary: "where the file's checksum is listed, such as SHA256SUMS", completion: .file)
  static let jobs = OptionSpec(
    "jobs", "j", .integer(1...64), metavar: "N", section: "Speed",
    summary: "files at a time (default 4)")
  static let connections = OptionSpec(
    "connections", "n", .integer(1...64, words: ["auto"]), metavar: "N", section: "Speed",
    summary: "connections a file; auto adds one only while it pays")
  static let limitRate = OptionSpec(
    "limit-rate", nil, .size, metavar: "RATE", section: "Speed", summary: "bytes a second at most")
  static let maxSize = OptionSpec(
    "max-size", nil, .size, metavar: "SIZE", section: "Speed",
    summary: "refuse files that are larger")

  static let retry = OptionSpec(
    "retry", nil, .integer(0...1000), metavar: "N", section: "Patience",
    summary: "failures in a row without a new byte (default 5)")
  static let retryMaxTime = OptionSpec(
    "retry-max-time", nil, .duration, metavar: "T", section: "Patience",
    summary: "all waits between attempts together (default 10m)")
  static let connectTimeout = OptionSpec(
    "connect-timeout", nil, .duration, metavar: "T", section: "Patience",
    summary: "for name lookup, connection and TLS (default 30s)")
  static let stallTimeout = OptionSpec(
    "stall-timeout", nil, .duration, metavar: "T", section: "Patience",
    summary: "without new bytes (default 30s), or an answer (default 60s)")
  static let maxTime = OptionSpec(
    "max-time", nil, .duration, metavar: "T", section: "Patience", summary: "for a whole download")

  static let header = OptionSpec(
    "header", "H", .text, metavar: "HEADER", section: "Request",
    summary: "a field 'Name: value' to send", isRepeatable: true, isSecret: true)
  static let user = OptionSpec(
    "user", "u", .text, metavar: "USER:PASSWORD", section: "Request",
    summary: "credentials for the URL's own host", isSecret: true)
  static let netrc = OptionSpec(
    "netrc", nil, .flag, section: "Request", summary: "take credentials from ~/.netrc")
  static let proxy = OptionSpec(
    "proxy", "x", .text, metavar: "URL", section: "Request",
    summary: "http, https, socks4, socks4a, socks5 or socks5h proxy", isSecret: true)
  static let noProxy = OptionSpec(
    "noproxy", nil, .text, metavar: "LIST", section: "Request", summary: "hosts reached directly")
  static let cookies = OptionSpec(
    "cookies", "b", .text, metavar: "FILE", section: "Request",
    summary: "cookies to send, in Netscape format", completion: .file)
  static let cookieJar = OptionSpec(
    "cookie-jar", nil, .text, metavar: "FILE", section: "Request",
    summary: "where to keep the cookies at the end", completion: .file)
  static let userAgent = OptionSpec(
    "user-agent", "A", .text, metavar: "TEXT", section: "Request", summary: "how to introduce us")
  static let referer = OptionSpec(
    "referer", nil, .text, metavar: "URL", section: "Request", summary: "where the link was found")

  static let caCert = OptionSpec(
    "cacert", nil, .text, metavar: "FILE", section: "Connection",
    summary: "trusted certificates (PEM) instead of the system's", completion: .file)
  static let cert = OptionSpec(
    "cert", nil, .text, metavar: "FILE", section: "Connection",
    summary: "our certificate (PEM)", completion: .file)
  static let key = OptionSpec(
    "key", nil, .text, metavar: "FILE", section: "Connection",
    summary: "the key of our certificate (PEM)", completion: .file)
  static let pinnedKey = OptionSpec(
    "pinned-key", nil, .text, metavar: "PIN", section: "Connection",
    summary: "sha256//BASE64 of the server's public key, or a file with it")
  static let insecure = OptionSpec(
    "insecure", nil, .flag, section: "Connection", summary: "do not check certificates")
  static let httpsOnly = OptionSpec(
    "https-only", nil, .flag, section: "Connection", summary: "refuse plain connections")
  static let http1 = OptionSpec(
    "http1.1", nil, .flag, section: "Connection", summary: "speak HTTP/1.1 (default)")
  static let http2 = OptionSpec(
    "http2", nil, .flag, section: "Connection", summary: "speak HTTP/2 where the server does")
  static let ipv4 = OptionSpec(
    "ipv4", "4", .flag, section: "Connection", summary: "use IPv4 only")
  static let ipv6 = OptionSpec(
    "ipv6", "6", .flag, section: "Connection", summary: "use IPv6 only")
  static let decode = OptionSpec(
    "decode", nil,
    .choice([.init("auto", "take gzip and deflate off"), .init("off", "store what came")]),
    metavar: "WHAT", section: "Connection", summary: "content coding (default auto)")

  static let dryRun = OptionSpec(
    "dry-run", nil, .flag, section: "Knowing",
    summary: "say what would be requested, written and why",
    details: """
      Writes nothing. The server is asked for one byte of each file, so that it tells name, size \
      and version. The status is the one that the download would end with, as far as can be told.
      """)
  static let parts = OptionSpec(
    "parts", nil, .flag, section: "Knowing",
    summary: "list what interrupted downloads left in the --directory", waivesOperands: true)
  static let sweep = OptionSpec(
    "sweep", nil, .duration, metavar: "AGE", section: "Knowing",
    summary: "remove what interrupted downloads left in the --directory",
    details: """
      With an AGE, such as 48h, only what was not written to for so long. What a running download \
      works on stays.
      """, isValueOptional: true, waivesOperands: true)
  static let explain = OptionSpec(
    "explain", nil, .text, metavar: "CODE|NAME|all", section: "Knowing",
    summary: "say what an error number or name means", waivesOperands: true)

  static let spec = CommandSpec(
    name: "fetch", version: "0.1.0", summary: "download files, whole and verified",
    description: [
      "Downloads each URL to a file, which gets its name only when it is whole.",
      "A download that broke off goes on where it stopped when the command is given again.",
    ],
    operands: [.init("URL", .oneOrMore, summary: "what to download")],
    options: [
      inputFile, shard, checksum, checksumFile, output, directory, extract, existing, resume,
      resumeHabit, adopt, serverTime, xattr, jobs, connections, limitRate, maxSize, retry,
      retryMaxTime, connectTimeout, stallTimeout, maxTime, header, user, netrc, proxy, noProxy,
      cookies, cookieJar, userAgent, referer, caCert, cert, key, pinnedKey, insecure, httpsOnly,
      http1, http2, ipv4, ipv6, decode, dryRun, parts, sweep, explain,
    ],
    examples: [
      .init("fetch https://example.org/a.zip", "Downloads to a.zip in the current directory."),
      .init("fetch -o - https://example.org/list | sort", "Writes to standard output."),
      .init(
        "fetch --extract photos https://example.org/photos.zip",
        "Downloads an archive and unpacks it into photos."),
      .init("fetch --explain -1005", "Says what the error number means."),
    ],
    outcomes: [
      .init(.success, "done"), .init(.failure, "another reason"), .init(.usage, "usage"),
      .init(ExitStatus(3), "a file"), .init(ExitStatus(4), "the network"),
      .init(ExitStatus(5), "TLS"), .init(ExitStatus(6), "authentication"),
      .init(ExitStatus(7), "the protocol"), .init(ExitStatus(8), "the server said no"),
      .init(ExitStatus(9), "integrity"), .init(ExitStatus(10), "a limit, or space ran out"),
    ], outputStatus: ExitStatus(3))
}
