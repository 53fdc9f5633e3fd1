import ProgressReporting
import SystemIO

extension NetworkSession {
  /// Finds out what ``download(_:to:options:progress:)`` would do, and writes nothing.
  ///
  /// The server is asked for one byte, so that it tells name, size and version as it would for the
  /// download; what it sends beyond the head is not read. Where the file is there already it is compared
  /// as the download would, and the server is not asked.
  /// - Parameters:
  ///   - url: What to download.
  ///   - target: Where it would go.
  ///   - options: How it would be done; nothing is told to `onEvent`, and no cookie is kept.
  /// - Returns: The plan.
  /// - Throws: ``NetworkError``, the one that the download would end with as far as can be told, or
  ///   `CancellationError`.
  public func plan(
    _ url: String, to target: DownloadTarget, options: DownloadOptions = DownloadOptions()
  ) async throws -> DownloadPlan {
    do {
      return try await Planner(url: url, target: target, options: options, loop: loop).plan()
    } catch let problem as TransferProblem {
      throw NetworkError(problem).during(url: url)
    }
  }

  /// Finds out what ``downloadAll(_:jobs:options:progress:completed:)`` would do for an item.
  ///
  /// Mirrors are not asked.
  /// - Parameters:
  ///   - item: What to download.
  ///   - options: How it would be done.
  /// - Returns: The plan.
  /// - Throws: As ``plan(_:to:options:)``.
  public func plan(
    _ item: DownloadItem, options: DownloadOptions = DownloadOptions()
  ) async throws -> DownloadPlan {
    try await plan(item.url, to: item.target, options: item.refine(options))
  }
}

/// Plans one download.
private struct Planner {
  let url: String
  let options: DownloadOptions
  let place: DownloadPlace
  let loop: TransferLoop
  private var settings: TransferSettings

  init(url: String, target: DownloadTarget, options: DownloadOptions, loop: TransferLoop) {
    self.url = url
    self.options = options
    self.loop = loop
    place = DownloadPlace(target: target, url: url, options: options)
    settings = options.transfer
    settings.cookieJar = nil
  }

  func plan() async throws -> DownloadPlan {
    var plan = DownloadPlan(url: URLRedaction.redact(url))
    let (place, url, settings) = (place, url, settings)
    let known = try await OwnedThread.run(named: "fetch-plan") {
      try RequestCheck.check(url, settings)
      return try place.look()
    }
    if let known, try await leaves(known, &plan) { return plan }
    let head = try await probe(&plan)
    let version = head.map { FileVersion($0, total: plan.totalBytes) } ?? FileVersion()
    plan.entityTag = version.entityTag
    plan.lastModified = version.lastModified
    let prospect: DownloadPlace.Prospect
    if let known {
      prospect = known
    } else {
      let named = head ?? ResponseHead(status: 200)
      let name = DownloadName.choose(head: named, url: plan.redirects.last ?? url)
      prospect = try await OwnedThread.run(named: "fetch-plan") { try place.look(named: name) }
      if try await leaves(prospect, &plan) { return plan }
    }
    try checkSize(plan.totalBytes, at: prospect)
    fill(&plan, prospect, version, head)
    return plan
  }

  /// Whether the file is there already and stays.
  private func leaves(
    _ prospect: DownloadPlace.Prospect, _ plan: inout DownloadPlan
  ) async throws -> Bool {
    plan.path = prospect.path
    plan.part = prospect.part
    guard case .taken = prospect.outlook else { return false }
    let file = ExistingFile(
      path: prospect.path, options: options, cancellation: WorkCancellation())
    let check = try await OwnedThread.run(named: "fetch-check") { try file.verify() }
    plan.action = .leave
    plan.part = nil
    plan.checks = check.map { [$0] } ?? []
    plan.reason =
      check.map { "the file is there, and matches \($0)" } ?? "a file of that name is there"
    return true
  }

  private func checkSize(
    _ total: UInt64?, at prospect: DownloadPlace.Prospect
  ) throws(TransferProblem) {
    guard let total else { return }
    if let limit = options.sizeLimit, total > limit { throw .tooLarge(limit: limit, found: total) }
    if let size = options.expectedSize, total != size {
      throw .sizeDiffers(expected: size, found: total)
    }
    try place.checkRoom(for: total, at: prospect)
  }

  private func fill(
    _ plan: inout DownloadPlan, _ prospect: DownloadPlace.Prospect, _ version: FileVersion,
    _ head: ResponseHead?
  ) {
    plan.storedBytes = prospect.stored.count
    let known = prospect.version
    if plan.storedBytes > 0 {
      let gap = prospect.stored.gaps(upTo: known.total ?? .max).first?.lowerBound
      let start = gap ?? prospect.stored.upperBound
      plan.range = "bytes=\(start - min(start, DownloadRun.overlapLength))-"
      plan.condition = known.rangeCondition
    }
    plan.checks = plan.totalBytes == nil ? [] : [DownloadBook.lengthCheck]
    var expected = ExpectedDigests()
    expected.add(options.checksums, from: DownloadBook.caller)
    if options.checksServerDigests, let head { expected.add(head) }
    if !expected.items.isEmpty { plan.checks.append(expected.summary) }
    let stored = "\(plan.storedBytes) bytes of an earlier run"
    if prospect.outlook == .device {
      (plan.action, plan.reason) = (.stream, "nothing can be taken back there, or gone on with")
    } else if plan.storedBytes == 0 {
      let replaces = prospect.outlook == .givesWay && options.existing == .replace
      plan.action = replaces ? .replace : .create
      plan.reason =
        replaces
        ? "a file of that name is there, and is to be replaced"
        : prospect.outlook == .givesWay
          ? "the name is taken, and this one is free" : "the name is free"
    } else if let change = version.change(from: known) ?? sizeChange(known.total, version.total) {
      (plan.action, plan.reason) = (.startOver, "\(stored) are there; \(change.text)")
    } else if !plan.takesRanges, head != nil {
      plan.action = .startOver
      plan.reason = "\(stored) are there, but the server gives the whole file only"
    } else {
      (plan.action, plan.reason) = (.resume, "\(stored) are there, and the file is the same")
    }
  }

  private func sizeChange(_ before: UInt64?, _ now: UInt64?) -> TransferProblem? {
    guard let before, let now, before != now else { return nil }
    return .totalChanged(from: before, to: now)
  }

  // MARK: The server

  /// Asks for the first byte, following redirects; `nil` where the protocol has no head.
  private func probe(_ plan: inout DownloadPlan) async throws -> ResponseHead? {
    var current = url
    guard current.lowercased().hasPrefix("http") else { return nil }
    let ask = RangeAsk(start: 0, end: 1, isRanged: true)
    for _ in 0...settings.redirectLimit {
      var request = TransferRequest(url: current, settings: settings)
      request.sendsSecrets = TransferURL.isSameOrigin(current, url)
      request.range = "0-0"
      let head = try await head(request)
      plan.status = head.status
      switch ResponseRule.judge(
        head, ask: ask, known: FileVersion(), stored: 0, decodes: options.decodes)
      {
      case .redirect(let target):
        current = try TransferURL.resolve(target, from: current, settings)
        plan.redirects.append(URLRedaction.redact(current))
      case .body(let body):
        plan.takesRanges = head.status == 206
        plan.totalBytes = body.version.total
        return head
      // A file of no bytes has no first one.
      case .complete:
        plan.totalBytes = 0
        return head
      // An answer that the download, which asks for all of it, would not get.
      case .startOver, .askWithoutCondition: return head
      case .failure(let problem): throw NetworkError(problem).during(url: current)
      }
    }
    throw NetworkError(.tooManyRedirects(limit: settings.redirectLimit)).during(url: current)
  }

  private func head(_ request: TransferRequest) async throws -> ResponseHead {
    let receiver = StreamReceiver(loop) { _ in false }
    let source = ByteStream.Source(receiver, url: request.url, settings: request.settings)
    receiver.start(request)
    if let head = await receiver.head() { return head }
    _ = try await source.next()
    throw CancellationError()
  }
}
