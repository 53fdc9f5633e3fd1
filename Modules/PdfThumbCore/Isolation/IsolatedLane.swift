internal import SystemIO

/// A thread that keeps one worker process busy: the next request is there before the last is
/// answered.
///
/// Made and used on its own thread, which therefore starts the worker: the kernel ends a process
/// with the thread that started it.
final class IsolatedLane {
  struct Flight {
    let job: WorkJob
    let serial: UInt64
    let slot: Int
  }

  static let startTime = Duration.seconds(20)
  static let keptMessages = 2048

  let settings: IsolationSettings
  let board: WorkBoard
  let wake: WorkBoard.Wake
  let origin: WorkerOrigin
  var worker: WorkerProcess?
  var surface: SharedMemory?
  /// The bytes of a slot the next worker or surface shall have.
  var wantedSlot = 1 << 20
  var file: DocumentFile?
  var opened: OpenedDocument?
  var sandbox: SandboxReport?
  var flights: [Flight] = []
  var watch: PageWatch?
  var began = Duration.zero
  /// The processor time the worker had used then.
  var usedBefore: Duration?
  var said: [UInt8] = []
  var serial: UInt64 = 0
  var pagesSinceOpening = 0
  var residentAtStart: UInt64?
  var mustRenew = false
  /// Whether the worker draws from the copy that all share, or was asked to.
  var hasAdopted = false
  var pagesBeforeRenewal = 32
  var isIdle = true

  init(
    _ board: WorkBoard, _ wake: WorkBoard.Wake, settings: IsolationSettings, origin: WorkerOrigin
  ) {
    self.board = board
    self.wake = wake
    self.settings = settings
    self.origin = origin
  }

  var slotCount: Int { (surface?.count ?? 0) / WireRequest.slots.count }

  /// Works until the board closes.
  func run() {
    while !board.isClosed {
      if let file, !board.isOpen(file) { leave() }
      fill()
      if flights.isEmpty {
        setIdle(true)
        waitIdle()
      } else {
        step()
      }
    }
    for flight in flights { flight.job.finish(.failure(.closed())) }
    _ = endWorker(grace: .zero)
  }

  func setIdle(_ value: Bool) {
    guard isIdle != value else { return }
    isIdle = value
    board.noteIdle(value, at: file)
  }

  func waitIdle() {
    _ = try? Readiness.wait(for: [wake.signal.descriptor.raw], timeout: .seconds(60))
    wake.signal.lower()
  }

  /// Gives the worker two jobs, one to do and one to have next.
  func fill() {
    while flights.count < WireRequest.slots.count {
      if mustRenew || wantedSlot > slotCount || mustPause, !flights.isEmpty { return }
      guard let job = board.take(for: file, isExtra: !flights.isEmpty) else { return }
      setIdle(false)
      if file !== job.file { leave() }
      if mustRenew { renew() }
      do throws(PDFError) {
        try prepare(for: job.file)
      } catch {
        // A lane whose start was given up because the document closed says so, not the document.
        if board.isOpen(job.file) { board.fail(job.file, error) }
        job.finish(.failure(error))
        continue
      }
      if case .open = job.order, let opened {
        // Said before the caller can ask for a page, lest another lane take that.
        setIdle(true)
        job.finish(.success(.opened(opened)))
        continue
      }
      if flights.isEmpty, !isReadyToDraw(job) { continue }
      send(job)
    }
  }

  /// Leaves the document; its worker goes with it.
  func leave() {
    if let file {
      board.note(lanes: -1, for: file)
      // Another lane may have left a page of it to this one.
      board.wakeAll()
    }
    file = nil
    pagesBeforeRenewal = 32
    for flight in flights { flight.job.finish(.failure(.closed())) }
    flights = []
    _ = endWorker(grace: .zero)
  }

  /// Ends the worker between two pages, so that the next one starts small.
  private func renew() { _ = endWorker(grace: .zero) }

  private func send(_ job: WorkJob) {
    let slot = flights.first.map { 1 - $0.slot } ?? 0
    let kind: WireRequest.Kind =
      switch job.order {
      case .draw(let order): .draw(order)
      case .describe(let first, let count, let withBoxes):
        .describe(first: first, count: count, withBoxes: withBoxes)
      case .outline: .outline
      case .open, .information: .information
      }
    serial += 1
    flights.append(Flight(job: job, serial: serial, slot: slot))
    if flights.count == 1 { startWatch() }
    do throws(SystemError) {
      try worker?.send(WireRequest(serial: serial, slot: slot, kind: kind))
    } catch {
      lose(nil, nil)
    }
  }

  func startWatch() {
    usedBefore = worker?.processorTime ?? nil
    began = Environment.monotonicNow
    watch = PageWatch(settings, now: began, processorTime: usedBefore)
    worker?.limitProcessorTime(toGrowBy: settings.processorTime)
    said = []
  }

  /// Waits for the next thing to happen to the job at the front.
  private func step() {
    guard let front = flights.first else { return }
    switch nextEvent(cancelledAt: front.job.cancelledAt) {
    case .event(.reply(let reply)): accept(reply)
    case .event(.lost(let violation)): lose(nil, violation)
    case .excess(let excess): lose(excess, nil)
    case .event: break
    }
  }

  enum Happening {
    case event(WorkerProcess.Event)
    case excess(PageWatch.Excess)
  }

  /// One event, or the limit that was passed; messages are counted here.
  func nextEvent(cancelledAt: Duration?) -> Happening {
    let now = Environment.monotonicNow
    let used = worker?.processorTime
    if cancelledAt != nil { watch?.noteCancellation(now: now) }
    let verdict = watch?.verdict(now: now, processorTime: used ?? nil) ?? .stop(.time)
    guard case .wait(let rest) = verdict else {
      if case .stop(let excess) = verdict { return .excess(excess) }
      return .excess(.time)
    }
    let event = (try? worker?.next(wake: wake.signal.descriptor.raw, timeout: rest)) ?? nil
    switch event {
    case .messages(let bytes):
      watch?.note(messages: bytes.count)
      said += bytes.prefix(max(0, Self.keptMessages - said.count))
    case .woken: wake.signal.lower()
    default: break
    }
    return .event(event ?? .lost(nil))
  }
}
