import ProgressReporting
import SystemIO

// What follows when a request has ended.
extension DownloadRun {
  /// libcurl does not tell why a name could not be resolved: asks the resolver once more, on a thread.
  ///
  /// - Returns: Whether the end comes again, with the answer.
  private func asksResolver(_ number: Int, _ outcome: TransferOutcome) -> Bool {
    guard outcome.needsLookup, failure == nil, let url = segments[number]?.url else { return false }
    let post = post
    Task { post.yield(.ended(number, await outcome.asked(url))) }
    return true
  }

  func segmentEnded(_ number: Int, _ outcome: TransferOutcome) {
    if asksResolver(number, outcome) { return }
    guard let segment = segments.removeValue(forKey: number) else { return }
    defer { hosts.leave(segment.pass) }
    wireBytes += outcome.bodyBytes
    noteDelivery(segment)
    guard failure == nil, finalTotal == nil else { return }
    if isSwitching { return goOnIfIdle() }
    if let problem = pendingStartOver { return beginAgainIfIdle(problem) }
    if isPaused, outcome.stop == .cancelled { return }
    // Also behind a pause that was over before its requests had ended.
    if segment.isCancelled, outcome.stop == .cancelled {
      return segments.isEmpty ? ask() : spread()
    }
    let receiver = segment.receiver
    switch receiver.verdict {
    case .redirect(let target) where receiver.problem == nil:
      hosts.leave(segment.pass, .served)
      follow(target, status: receiver.status)
    case .complete:
      finalTotal = book.skipped?.size ?? book.stored.upperBound
      isLengthVerified = true
      cancelSegments()
    case .askWithoutCondition:
      usesCondition = false
      ask()
    case .startOver(let problem): startOver(problem, segment)
    case .failure(let problem):
      let answered = segment.sentCredentials ? problem.afterCredentials : problem
      failed(NetworkError(answered), segment, outcome)
    case .body(let body): bodyEnded(body, segment, outcome)
    default: failed(error(outcome, segment), segment, outcome)
    }
  }

  private func bodyEnded(
    _ body: ResponseVerdict.Body, _ segment: Segment, _ outcome: TransferOutcome
  ) {
    let receiver = segment.receiver
    if let problem = receiver.problem {
      switch problem.retry {
      case .restart: return startOver(problem, segment)
      default: return failed(NetworkError(problem), segment, outcome)
      }
    }
    let position = receiver.position
    if body.coding != nil || body.end == nil {
      // Nothing but the end of the stream tells that the body is whole, unless its coding has a trailer.
      let hasEnded = outcome.stop == nil || body.coding != nil
      let hasHead = outcome.isHeadComplete || receiver.isHeadless
      guard outcome.curlCode == .ok, hasHead, hasEnded else {
        return failed(error(outcome, segment), segment, outcome)
      }
      hosts.leave(segment.pass, .served)
      finalTotal = position
      isLengthVerified = body.coding != nil || segment.receiver.isHeadless
      return
    }
    guard receiver.isDone else { return failed(error(outcome, segment), segment, outcome) }
    hosts.leave(segment.pass, .served)
    rangeIsDone()
  }

  /// A range is stored to its end: the file is whole, or something else is missing.
  private func rangeIsDone() {
    guard let total = book.version.total else {
      finalTotal = book.stored.upperBound
      return
    }
    if book.stored.contains(0..<total) {
      finalTotal = total
      isLengthVerified = true
      return
    }
    if segments.isEmpty { ask() } else { spread() }
  }

  // MARK: Redirects

  private func follow(_ target: String, status: Int) {
    let from = chain.last ?? url
    do throws(TransferProblem) {
      let next = try TransferURL.resolve(target, from: from, options.transfer)
      guard chain.count <= options.transfer.redirectLimit else {
        throw TransferProblem.tooManyRedirects(limit: options.transfer.redirectLimit)
      }
      options.onEvent?(
        .redirected(
          from: URLRedaction.redact(from), to: URLRedaction.redact(next), status: status))
      chain.append(next)
      ask()
    } catch {
      var failure = NetworkError(error).during(url: from, phase: .header)
      failure.httpStatus = failure.httpStatus ?? status
      giveUp(failure)
    }
  }

  // MARK: Trouble

  /// Throws away what is stored, because it cannot belong to what the server has now.
  private func startOver(_ problem: TransferProblem, _ segment: Segment) {
    if case .rangeIgnored = problem, giveBack(segment, takesAll: true) {
      return planner.stayAlone()
    }
    startOvers += 1
    // A mirror that has something else than what is stored: the next may have it.
    guard startOvers <= 2, sources.isFirst || !sources.hasNext else {
      return giveUp(NetworkError(problem).during(url: segment.url, phase: .header))
    }
    planner.stayAlone()
    pendingStartOver = problem
    cancelSegments()
    beginAgainIfIdle(problem)
  }

  private func beginAgainIfIdle(_ problem: TransferProblem) {
    guard segments.isEmpty else { return }
    pendingStartOver = nil
    do throws(TransferProblem) {
      guard try book.startOver() else { throw problem }
      deliveries = []
      chain = [sources.current]
      start(RangeAsk(), writesFrom: 0)
    } catch {
      stop(NetworkError(error).during(url: url))
    }
  }

  /// Tries again where that makes sense, else ends the download.
  private func failed(_ error: NetworkError, _ segment: Segment, _ outcome: TransferOutcome) {
    if isPaused { return }
    let stored = book.stored.count
    let phase = segment.receiver.isRefused ? .header : outcome.phase.transferPhase
    var error = error.during(
      url: segment.url, phase: error.phase ?? phase, attempt: attempt, byteOffset: stored)
    error.curlCode = error.curlCode ?? error.reported(outcome.curlCode)
    if segment.receiver.isRefused, !segment.receiver.isHeadless {
      error.httpStatus = error.httpStatus ?? segment.receiver.status
    }
    // Others still work: the range goes back to the pool, and fewer connections share the rest.
    if !segments.isEmpty, error.retry != .never || (error.httpStatus ?? 0) >= 400 {
      hosts.leave(segment.pass, .failed(error, wait: error.retryAfter))
      planner.connectionFailed(active: segments.count)
      _ = giveBack(segment, takesAll: false)
      return
    }
    noteVersionTrouble(error)
    let decision = policy.decide(
      error, stored: stored, now: Environment.monotonicNow, random: .random(in: 0..<1))
    var wait: Duration?
    if case .wait = decision { wait = error.retryAfter }
    hosts.leave(segment.pass, .failed(error, wait: wait))
    switch decision {
    case .giveUp: giveUp(error)
    case .waitTooLong(let wait):
      let status = error.httpStatus ?? 503
      giveUp(
        NetworkError(.waitTooLong(status: status, wait: wait, budget: policy.left))
          .during(url: segment.url, phase: .header, byteOffset: stored))
    case .wait(let wait):
      options.onEvent?(.retrying(error, attempt: attempt, wait: wait))
      attempt += 1
      chain = [sources.current]
      isWaiting = true
      let post = post
      loop.after(wait) { post.yield(.retry) }
    }
  }

  /// HTTP/2 is given up for 1.1 when the server asks for that, and when it breaks twice.
  private func noteVersionTrouble(_ error: NetworkError) {
    guard version == .http2 else { return }
    switch error.curlCode {
    case .http2?, .http2Stream?: streamFailures += 1
    // An answer that cannot be read shows as none at all.
    case .gotNothing?, .recvError?, .sendError?:
      streamFailures += error.phase == .firstByte || error.phase == .header ? 1 : 0
    default: break
    }
    if error.retry == .onHTTP1 || streamFailures > 1 { version = .http1 }
  }

  /// Leaves the rest of a range to the stream that it was taken from.
  ///
  /// - Returns: Whether that one still runs.
  private func giveBack(_ segment: Segment, takesAll: Bool) -> Bool {
    let receiver = segment.receiver
    // The last range of a file is asked for without an end.
    let end = min(receiver.end, book.version.total ?? .max)
    guard receiver.position < end else { return false }
    return segments.values.contains {
      $0.receiver.takeBack(receiver.position..<end, takesAll: takesAll)
    }
  }

  /// What a transfer's end amounts to when it did not bring what it should.
  private func error(_ outcome: TransferOutcome, _ segment: Segment) -> NetworkError {
    let receiver = segment.receiver
    var evidence = TransferEvidence(outcome.curlCode)
    evidence.localProblem = localProblem(outcome, receiver)
    evidence.fill(from: outcome, url: segment.url, settings: options.transfer)
    evidence.redirectCount = chain.count - 1
    if case .body(let body)? = receiver.verdict {
      evidence.bodyAnnounced = body.end.map { $0 - min($0, body.start) }
    }
    return evidence.error()
      ?? NetworkError(.truncated(received: receiver.position, expected: receiver.end))
  }

  private func localProblem(
    _ outcome: TransferOutcome, _ receiver: SegmentReceiver
  ) -> TransferProblem? {
    if let problem = outcome.problem(options.transfer) { return problem }
    if outcome.curlCode == .ok, !outcome.isHeadComplete, !receiver.isHeadless {
      return .headerIncomplete
    }
    if outcome.curlCode == .ok, case .body(let body)? = receiver.verdict, let end = body.end {
      return .truncated(received: receiver.position, expected: end)
    }
    return nil
  }
}
