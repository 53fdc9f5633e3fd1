public import ProgressReporting
import Synchronization

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
  }

  private let session: NetworkSession
  private let url: String
  private let target: DownloadTarget
  private let options: DownloadOptions
  private let handlers: DownloadHandlers
  private let control = DownloadControl()
  private let state = Mutex(State())
  /// Counts bytes written; watch it in place of the progress handler where that suits better.
  public let meter: WorkMeter

  init(
    _ session: NetworkSession, _ url: String, _ target: DownloadTarget,
    _ options: DownloadOptions, _ handlers: DownloadHandlers
  ) {
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
      await handlers.start?()
      let run = DownloadRun(
        url: url, target: target, options: options, loop: session.loop, meter: meter,
        control: control)
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
