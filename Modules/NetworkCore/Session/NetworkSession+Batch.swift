public import ProgressReporting
import SystemIO

/// One file of a batch.
public struct DownloadItem: Sendable {
  /// Where it is.
  public var url: String
  /// Where else it is; tried in order when the first place does not do.
  public var mirrors: [String] = []
  /// Where it goes.
  public var target: DownloadTarget
  /// What it has to match, besides the options' own.
  public var checksums: [Checksum] = []
  /// The size it must have, or `nil`.
  public var size: UInt64?
  /// What its pieces have to match, so that damage is mended piece by piece, or `nil`.
  public var pieces: PieceChecksums?

  /// Creates an item.
  public init(url: String, target: DownloadTarget) {
    self.url = url
    self.target = target
  }

  /// Reads a manifest: one URL a line, fields divided by tabs, one JSON object a line, or a Metalink 4 document.
  ///
  /// The fields are `url`, `output`, `size`, `checksum` and `mirrors`.
  /// - Parameters:
  ///   - path: The file; `-` is standard input.
  ///   - directory: Where files without `output`, and relative ones, go.
  ///   - shard: `I/N` for the I-th of N parts of the list, or `nil` for all of it.
  /// - Returns: The items in the order of the file.
  /// - Throws: ``NetworkError`` with line and field of what cannot be read.
  public static func manifest(
    _ path: String, directory: String, shard: String? = nil
  ) throws -> [DownloadItem] {
    let bytes: [UInt8]
    do {
      let file = path == "-" ? FileDescriptor(borrowing: 0) : try FileDescriptor.open(path)
      bytes = try file.readToEnd(limit: 1 << 30)
    } catch {
      throw NetworkError(.file(.open, path: path, SystemCode(rawValue: error.errno)))
    }
    do throws(InputError) {
      let selection = try shard.map { text throws(InputError) in try ShardSelection(text) }
      return try Manifest(bytes).entries.enumerated()
        .filter { selection?.contains($0.offset) ?? true }
        .map { DownloadItem($0.element, directory) }
    } catch {
      throw NetworkError(.inputFile(path: path, error))
    }
  }

  /// The options with what the item itself states.
  func refine(_ options: DownloadOptions) -> DownloadOptions {
    var options = options
    options.checksums += checksums
    options.expectedSize = size ?? options.expectedSize
    options.mirrors += mirrors
    options.pieces = pieces ?? options.pieces
    return options
  }

  private init(_ entry: Manifest.Entry, _ directory: String) {
    url = entry.url
    mirrors = entry.mirrors
    target = entry.output.map { .file(Path.join(directory, $0)) } ?? .directory(directory)
    checksums = entry.checksum.map { [$0] } ?? []
    size = entry.size
    pieces = entry.pieces
  }
}

extension NetworkSession {
  /// Downloads many files, several at a time.
  ///
  /// One that fails does not stop the others.
  /// - Parameters:
  ///   - items: What to download.
  ///   - jobs: How many at a time.
  ///   - options: How each is done; `onEvent` hears of all.
  ///   - progress: Counts files; each file has a part of it that counts bytes.
  ///   - completed: Called with each outcome as it is known, one after the other; after a
  ///     cancellation with ``NetworkErrorCode/cancelled`` for what was under way.
  /// - Returns: The outcomes in the order of the items.
  /// - Throws: `CancellationError` when the task or the progress tree was cancelled.
  public func downloadAll(
    _ items: [DownloadItem], jobs: Int = 4, options: DownloadOptions = DownloadOptions(),
    progress: consuming WorkShare = .detached(),
    completed: @escaping @Sendable (Int, Result<DownloadReport, NetworkError>) -> Void = { _, _ in }
  ) async throws -> [Result<DownloadReport, NetworkError>] {
    let meter = progress.begin("Downloading", total: UInt64(items.count), unit: .files)
    var outcomes = [Result<DownloadReport, NetworkError>?](repeating: nil, count: items.count)
    var owners: [String: String] = [:]
    let batch = Batch(
      options: options, meter: meter, places: Turnstile(max(1, jobs)), earlier: EarlierParts())
    let started = max(1, jobs) + (items.count > Self.longBatch ? Self.mostUnplaced : 0)
    await withTaskGroup(of: (Int, Result<DownloadReport, NetworkError>).self) { group in
      var next = 0
      func startNext() {
        guard next < items.count, !meter.cancellation.isCancelled, !Task.isCancelled else { return }
        let (index, item) = (next, items[next])
        next += 1
        group.addTask { [self] in (index, await download(item, batch)) }
      }
      for _ in 0..<started { startNext() }
      for await (index, outcome) in group {
        let outcome = Self.claimed(outcome, by: items[index].url, &owners)
        completed(index, outcome)
        outcomes[index] = outcome
        startNext()
      }
    }
    try Task.checkCancellation()
    try meter.checkCancellation()
    meter.finish()
    return outcomes.map { $0 ?? .failure(NetworkError(.cancelled)) }
  }

  /// A file that another item of the batch has brought is not this item's, though its name is taken.
  private static func claimed(
    _ outcome: Result<DownloadReport, NetworkError>, by url: String,
    _ owners: inout [String: String]
  ) -> Result<DownloadReport, NetworkError> {
    guard case .success(let report) = outcome else { return outcome }
    let owner = owners[report.path] ?? url
    owners[report.path] = owner
    guard report.wasSkipped, owner != url else { return outcome }
    return .failure(NetworkError(.targetExists(path: report.path)).during(url: url))
  }

  /// Of a batch with more files than this, finished ones wait for the disk beside the jobs.
  private static let longBatch = 32
  /// How many may wait so; a machine that stops then costs no more than these.
  private static let mostUnplaced = 256

  /// What the downloads of a batch have in common.
  private struct Batch: Sendable {
    var options: DownloadOptions
    var meter: WorkMeter
    /// Who is in makes requests.
    var places: Turnstile
    var earlier: EarlierParts
  }

  private func download(
    _ item: DownloadItem, _ batch: Batch
  ) async -> Result<DownloadReport, NetworkError> {
    await batch.places.enter()
    var isInside = true
    func leave() {
      if isInside { batch.places.leave() }
      isInside = false
    }
    defer { leave() }
    guard !batch.meter.cancellation.isCancelled, !Task.isCancelled else {
      return .failure(NetworkError(.cancelled).during(url: item.url))
    }
    let share = batch.meter.share()
    let own = share.begin(URLRedaction.redact(item.url))
    do {
      let run = DownloadRun(
        url: item.url, target: item.target, options: item.refine(batch.options), session: self,
        meter: own, earlier: batch.earlier)
      return .success(try await run.run(leave))
    } catch {
      own.finish()
      return .failure(NetworkError(ending: error, url: item.url))
    }
  }

  /// Finds the checksums that a file such as `SHA256SUMS` states for names.
  ///
  /// - Parameters:
  ///   - source: A path or a URL; read once.
  ///   - names: Names of files, or paths or URLs that end with them.
  ///   - settings: How the request is made, for a URL.
  /// - Returns: For each name its checksums, the strongest first; never empty.
  /// - Throws: ``NetworkError`` when the file cannot be read or does not tell of one of the names.
  public func checksums(
    listedIn source: String, for names: [String], settings: TransferSettings = TransferSettings()
  ) async throws -> [[Checksum]] {
    let bytes: [UInt8]
    if source.contains("://") {
      bytes = try await read(source, settings: settings)
    } else {
      bytes = try await OwnedThread.run(named: "fetch-sums") {
        do {
          return try FileDescriptor.open(source).readToEnd(limit: 64 << 20)
        } catch let error as SystemError {
          throw NetworkError(.file(.open, path: source, SystemCode(rawValue: error.errno)))
        }
      }
    }
    do throws(InputError) {
      let list = try ChecksumFile(bytes)
      return try names.map { name throws(InputError) in
        let wanted = SafeFileName.fromURL(name) ?? name
        let found = list.checksums(for: wanted)
        guard !found.isEmpty else { throw InputError(.listedName, found: wanted) }
        return found
      }
    } catch {
      throw NetworkError(.inputFile(path: URLRedaction.redact(source), error))
    }
  }
}
