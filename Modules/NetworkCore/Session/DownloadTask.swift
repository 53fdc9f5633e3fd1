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
    var isPaused = false
    var isOver = false
  }

  /// A handler to call; they run one after the other, however fast they are asked for.
  private enum Notice: Sendable {
    case start, pause
    case completion(DownloadReport)
    case failure(NetworkError)
  }

  private let session: NetworkSession
  private let url: String
  private let target: DownloadTarget
  private let options: DownloadOptions
  private let handlers: DownloadHandlers
  private let check: @Sendable () async throws -> Void
  private let control = DownloadControl()
  private let state = Mutex(State())
  private let notices: AsyncStream<Notice>
  private let post: AsyncStream<Notice>.Continuation
  /// Counts bytes written; watch it in place of the progress handler where that suits better.
  public let meter: WorkMeter

  init(
    _ session: NetworkSession, _ url: String, _ target: DownloadTarget,
    _ options: DownloadOptions, _ handlers: DownloadHandlers,
    check: @escaping @Sendable () async throws -> Void = {}
  ) {
    self.check = check
    (notices, post) = AsyncStream.makeStream()
    self.session = session
    self.url = url
    self.target = target
    self.options = options
    self.handlers = handlers
    meter = WorkMeter(URLRedaction.redact(url))
  }

  /// Starts the download; does nothing when it has been started.
  public func start() { _ = begun() }

  /// Closes all connections and keeps what has come; does nothing when it is paused, or over.
  public func pause() {
    guard change(toPaused: true) else { return }
    control.yield(.pause)
    post.yield(.pause)
  }

  /// Goes on after a pause, from the last byte that came; does nothing when it is not paused.
  public func resume() {
    guard change(toPaused: false) else { return }
    control.yield(.resume)
    post.yield(.start)
  }

  private func change(toPaused isPaused: Bool) -> Bool {
    state.withLock { state in
      guard state.work != nil, !state.isOver, state.isPaused != isPaused else { return false }
      state.isPaused = isPaused
      return true
    }
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
      post.yield(.start)
      let work = Task { try await run() }
      state.work = work
      return work
    }
  }

  private func run() async throws -> DownloadReport {
    let (teller, watch) = (teller(), watcher())
    let result: Result<DownloadReport, any Error>
    do {
      try await check()
      let run = DownloadRun(
        url: url, target: target, options: options, session: session, meter: meter,
        control: control)
      state.withLock { $0.book = run.book }
      result = .success(try await run.run())
    } catch {
      result = .failure(error)
    }
    state.withLock { $0.isOver = true }
    await stop(watch)
    switch result {
    case .success(let report): post.yield(.completion(report))
    case .failure(let error): post.yield(.failure(NetworkError(ending: error, url: url)))
    }
    post.finish()
    await teller.value
    return try result.get()
  }

  /// Calls the handlers until the last one.
  private func teller() -> Task<Void, Never> {
    let (notices, handlers) = (notices, handlers)
    return Task { @MainActor in
      for await notice in notices {
        switch notice {
        case .start: handlers.start?()
        case .pause: handlers.pause?()
        case .completion(let report): handlers.completion?(report)
        case .failure(let error): handlers.failure?(error)
        }
      }
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
