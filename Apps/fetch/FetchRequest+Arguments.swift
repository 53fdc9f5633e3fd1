import CommandLineSupport
import FetchJobs
import NetworkCore

extension FetchRequest {
  private typealias Option = FetchCommand

  /// Reads a command line that has been parsed.
  init(_ arguments: ParsedArguments) throws(UsageError) {
    self.init()
    try setPlaces(arguments)
    try setSources(arguments)
    jobs = arguments.integer(Option.jobs) ?? jobs
    setFile(arguments)
    try setPatience(arguments)
    try setRequest(arguments)
    setConnection(arguments)
    try setAction(arguments)
  }

  private mutating func setPlaces(_ arguments: ParsedArguments) throws(UsageError) {
    urls = arguments.operands
    directory = arguments.text(Option.directory) ?? "."
    target = .directory(directory)
    guard let output = arguments.text(Option.output) else { return }
    guard urls.count <= 1 else {
      throw .badValue(output, of: Option.output, expected: "one URL, found \(urls.count)")
    }
    for other in [Option.extract, Option.inputFile] where arguments.isSet(other) {
      throw .conflict(Option.output, other)
    }
    target = output == "-" ? .standardOutput : .file(output)
  }

  private mutating func setSources(_ arguments: ParsedArguments) throws(UsageError) {
    manifest = arguments.text(Option.inputFile)
    shard = arguments.text(Option.shard)
    checksumFile = arguments.text(Option.checksumFile)
    for text in arguments.texts(Option.checksum) {
      guard let checksum = try? Checksum(text) else {
        throw .badValue(text, of: Option.checksum, expected: "ALGORITHM:HEX")
      }
      options.checksums.append(checksum)
    }
    if let first = options.checksums.first, urls.count > 1 || manifest != nil {
      throw .badValue(first.description, of: Option.checksum, expected: "one URL")
    }
    if let shard, manifest == nil {
      throw .badValue(shard, of: Option.shard, expected: "--input-file with it")
    }
  }

  private mutating func setFile(_ arguments: ParsedArguments) {
    // A list is taken up again by giving the same command: what it has brought is there.
    options.existing = arguments.choice(Option.existing) ?? (manifest == nil ? .fail : .skip)
    options.resumes = arguments.isOn(Option.resume, default: true)
    options.adoptsOtherURL = arguments.isSet(Option.adopt)
    options.keepsServerTime = arguments.isSet(Option.serverTime)
    options.recordsOrigin = arguments.isSet(Option.xattr)
    options.connections = arguments.integer(Option.connections).map { .fixed($0) } ?? .automatic
    options.sizeLimit = arguments.size(Option.maxSize)
    options.decodes = arguments.text(Option.decode) != "off"
  }

  private mutating func setPatience(_ arguments: ParsedArguments) throws(UsageError) {
    options.retryLimit = arguments.integer(Option.retry) ?? options.retryLimit
    options.retryTime = arguments.duration(Option.retryMaxTime) ?? options.retryTime
    options.timeLimit = arguments.duration(Option.maxTime)
    options.transfer.connectTimeout =
      arguments.duration(Option.connectTimeout) ?? options.transfer.connectTimeout
    if let stall = arguments.duration(Option.stallTimeout) {
      options.transfer.stallTimeout = stall
      options.transfer.responseTimeout = stall
    }
    options.transfer.rateLimit = arguments.size(Option.limitRate)
    if options.transfer.rateLimit == 0 {
      throw .badValue("0", of: Option.limitRate, expected: "more than nothing")
    }
  }

  private mutating func setRequest(_ arguments: ParsedArguments) throws(UsageError) {
    for text in arguments.texts(Option.header) {
      guard let field = try? ResponseHead.Field(line: text) else {
        throw .badValue(text, of: Option.header, expected: "'Name: value'")
      }
      options.transfer.fields.append(field)
    }
    if let user = arguments.text(Option.user) {
      let parts = user.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      options.transfer.credentials = .init(
        user: String(parts[0]), password: parts.count > 1 ? String(parts[1]) : "")
    }
    options.transfer.usesNetrc = arguments.isSet(Option.netrc)
    options.transfer.proxy = arguments.text(Option.proxy)
    options.transfer.noProxy = arguments.text(Option.noProxy)
    options.transfer.cookieFile = arguments.text(Option.cookies)
    options.transfer.cookieJar = arguments.text(Option.cookieJar)
    options.transfer.userAgent = arguments.text(Option.userAgent) ?? options.transfer.userAgent
    options.transfer.referer = arguments.text(Option.referer)
  }

  private mutating func setConnection(_ arguments: ParsedArguments) {
    options.transfer.certificateAuthorities = arguments.text(Option.caCert)
    options.transfer.clientCertificate = arguments.text(Option.cert)
    options.transfer.clientKey = arguments.text(Option.key)
    options.transfer.pinnedKey = arguments.text(Option.pinnedKey)
    options.transfer.isInsecure = arguments.isSet(Option.insecure)
    options.transfer.httpsOnly = arguments.isSet(Option.httpsOnly)
    options.transfer.version =
      arguments.last(of: [Option.http1, Option.http2]) == Option.http2 ? .http2 : .http1
    options.transfer.family =
      switch arguments.last(of: [Option.ipv4, Option.ipv6]) {
      case Option.ipv4: .ipv4
      case Option.ipv6: .ipv6
      default: .any
      }
  }

  private mutating func setAction(_ arguments: ParsedArguments) throws(UsageError) {
    let extracts = arguments.text(Option.extract)
    if extracts != nil, arguments.isSet(Option.dryRun) {
      throw .conflict(Option.dryRun, Option.extract)
    }
    if arguments.isSet(Option.sweep) {
      action = .sweep(olderThan: arguments.duration(Option.sweep) ?? .zero)
    } else if arguments.isSet(Option.parts) {
      action = .listParts
    } else if let extracts {
      action = .extract(into: extracts)
    } else if arguments.isSet(Option.dryRun) {
      action = .plan
    }
  }
}
