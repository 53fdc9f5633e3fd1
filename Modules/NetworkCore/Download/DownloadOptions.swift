/// Where a download goes.
public enum DownloadTarget: Equatable, Sendable {
  /// A path. A device or pipe there is written to as the bytes come; a directory is an error.
  case file(String)
  /// Into a directory, under the server's name made safe, else under the URL's last segment.
  case directory(String)
  /// To standard output, as the bytes come; nothing can be taken up later.
  case standardOutput
}

/// How a file is downloaded.
public struct DownloadOptions: Sendable {
  /// What happens when the target exists already.
  public enum ExistingFile: String, Sendable, CaseIterable {
    /// An error, before the first byte; but a file that has the caller's checksums is taken as done.
    case fail
    /// Nothing is downloaded; the caller's size and checksums must hold for the file that is there.
    case skip
    /// The old file goes when the new one is whole.
    case replace
    /// The new file gets a name that is free: `name (1).ext`.
    case rename
  }

  /// How many connections a file may use.
  public enum Connections: Equatable, Sendable {
    /// One at first; more only while each pays.
    case automatic
    /// As many as given, where the server allows ranges.
    case fixed(Int)
  }

  /// How requests are made.
  public var transfer = TransferSettings()
  /// The default is ``ExistingFile/fail``.
  public var existing = ExistingFile.fail
  /// Whether a part left by an earlier run is taken up, where that is safe; true.
  public var resumes = true
  /// Whether a part that began at another URL may be taken up (for links that expired); false.
  public var adoptsOtherURL = false
  /// Whether gzip and deflate content codings are taken off; true.
  public var decodes = true
  /// Whether a body without an announced length is an error; false.
  public var requiresLength = false
  /// What the file has to match before it gets its name.
  public var checksums: [Checksum] = []
  /// Whether digests that the server states are checked; true.
  public var checksServerDigests = true
  /// What its pieces have to match, or `nil`: where they do not, only they are fetched again.
  public var pieces: PieceChecksums?
  /// Where else the file is; tried in order when a place does not do.
  ///
  /// Credentials are for the first URL only.
  public var mirrors: [String] = []
  /// Whether copies that the server names count as mirrors, where a checksum tells that they are copies; true.
  ///
  /// Source: RFC 6249, `Link` with `rel=duplicate`, and `rel=describedby` for a Metalink.
  public var usesServerMirrors = true
  /// The size that the file must have, or `nil`.
  public var expectedSize: UInt64?
  /// Bytes that the file may have at most, or `nil`.
  public var sizeLimit: UInt64?
  /// The most connections.
  public var connections = Connections.automatic
  /// Attempts that may fail in a row without a new byte arriving; 5.
  public var retryLimit = 5
  /// All waits between attempts together; 10 minutes.
  public var retryTime: Duration = .seconds(600)
  /// The whole download, or `nil` for no limit.
  public var timeLimit: Duration?
  /// Whether the file gets the server's `Last-Modified`; false.
  public var keepsServerTime = false
  /// Whether the file is marked with the URL that it came from; false.
  ///
  /// The extended attributes are `user.xdg.origin.url`, and `user.xdg.referrer.url` where a referrer was
  /// sent, without secrets. Nothing is said where the file system keeps none.
  public var recordsOrigin = false
  /// Called with what happens, on the loop thread or the task; it must not block.
  public var onEvent: (@Sendable (DownloadEvent) -> Void)?

  /// Creates the default options.
  public init() {}
}

/// What happens during a download; URLs are without secrets.
public enum DownloadEvent: Sendable {
  /// Work begins.
  case started(url: String)
  /// The server named another place.
  case redirected(from: String, to: String, status: Int)
  /// A response is accepted. `total` is the file's size, `resumedAt` the first byte that was missing.
  case response(url: String, status: Int, total: UInt64?, resumedAt: UInt64, path: String)
  /// A range is asked for over a connection of its own.
  case segment(url: String, start: UInt64, end: UInt64?, connections: Int)
  /// An attempt did not succeed; the next follows after a wait.
  case retrying(NetworkError, attempt: Int, wait: Duration)
  /// Length and checksums were checked; `check` names what was.
  case verified(url: String, path: String, check: String)
  /// A place did not do, and another one is asked for what is missing.
  case switched(from: String, to: String, because: NetworkError)
  /// What came is not what it should be; so many bytes are fetched again. The error names who sent them.
  case mending(NetworkError, bytes: UInt64)
  /// The download ends without its file, and a later one can go on from what stays in `part`.
  case kept(url: String, part: String, bytes: UInt64)
  /// A part or journal that has served its purpose is still there, as the system did not remove it.
  case left(url: String, path: String, because: SystemCode)
}

/// What a download came to.
public struct DownloadReport: Equatable, Sendable {
  /// Where the file is.
  public var path: String
  /// The URL that it came from in the end, without secrets.
  public var url: String
  /// The size of the file in bytes.
  public var byteCount: UInt64
  /// Bytes that an earlier run had left.
  public var resumedBytes: UInt64
  /// Body bytes that came over the wire in this run.
  public var wireBytes: UInt64
  /// Requests made, redirects and retries included.
  public var requestCount: Int
  /// The most connections in use at once.
  public var connectionCount: Int
  /// Whether the server announced the length; otherwise the end of the connection was believed.
  public var isLengthVerified: Bool
  /// Whether nothing was done because the target existed.
  public var wasSkipped = false
  /// What the file was compared with, for people: `length`, `sha256 from the caller`; `nil` where
  /// there was nothing to compare it with.
  public var check: String?
  /// The head of the answer that began the file or went on with it; `nil` where no request was made.
  public var head: ResponseHead?
}
