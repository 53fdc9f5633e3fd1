import Synchronization
import SystemIO

/// One thread that drives all transfers of a session through one multi handle.
///
/// Commands go in through a mailbox; receivers are called on the thread. It sleeps while nothing is
/// to be done and ends when the owner of this object lets it go.
final class TransferLoop: Sendable {
  /// Names a transfer to the loop.
  struct ID: Hashable, Sendable {
    fileprivate let number: Int
  }

  fileprivate enum Command: Sendable {
    case start(ID, TransferRequest, any TransferReceiver)
    case cancel(ID)
    case resume(ID)
    case after(Duration, @Sendable () -> Void)
    case shutDown
  }

  private let mailbox: Mailbox
  private let thread: OwnedThread

  /// Starts the thread.
  init(connections: Int = 0, perHost: Int = 0) throws(SystemError) {
    guard let multi = CurlMultiHandle() else {
      throw SystemError(errno: 12, call: "curl_multi_init")
    }
    multi.limitConnections(total: connections, perHost: perHost)
    let mailbox = Mailbox(multi)
    self.mailbox = mailbox
    thread = try OwnedThread(named: "fetch-loop") { LoopWorker(mailbox)?.run() }
  }

  deinit { mailbox.post(.shutDown) }

  /// Ends all transfers and waits for the end of the thread; what is started later ends at once.
  func shutDown() async {
    mailbox.post(.shutDown)
    let thread = thread
    // Without a thread to wait on there is none to wait for either.
    try? await OwnedThread.run(named: "fetch-end") { thread.join() }
  }

  /// Starts a transfer; the receiver is kept until it has been told the end.
  @discardableResult
  func start(_ request: TransferRequest, _ receiver: any TransferReceiver) -> ID {
    let id = ID(number: mailbox.nextNumber())
    mailbox.post(.start(id, request, receiver))
    return id
  }

  /// Ends a transfer; its receiver is told, unless it already was.
  func cancel(_ id: ID) { mailbox.post(.cancel(id)) }

  /// Lets a transfer go on whose receiver answered `.later`.
  func resume(_ id: ID) { mailbox.post(.resume(id)) }

  /// Calls a function on the loop thread after a while; it must not wait.
  func after(_ delay: Duration, _ action: @escaping @Sendable () -> Void) {
    mailbox.post(.after(Environment.monotonicNow + delay, action))
  }
}

/// What the loop thread and its callers share.
private final class Mailbox: Sendable {
  let multi: CurlMultiHandle
  private let commands = Mutex<[TransferLoop.Command]>([])
  private let isClosed = Mutex(false)
  private let counter = Atomic<Int>(0)

  init(_ multi: consuming CurlMultiHandle) { self.multi = multi }

  func nextNumber() -> Int { counter.add(1, ordering: .relaxed).newValue }

  func post(_ command: TransferLoop.Command) {
    let isFirst = commands.withLock { commands -> Bool? in
      if isClosed.withLock({ $0 }) { return nil }
      commands.append(command)
      return commands.count == 1
    }
    if isFirst == nil { Self.refuse(command) }
    if isFirst == true { multi.wake() }
  }

  /// Takes no more commands, and refuses those that nobody will obey.
  func close() {
    let left = commands.withLock { commands in
      isClosed.withLock { $0 = true }
      defer { commands = [] }
      return commands
    }
    for command in left { Self.refuse(command) }
  }

  private static func refuse(_ command: TransferLoop.Command) {
    guard case .start(_, _, let receiver) = command else { return }
    var outcome = TransferOutcome(curlCode: .abortedByCallback, message: "")
    outcome.stop = .cancelled
    receiver.ended(outcome)
  }

  func takeAll() -> [TransferLoop.Command] {
    commands.withLock { commands in
      defer { commands = [] }
      return commands
    }
  }
}

/// The state of the loop, confined to its thread.
private final class LoopWorker {
  private let mailbox: Mailbox
  private let share: CurlShareHandle
  private var transfers: [TransferLoop.ID: ActiveTransfer] = [:]
  private var byHandle: [Int: TransferLoop.ID] = [:]
  private var timers: [(due: Duration, action: @Sendable () -> Void)] = []
  private var isRunning = true
  private var nextPatienceCheck = Duration.zero
  /// When the last pass was, if there was something to wait for.
  private var lastPass: Duration?

  init?(_ mailbox: Mailbox) {
    guard let share = CurlShareHandle() else { return nil }
    self.mailbox = mailbox
    self.share = share
  }

  func run() {
    while isRunning {
      for command in mailbox.takeAll() { obey(command) }
      keepRates()
      guard mailbox.multi.perform() else { break }
      flush()
      collectFinished()
      let now = Environment.monotonicNow
      forgiveStop(now: now)
      runTimers(now: now)
      checkPatience(now: now)
      guard isRunning, mailbox.multi.wait(atMost: waitTime(now: now)) else { break }
    }
    for id in Array(transfers.keys) { end(id, code: .abortedByCallback, stop: .cancelled) }
    mailbox.close()
  }

  private func obey(_ command: TransferLoop.Command) {
    switch command {
    case .start(let id, let request, let receiver): start(id, request, receiver)
    case .cancel(let id): end(id, code: .abortedByCallback, stop: .cancelled)
    case .resume(let id): transfers[id]?.resume()
    case .after(let due, let action): timers.append((due, action))
    case .shutDown: isRunning = false
    }
  }

  private func start(
    _ id: TransferLoop.ID, _ request: TransferRequest, _ receiver: any TransferReceiver
  ) {
    let failure = TransferOutcome(curlCode: .failedInit, message: "")
    guard let transfer = ActiveTransfer(request, receiver: receiver, share: share),
      transfer.connectCallbacks()
    else { return receiver.ended(failure) }
    byHandle[transfer.easy.address] = id
    transfers[id] = transfer
    if !mailbox.multi.add(transfer.easy) { end(id, code: failure.curlCode, stop: nil) }
  }

  /// libcurl passes on a few KiB at a time; receivers gather them and write what one look brought.
  private func flush() {
    let refused = transfers.compactMap { id, transfer in
      transfer.isUnflushed && !transfer.flush() ? id : nil
    }
    for id in refused { end(id, code: .writeError, stop: .receiver) }
  }

  private func collectFinished() {
    while let (easy, code) = mailbox.multi.nextFinished() {
      if let id = byHandle[easy] { end(id, code: code, stop: nil) }
    }
  }

  private func end(_ id: TransferLoop.ID, code: CurlCode, stop: TransferStop?) {
    guard let (receiver, outcome) = letGo(id, code, stop) else { return }
    receiver.ended(outcome)
  }

  /// Has libcurl forget a transfer, and write its cookies, before anybody hears of the end.
  ///
  /// The process may exit then, and what libcurl works with be torn down.
  private func letGo(
    _ id: TransferLoop.ID, _ code: CurlCode, _ stop: TransferStop?
  ) -> (any TransferReceiver, TransferOutcome)? {
    guard let transfer = transfers.removeValue(forKey: id) else { return nil }
    byHandle[transfer.easy.address] = nil
    mailbox.multi.remove(transfer.easy)
    return (transfer.receiver, transfer.finish(code: code, stop: stop))
  }

  private func keepRates() {
    let now = Environment.monotonicNow
    for transfer in transfers.values where transfer.resumeTime != nil {
      transfer.keepRate(now: now)
    }
  }

  /// Time in which this thread did not run is not the servers' fault: the process was stopped by a shell,
  /// the machine slept, or a disk stood still.
  private func forgiveStop(now: Duration) {
    if let lastPass, now - lastPass > .seconds(2) {
      for transfer in transfers.values { transfer.forgive(now - lastPass) }
    }
    // Without transfers the next pass may be far.
    lastPass = transfers.isEmpty ? nil : now
  }

  private func checkPatience(now: Duration) {
    guard now >= nextPatienceCheck else { return }
    nextPatienceCheck = now + .milliseconds(100)
    // No transfer may be held on to while another one, or it, is let go of.
    let late = transfers.compactMap { id, transfer in
      transfer.checkPatience(now: now).map { (id, $0) }
    }
    for (id, stop) in late { end(id, code: .operationTimedOut, stop: stop) }
  }

  private func runTimers(now: Duration) {
    guard !timers.isEmpty else { return }
    let due = timers.filter { $0.due <= now }
    timers.removeAll { $0.due <= now }
    for timer in due { timer.action() }
  }

  private func waitTime(now: Duration) -> Int32 {
    var wait: Duration = transfers.isEmpty ? .seconds(600) : .milliseconds(200)
    for timer in timers { wait = min(wait, timer.due - now) }
    for transfer in transfers.values {
      if let time = transfer.resumeTime { wait = min(wait, time - now) }
    }
    return Int32(clamping: Int64((max(wait, .zero) / .milliseconds(1)).rounded(.up)))
  }
}
