import SystemIO

/// A transfer in the hands of the loop; touched by the loop thread only.
///
/// A class, because libcurl's callbacks need an address that stays.
final class ActiveTransfer {
  let easy: CurlEasyHandle
  private let fields: CurlStringList
  private let request: TransferRequest
  let receiver: any TransferReceiver
  private var collector = HeadCollector()
  private var stop: TransferStop?
  /// A challenge that libcurl may still answer; if it does not, this is the answer.
  private var deferredHead: ResponseHead?
  private(set) var bodyBytes: UInt64 = 0
  /// Whether the receiver asked to wait.
  private(set) var isPaused = false
  private var pacer: RatePacer?
  /// When the body may go on, where a rate is kept.
  private(set) var resumeTime: Duration?
  private var watch: StallWatch
  private var closeWatch: CloseWatch?
  /// Whether bytes were passed on since the last ``flush()``.
  private(set) var isUnflushed = false

  init?(
    _ request: TransferRequest, receiver: any TransferReceiver, share: borrowing CurlShareHandle
  ) {
    guard let easy = CurlEasyHandle(),
      let fields = CurlStringList(CurlOptions.fieldLines(of: request))
    else { return nil }
    self.easy = easy
    self.fields = fields
    self.request = request
    self.receiver = receiver
    watch = StallWatch(request.settings, now: Environment.monotonicNow)
    pacer = request.settings.rateLimit.map { RatePacer(rate: $0) }
    do {
      try CurlOptions.apply(request, to: self.easy)
      try self.easy.setFields(self.fields)
      try self.easy.share(share)
    } catch {
      return nil
    }
  }

  /// Makes libcurl call this object; the caller keeps it alive until the handle is removed.
  func connectCallbacks() -> Bool {
    (try? unsafe easy.deliver(to: Unmanaged.passUnretained(self))) != nil
  }

  // MARK: Callbacks

  /// Takes a header line; anything but the count ends the transfer.
  func receive(headerLine bytes: UnsafeRawBufferPointer) -> Int {
    guard stop == nil else { return CurlEasyHandle.writeError }
    var line = unsafe String(decoding: bytes, as: UTF8.self)
    // Of FTP's replies one tells what a head would: that to SIZE.
    if request.isFTP, line.hasPrefix("213 ") { line = "Content-Length: \(line.dropFirst(4))" }
    switch collector.take(line) {
    case .more: break
    case .interim: watch.restart(now: Environment.monotonicNow)
    case .complete(let head):
      watch.headIsComplete(now: Environment.monotonicNow)
      // Of the answer that counts: a challenge before it may have been on another connection.
      closeWatch = (try? ResponseFraming(head)) == .close ? CloseWatch(easy) : nil
      // libcurl may still answer the challenge itself, on this very handle.
      let isChallenge = [401, 407].contains(head.status) && request.answersChallenge(head.status)
      deferredHead = isChallenge ? head : nil
      if !isChallenge, !receiver.receive(head: head) { stop = .receiver }
    case .trailer(let field): receiver.receive(trailer: field)
    case .refused(let refusal): stop = .head(refusal)
    }
    return stop == nil ? bytes.count : CurlEasyHandle.writeError
  }

  /// Takes body bytes; anything but the count pauses or ends the transfer.
  func receive(body bytes: UnsafeRawBufferPointer) -> Int {
    guard stop == nil, deliverDeferred() else { return CurlEasyHandle.writeError }
    resumeTime = pacer?.nextTime(after: bodyBytes, now: Environment.monotonicNow)
    if resumeTime != nil { return CurlEasyHandle.writePause }
    switch unsafe receiver.receive(body: bytes) {
    case .taken:
      isUnflushed = true
      bodyBytes += UInt64(bytes.count)
      return bytes.count
    case .later:
      isPaused = true
      return CurlEasyHandle.writePause
    case .stop:
      stop = .receiver
      bodyBytes += UInt64(bytes.count)
      return CurlEasyHandle.writeError
    }
  }

  /// Passes on a challenge that was not answered; returns whether its body is wanted.
  private func deliverDeferred() -> Bool {
    guard let head = deferredHead else { return true }
    deferredHead = nil
    if !receiver.receive(head: head) { stop = .receiver }
    return stop == nil
  }

  // MARK: Control by the loop

  /// Has the receiver write what it holds back; returns whether it wants more.
  func flush() -> Bool {
    isUnflushed = false
    return receiver.flush()
  }

  /// Lets a paused transfer go on.
  func resume() {
    guard isPaused else { return }
    isPaused = false
    watch.restart(now: Environment.monotonicNow)
    easy.unpause()
  }

  /// Lets the next bytes of a transfer that is kept at a rate come, once it is their time.
  func keepRate(now: Duration) {
    guard let resumeTime, resumeTime <= now, !isPaused else { return }
    self.resumeTime = nil
    easy.unpause()
  }

  /// Leaves a time out of account, as nobody could have received anything in it.
  func forgive(_ time: Duration) { watch.forgive(time) }

  /// Looks at the clock; returns a reason to end the transfer.
  func checkPatience(now: Duration) -> TransferStop? {
    watch.check(bodyBytes: bodyBytes, isPaused: isPaused || resumeTime != nil, now: now)
  }

  /// How it ended, for the receiver to be told; the handle must not be driven any more.
  func finish(code: CurlCode, stop reason: TransferStop?) -> TransferOutcome {
    if code == .ok { _ = deliverDeferred() }
    var outcome = easy.outcome(code: code)
    outcome.stop = stop ?? reason
    if code == .ok, outcome.stop == nil, closeWatch?.sawEnd == false {
      outcome.stop = .closedWithoutNotice
    }
    outcome.hasHeadBegun = collector.hasBegun
    outcome.isHeadComplete = collector.isComplete
    outcome.bodyBytes = bodyBytes
    if collector.isComplete {
      outcome.phase = .body
    } else if collector.hasBegun {
      outcome.phase = .response
    }
    return outcome
  }
}
