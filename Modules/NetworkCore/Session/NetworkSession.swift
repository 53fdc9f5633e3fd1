public import ProgressReporting
import SystemIO

/// Transfers over one pool of connections, driven by one thread of its own.
///
/// Make one and use it for everything; it may be used from any thread. Its thread starts with it and
/// ends when the session and its work are gone.
///
/// ```swift
/// let session = try NetworkSession()
/// let report = try await session.download(
///   "https://example.org/archive.zip", to: .file("archive.zip"), progress: meter.share())
/// ```
public final class NetworkSession: Sendable {
  let loop: TransferLoop
  /// How many requests each host gets at a time; all downloads of the session heed it together.
  let hosts: HostGate
  let placements = PlacementQueue()

  /// Starts a session.
  ///
  /// - Parameters:
  ///   - connections: The most connections at once; 0 for no limit of our own.
  ///   - connectionsPerHost: The most connections to one host; 0 for no limit of our own.
  /// - Throws: ``NetworkError`` when the system has no thread or memory for it.
  public init(connections: Int = 0, connectionsPerHost: Int = 0) throws {
    do {
      loop = try TransferLoop(connections: connections, perHost: connectionsPerHost)
    } catch {
      throw NetworkError(
        .file(.open, path: error.call, SystemCode(rawValue: error.errno)))
    }
    hosts = HostGate(loop)
  }

  /// A session that shares the thread and the connections of another.
  init(sharing loop: TransferLoop) { (self.loop, hosts) = (loop, HostGate(loop)) }

  /// Ends everything under way and waits until libcurl and its thread are gone.
  ///
  /// For programs that exit: libcurl must not be at work while the process is torn down. Whatever is started
  /// later ends as cancelled.
  public func close() async { await loop.shutDown() }

  /// Downloads a file.
  ///
  /// Until it is whole and checked its bytes are in `NAME.part`, with a journal beside it; a later
  /// call with the same URL and target goes on from there. On cancellation the part stays.
  /// - Parameters:
  ///   - url: An http, https, ftp, ftps or file URL.
  ///   - target: Where it goes.
  ///   - options: How it is done.
  ///   - progress: Counts bytes written.
  /// - Returns: What was done, and where the file is.
  /// - Throws: ``NetworkError``, or `CancellationError` when the task or the progress tree was
  ///   cancelled.
  public func download(
    _ url: String, to target: DownloadTarget, options: DownloadOptions = DownloadOptions(),
    progress: consuming WorkShare = .detached()
  ) async throws -> DownloadReport {
    let meter = progress.begin(URLRedaction.redact(url))
    let run = DownloadRun(url: url, target: target, options: options, session: self, meter: meter)
    return try await run.run()
  }
}
