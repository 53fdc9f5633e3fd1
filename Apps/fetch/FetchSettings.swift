import CommandLineSupport
import NetworkCore

/// What the command line asks for, before anything is touched.
struct FetchSettings: Equatable {
  var urls: [String] = []
  var output: String?
  var directory = "."
  /// Where the zips behind the URLs are unpacked, instead of being kept.
  var extractDirectory: String?
  var existing = DownloadOptions.ExistingFile.fail
  var resumes = true
  var adoptsOtherURL = false
  var keepsServerTime = false
  var recordsOrigin = false
  var isDryRun = false
  var manifest: String?
  var shard: String?
  var checksums: [Checksum] = []
  var checksumFile: String?
  var jobs = 4
  var connections = DownloadOptions.Connections.automatic
  var sizeLimit: UInt64?
  var retryLimit = 5
  var retryTime: Duration = .seconds(600)
  var timeLimit: Duration?
  var decodes = true
  var transfer = TransferSettings()

  init(_ arguments: ParsedArguments) throws {
    typealias Option = FetchCommand
    urls = arguments.operands
    output = arguments.text(Option.output)
    directory = arguments.text(Option.directory) ?? "."
    guard output == nil || urls.count <= 1 else {
      throw UsageError.badValue(
        output ?? "", of: Option.output, expected: "one URL, found \(urls.count)")
    }
    extractDirectory = arguments.text(Option.extract)
    if extractDirectory != nil, output != nil {
      throw UsageError.conflict(Option.output, Option.extract)
    }
    manifest = arguments.text(Option.inputFile)
    shard = arguments.text(Option.shard)
    checksumFile = arguments.text(Option.checksumFile)
    jobs = arguments.integer(Option.jobs) ?? jobs
    try setChecksums(arguments)
    if output != nil, manifest != nil { throw UsageError.conflict(Option.output, Option.inputFile) }
    if shard != nil, manifest == nil {
      throw UsageError.badValue(shard ?? "", of: Option.shard, expected: "--input-file with it")
    }
    // A list is taken up again by giving the same command: what it has brought is there.
    existing = arguments.choice(Option.existing) ?? (manifest == nil ? .fail : .skip)
    resumes = arguments.isOn(Option.resume, default: true)
    adoptsOtherURL = arguments.isSet(Option.adopt)
    keepsServerTime = arguments.isSet(Option.serverTime)
    recordsOrigin = arguments.isSet(Option.xattr)
    isDryRun = arguments.isSet(Option.dryRun)
    if isDryRun, extractDirectory != nil {
      throw UsageError.conflict(Option.dryRun, Option.extract)
    }
    connections = arguments.integer(Option.connections).map { .fixed($0) } ?? .automatic
    sizeLimit = arguments.size(Option.maxSize)
    retryLimit = arguments.integer(Option.retry) ?? retryLimit
    retryTime = arguments.duration(Option.retryMaxTime) ?? retryTime
    timeLimit = arguments.duration(Option.maxTime)
    decodes = arguments.text(Option.decode) != "off"
    try setPatience(arguments)
    try setRequest(arguments)
    setConnection(arguments)
  }

  private mutating func setChecksums(_ arguments: ParsedArguments) throws {
    checksums = try arguments.texts(FetchCommand.checksum).map { text in
      do {
        return try Checksum(text)
      } catch {
        throw UsageError.badValue(text, of: FetchCommand.checksum, expected: "ALGORITHM:HEX")
      }
    }
    guard urls.count > 1 || manifest != nil else { return }
    if !checksums.isEmpty {
      throw UsageError.badValue(
        checksums[0].description, of: FetchCommand.checksum, expected: "one URL")
    }
  }

  private mutating func setPatience(_ arguments: ParsedArguments) throws {
    transfer.connectTimeout =
      arguments.duration(FetchCommand.connectTimeout) ?? transfer.connectTimeout
    if let stall = arguments.duration(FetchCommand.stallTimeout) {
      transfer.stallTimeout = stall
      transfer.responseTimeout = stall
    }
    transfer.rateLimit = arguments.size(FetchCommand.limitRate)
    if transfer.rateLimit == 0 {
      throw UsageError.badValue("0", of: FetchCommand.limitRate, expected: "more than nothing")
    }
  }

  private mutating func setRequest(_ arguments: ParsedArguments) throws {
    typealias Option = FetchCommand
    transfer.fields = try arguments.texts(Option.header).map { text in
      do {
        return try ResponseHead.Field(line: text)
      } catch {
        throw UsageError.badValue(text, of: Option.header, expected: "'Name: value'")
      }
    }
    if let user = arguments.text(Option.user) {
      let parts = user.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      transfer.credentials = .init(
        user: String(parts[0]), password: parts.count > 1 ? String(parts[1]) : "")
    }
    transfer.usesNetrc = arguments.isSet(Option.netrc)
    transfer.proxy = arguments.text(Option.proxy)
    transfer.noProxy = arguments.text(Option.noProxy)
    transfer.cookieFile = arguments.text(Option.cookies)
    transfer.cookieJar = arguments.text(Option.cookieJar)
    transfer.userAgent = arguments.text(Option.userAgent) ?? transfer.userAgent
    transfer.referer = arguments.text(Option.referer)
  }

  private mutating func setConnection(_ arguments: ParsedArguments) {
    typealias Option = FetchCommand
    transfer.certificateAuthorities = arguments.text(Option.caCert)
    transfer.clientCertificate = arguments.text(Option.cert)
    transfer.clientKey = arguments.text(Option.key)
    transfer.pinnedKey = arguments.text(Option.pinnedKey)
    transfer.isInsecure = arguments.isSet(Option.insecure)
    transfer.httpsOnly = arguments.isSet(Option.httpsOnly)
    transfer.version =
      arguments.last(of: [Option.http1, Option.http2]) == Option.http2 ? .http2 : .http1
    switch arguments.last(of: [Option.ipv4, Option.ipv6]) {
    case Option.ipv4: transfer.family = .ipv4
    case Option.ipv6: transfer.family = .ipv6
    default: transfer.family = .any
    }
  }

  /// The library's options.
  var options: DownloadOptions {
    var options = DownloadOptions()
    options.transfer = transfer
    options.existing = existing
    options.checksums = checksums
    options.resumes = resumes
    options.adoptsOtherURL = adoptsOtherURL
    options.keepsServerTime = keepsServerTime
    options.recordsOrigin = recordsOrigin
    options.connections = connections
    options.sizeLimit = sizeLimit
    options.retryLimit = retryLimit
    options.retryTime = retryTime
    options.timeLimit = timeLimit
    options.decodes = decodes
    return options
  }

  /// Where the one URL, or each of several, goes.
  var target: DownloadTarget {
    switch output {
    case "-"?: .standardOutput
    case let path?: .file(path)
    case nil: .directory(directory)
    }
  }
}
