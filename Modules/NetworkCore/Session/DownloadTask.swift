public import ProgressReporting
import Synchronization
import SystemIO

/// What is told about a download, always on the main actor and in order.
public struct DownloadHandlers: Sendable {
  /// The first request is about to be made; also after a pause.
  public var start: (@MainActor @Sendable () -> Void)?
  /// The download stands still on request.
  public var pause: (@MainActor @Sendable () -> Void)?
  /// How far it is, at most ten times a second.
  public var progress: (@MainActor @Sendable (WorkSnapshot) -> Void)?
  /// The file is whole and has its name.
  public var completion: (@MainActor @Sendable (DownloadReport) -> Void)?
  /// It ended otherwise; ``NetworkErrorCode/cancelled`` after a cancel.
  public var failure: (@MainActor @Sendable (NetworkError) -> Void)?

  /// Creates handlers that do nothing.
  public init() {}
}

/// A download that can be paused, taken up again and cancelled.
///
/// Nothing happens before ``start()``. May be used from any thread.
///
/// ```swift
/// var handlers = DownloadHandlers()
/// handlers.completion = { report in print(report.path) }
/// let task = session.downloadTask(url, to: .directory("."), handlers: handlers)
/// task.start()
/// ```
public final class DownloadTask: Sendable {
  private struct State {
    var work: Task<DownloadReport, any Error>?
    /// What the run knows of its file, once it has begun.
    var book: DownloadBook?
  }

  private let session: NetworkSession
  private let url: String
  private let target: DownloadTarget
  private let options: DownloadOptions
  private let handlers: DownloadHandlers
  private let check: @Sendable () async throws -> Void
  private let control = DownloadControl()
  private let state = Mutex(State())
  /// Counts bytes written; watch it in place of the progress handler where that suits better.
  public let meter: WorkMeter

  init(
    _ session: NetworkSession, _ url: String, _ target: DownloadTarget,
    _ options: DownloadOptions, _ handlers: DownloadHandlers,
    check: @escaping @Sendable () async throws -> Void = {}
  ) {
    self.check = check
    self.session = session
    self.url = url
    self.target = target
    self.options = options
    self.handlers = handlers
    meter = WorkMeter(URLRedaction.redact(url))
  }

  /// Starts the download; does nothing when it has been started.
  public func start() { _ = begun() }

  /// Closes all connections and keeps what has come.
  public func pause() {
    control.post.yield(.pause)
    if let pause = handlers.pause { Task { @MainActor in pause() } }
  }

  /// Goes on after a pause, from the last byte that came.
  public func resume() {
    control.post.yield(.resume)
    if let start = handlers.start { Task { @MainActor in start() } }
  }

  /// Ends the download and keeps the part for a later one.
  public func cancel() {
    meter.cancellation.cancel()
    state.withLock { $0.work?.cancel() }
  }

  /// What it takes to go on later, also in another process.
  ///
  /// - Returns: `nil` when there is nothing to go on with: before 256 KiB are stored in a download under way, at any
  ///   size in one that ended; after success; for a target that is no file.
  public func resumeData() async -> ResumeData? {
    guard
      let path = state.withLock({ $0.book })?.openPlace.flatMap({ $0.part == nil ? nil : $0.path })
    else { return nil }
    let url = url
    return try? await OwnedThread.run(named: "fetch-resume") { ResumeData(partOf: path, url: url) }
  }

  /// Ends the download, keeps the part, and gives what it takes to go on.
  ///
  /// - Returns: As ``resumeData()``.
  public func cancelProducingResumeData() async -> ResumeData? {
    cancel()
    let work = state.withLock { $0.work }
    _ = await work?.result
    return await resumeData()
  }

  /// Waits for the end; starts the download where that has not been done.
  ///
  /// - Throws: ``NetworkError`` or `CancellationError`.
  public func result() async throws -> DownloadReport { try await begun().value }

  private func begun() -> Task<DownloadReport, any Error> {
    state.withLock { state in
      if let work = state.work { return work }
      let work = Task { try await run() }
      state.work = work
      return work
    }
  }

  private func run() async throws -> DownloadReport {
    let watch = watcher()
    do {
      try await check()
      await handlers.start?()
      let run = DownloadRun(
        url: url, target: target, options: options, loop: session.loop, meter: meter,
        control: control)
      state.withLock { $0.book = run.book }
      let report = try await run.run()
      await stop(watch)
      await handlers.completion?(report)
      return report
    } catch {
      await stop(watch)
      await handlers.failure?(NetworkError(ending: error, url: url))
      throw error
    }
  }

  private func watcher() -> Task<Void, Never>? {
    guard let progress = handlers.progress else { return nil }
    let meter = meter
    return Task {
      while !Task.isCancelled {
        await progress(meter.snapshot())
        // Cancelled: the loop ends at its condition.
        try? await Task.sleep(for: .milliseconds(100))
      }
    }
  }

  private func stop(_ watch: Task<Void, Never>?) async {
    guard let watch, let progress = handlers.progress else { return }
    watch.cancel()
    await watch.value
    await progress(meter.snapshot())
  }
}

extension NetworkSession {
  /// Prepares a download with handlers; it begins with ``DownloadTask/start()``.
  public func downloadTask(
    _ url: String, to target: DownloadTarget, options: DownloadOptions = DownloadOptions(),
    handlers: DownloadHandlers = DownloadHandlers()
  ) -> DownloadTask {
    DownloadTask(self, url, target, options, handlers)
  }
}
