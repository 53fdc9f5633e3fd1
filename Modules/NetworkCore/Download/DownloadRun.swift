import ProgressReporting
import SystemIO

/// One download from its first request to its name on disk; confined to the task that runs it.
///
/// The loop thread judges heads and writes bytes; this coordinator hears only how requests ended,
/// and decides what is asked for next.
final class DownloadRun {
  /// What the coordinator is told.
  enum Signal: Sendable {
    case ended(Int, TransferOutcome)
    /// A body began that is worth watching.
    case begun
    case retry
    case tick
    case deadline
    case pause
    case resume
    case cancel
  }

  /// A request under way.
  struct Segment {
    var transfer: TransferLoop.ID
    var receiver: SegmentReceiver
    var url: String
    var start: UInt64
    /// Lets it be one of the host's requests.
    var pass: HostGate.Pass
    /// Where it was when it last moved, and when that was.
    var lastPosition: UInt64 = 0
    var lastMove = Environment.monotonicNow
    let asked = Environment.monotonicNow
    /// Whether the planner knows how long the answer took.
    var isAnswered = false
    /// Whether the server has seen credentials of ours.
    var sentCredentials = false
    /// Whether it was ended on purpose: it stood still, or the download was paused.
    var isCancelled = false
  }

  let url: String
  let options: DownloadOptions
  let loop: TransferLoop
  let hosts: HostGate
  let book: DownloadBook
  let meter: WorkMeter
  let post: DownloadControl
  private let placements: PlacementQueue

  var segments: [Int: Segment] = [:]
  private var nextSegment = 0
  /// Where the file is.
  var sources: SourceList
  /// The place in use and where it redirected to; the last is asked.
  var chain: [String]
  var policy: RetryPolicy
  /// Bytes left from an earlier run.
  var resumedBytes: UInt64 = 0
  var wireBytes: UInt64 = 0
  var requestCount = 0
  /// Which attempt is under way, from 1 on; redirects and further connections are part of one.
  var attempt = 1
  /// What is being done beside requests, for errors that do not know.
  private var stage = TransferPhase.preparation
  var peakConnections = 0
  var usesCondition = true
  var version = TransferSettings.HTTPVersion.http1
  /// How often HTTP/2 itself was the trouble.
  var streamFailures = 0
  var startOvers = 0
  /// Why everything begins again once the requests under way have ended.
  var pendingStartOver: TransferProblem?
  var isPaused = false
  var isWaiting = false
  /// Whether another place is asked once the requests under way have ended.
  var isSwitching = false
  /// Who sent which bytes.
  var deliveries: [(range: Range<UInt64>, url: String)] = []
  /// How often what came was not what it should be.
  var mendings = 0
  /// Whether the present place was asked for all of the file once more.
  var hasAskedForAll = false
  var hasReadMetalink = false
  /// What was waited for and not used yet.
  var admitted: HostGate.Pass?
  private var isTicking = false
  /// Set when no further request is to be made: why.
  var failure: (any Error)?
  /// The size of the finished file.
  var finalTotal: UInt64?
  var isLengthVerified = false
  /// What the finished file was compared with.
  private var check: String?
  var planner: SegmentPlanner

  init(
    url: String, target: DownloadTarget, options: DownloadOptions, session: NetworkSession,
    meter: WorkMeter, control: DownloadControl = DownloadControl(),
    earlier: EarlierParts = EarlierParts()
  ) {
    self.url = url
    self.options = options
    (loop, hosts) = (session.loop, session.hosts)
    self.meter = meter
    sources = SourceList([url] + options.mirrors)
    chain = [url]
    book = DownloadBook(
      DownloadPlace(target: target, url: url, options: options, earlier: earlier),
      options: options, meter: meter)
    policy = RetryPolicy(limit: options.retryLimit, budget: options.retryTime, stored: 0)
    version = options.transfer.version
    planner = SegmentPlanner(options.connections, hasRateLimit: options.transfer.rateLimit != nil)
    post = control
    placements = session.placements
  }

  // MARK: The whole

  /// Runs to the end.
  ///
  /// - Parameter transferred: Called when no more requests are needed and the file waits for the disk.
  /// - Returns: What was done.
  /// - Throws: ``NetworkError`` or `CancellationError`.
  func run(_ transferred: () -> Void = {}) async throws -> DownloadReport {
    do {
      try await prepare()
      if book.skipped == nil { try await transferVerified() }
      transferred()
      let report = try await finish()
      meter.finish()
      return report
    } catch let problem as TransferProblem {
      let error = NetworkError(problem).during(
        url: chain.last ?? url, phase: stage, attempt: attempt)
      await abandon(isWrong: error.category == .integrity)
      throw error
    } catch {
      await abandon(isWrong: false)
      throw error
    }
  }

  private func prepare() async throws {
    let (book, url, transfer, mirrors) = (book, url, options.transfer, options.mirrors)
    options.onEvent?(.started(url: URLRedaction.redact(url)))
    try await SpareThreads.shared.run {
      try RequestCheck.check(url, transfer)
      for mirror in mirrors { try RequestCheck.check(mirror, transfer) }
      try book.prepare()
    }
    resumedBytes = book.stored.count
    renewPolicy()
    if resumedBytes > 0 { meter.restart(completed: resumedBytes) }
  }

  /// Transfers until what came is what it should be, from as many places as there are.
  private func transferVerified() async throws {
    while true {
      do {
        try await transferAll()
        guard book.skipped == nil, let total = finalTotal else { return }
        return try await verify(total)
      } catch let problem as TransferProblem {
        try await mend(problem)
      } catch let error as NetworkError {
        guard try await findsOtherPlace(after: error) else { throw error }
      }
    }
  }

  private func verify(_ total: UInt64) async throws {
    stage = .verification
    let book = book
    let check =
      book.verifiesAtOnce
      ? try book.verify(total: total)
      : try await SpareThreads.shared.run { try book.verify(total: total) }
    guard isLengthVerified || check != DownloadBook.lengthCheck else { return }
    self.check = check
    options.onEvent?(
      .verified(url: URLRedaction.redact(url), path: book.openPlace?.path ?? "", check: check))
  }

  /// Counts retries anew.
  func renewPolicy() {
    policy = RetryPolicy(
      limit: options.retryLimit, budget: options.retryTime, stored: book.stored.count)
  }

  private func transferAll() async throws {
    let post = post
    let registration = meter.cancellation.onCancel { post.yield(.cancel) }
    defer { registration.cancel() }
    if let limit = options.timeLimit { loop.after(limit) { post.yield(.deadline) } }
    await withTaskCancellationHandler {
      ask()
      while !isAtEnd { handle(await post.next()) }
    } onCancel: {
      post.yield(.cancel)
    }
    dropAdmission()
    if let failure { throw failure }
  }

  private var isAtEnd: Bool { segments.isEmpty && (failure != nil || finalTotal != nil) }

  private func handle(_ signal: Signal) {
    switch signal {
    case .ended(let number, let outcome): segmentEnded(number, outcome)
    case .begun:
      guard !isTicking else { return }
      isTicking = true
      tick()
      scheduleTick()
    case .retry:
      isWaiting = false
      if segments.isEmpty { ask() }
      if !isWaiting { dropAdmission() }
    case .tick:
      tick()
      scheduleTick()
    case .deadline:
      stop(
        NetworkError(.timedOut(.total, after: options.timeLimit ?? .zero)).during(url: url))
    case .pause:
      isPaused = true
      cancelSegments()
    case .resume:
      guard isPaused else { return }
      isPaused = false
      if segments.isEmpty, !isWaiting { ask() }
    case .cancel: stop(CancellationError())
    }
  }

  private func scheduleTick() {
    let post = post
    loop.after(SegmentPlanner.period) { post.yield(.tick) }
  }

  // MARK: Asking

  /// Asks for what is missing, over one connection.
  func ask() {
    guard failure == nil, finalTotal == nil, !isPaused else { return }
    let stored = book.stored
    let known = book.version
    if let total = known.total, stored.contains(0..<total), stored.count > 0 || total == 0 {
      finalTotal = total
      isLengthVerified = true
      return
    }
    guard stored.count > 0, book.mayAskRanges, book.openPlace?.part != nil || stored.prefix > 0
    else {
      return start(RangeAsk(), writesFrom: 0)
    }
    let gap = stored.gaps(upTo: known.total ?? .max).first ?? stored.upperBound..<UInt64.max
    startRange(gap, known: known)
  }

  /// Asks for a range, beginning with a few bytes that are stored already, to compare them.
  func startRange(_ gap: Range<UInt64>, known: FileVersion) {
    let overlap = book.openPlace?.part == nil ? 0 : min(Self.overlapLength, gap.lowerBound)
    let isStored = book.stored.contains((gap.lowerBound - overlap)..<gap.lowerBound)
    let first = gap.lowerBound - (isStored ? overlap : 0)
    let end = gap.upperBound == known.total ?? .max ? nil : gap.upperBound
    let ask = RangeAsk(
      start: first, end: end, isRanged: true,
      isConditional: usesCondition && known.rangeCondition != nil)
    start(ask, writesFrom: gap.lowerBound)
  }

  /// What is fetched again at a join, to see that both sides belong together.
  static let overlapLength: UInt64 = 16 << 10

  func start(_ ask: RangeAsk, writesFrom: UInt64) {
    let current = chain.last ?? url
    guard let pass = admission(to: current) else { return }
    book.allowTakeOver(segments.isEmpty)
    book.follow(chain: sources.isFirst ? chain : [url] + chain)
    let number = nextSegment
    nextSegment += 1
    requestCount += 1
    let (book, post) = (book, post)
    let receiver = SegmentReceiver(
      ask: ask, writesFrom: writesFrom, isHeadless: !current.lowercased().hasPrefix("http"),
      meter: meter,
      judge: { head in
        let plan = book.plan(head, ask, writesFrom: writesFrom)
        if plan.isWorthWatching { post.yield(.begun) }
        return plan
      },
      completion: { post.yield(.ended(number, $0)) })
    let request = request(current, ask)
    segments[number] = Segment(
      transfer: loop.start(request, receiver), receiver: receiver, url: current,
      start: writesFrom, pass: pass, sentCredentials: request.hasCredentials)
    peakConnections = max(peakConnections, segments.count)
  }

  private func request(_ current: String, _ ask: RangeAsk) -> TransferRequest {
    var request = TransferRequest(url: current, settings: options.transfer)
    request.settings.version = version
    request.sendsSecrets = TransferURL.isSameOrigin(current, url)
    guard ask.isRanged else { return request }
    request.range = "\(ask.start)-" + (ask.end.map { "\($0 - 1)" } ?? "")
    if ask.isConditional, let condition = book.version.rangeCondition {
      request.fields.append(.init(name: "If-Range", value: condition))
    }
    return request
  }

  // MARK: Stopping

  /// Makes no further request and ends those under way.
  func stop(_ error: any Error) {
    if var error = error as? NetworkError {
      error.attempt = attempt
      failure = failure ?? error
    }
    failure = failure ?? error
    cancelSegments()
  }

  func cancelSegments() {
    for (number, segment) in segments {
      segments[number]?.isCancelled = true
      loop.cancel(segment.transfer)
    }
  }

  private func abandon(isWrong: Bool) async {
    let book = book
    // Best effort: the error that led here is the one to tell.
    let kept = try? await SpareThreads.shared.run { book.abandon(isWrong: isWrong) }
    if let kept, options.resumes, book.mayAskRanges {
      options.onEvent?(.kept(url: URLRedaction.redact(url), part: kept.part, bytes: kept.bytes))
    }
  }

  private func finish() async throws -> DownloadReport {
    var report = DownloadReport(
      path: "", url: URLRedaction.redact(chain.last ?? url), byteCount: 0,
      resumedBytes: resumedBytes, wireBytes: wireBytes, requestCount: requestCount,
      connectionCount: peakConnections, isLengthVerified: isLengthVerified)
    if let skipped = book.skipped {
      report.path = skipped.path
      report.byteCount = skipped.size
      report.wasSkipped = true
      let existing = ExistingFile(
        path: skipped.path, options: options, cancellation: meter.cancellation)
      report.check = try await SpareThreads.shared.run { try existing.verify() }
      return report
    }
    let (book, total) = (book, finalTotal ?? 0)
    stage = .placement
    report.byteCount = total
    report.check = check
    report.head = book.head
    report.path = try await placements.place(book, total: total)
    return report
  }
}
