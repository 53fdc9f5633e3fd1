internal import SystemIO

/// Starting, opening and losing workers.
extension IsolatedLane {
  /// Makes sure that a worker has the document open and a surface as large as wanted.
  func prepare(for file: DocumentFile) throws(PDFError) {
    do throws(PDFError) {
      if worker == nil {
        try PDFError.mapping(PDFError.workerNotStarted) {
          worker = try WorkerProcess.start(origin)
        }
        try awaitReady()
      }
      if wantedSlot > slotCount {
        try PDFError.mapping(PDFError.workerNotStarted) { try replaceSurface() }
      }
    } catch {
      _ = endWorker(grace: .zero)
      throw error
    }
    if self.file == nil { try open(file) }
  }

  private func awaitReady() throws(PDFError) {
    let now = Environment.monotonicNow
    watch = PageWatch(
      IsolationSettings(workers: 1, pageTime: Self.startTime, processorTime: Self.startTime),
      now: now, processorTime: nil)
    said = []
    while true {
      switch nextEvent(cancelledAt: board.isClosed ? now : nil) {
      case .event(.reply(let reply)):
        guard reply.serial == 0, case .ready(let report) = reply.kind else {
          throw .workerNotStarted(cause: "\(WireViolation.wrongKind())")
        }
        sandbox = report
        return
      case .event(.lost):
        let ending = endWorker(grace: .milliseconds(200))
        throw .workerNotStarted(
          cause: PDFError.crashed(
            page: nil, how: ending?.ending ?? .unknown,
            messages: String(decoding: said, as: UTF8.self)
          ).cause ?? "")
      case .excess:
        throw .workerNotStarted(cause: "\(PDFError.timedOut(page: nil, limit: Self.startTime))")
      case .event: continue
      }
    }
  }

  private func replaceSurface() throws(SystemError) {
    let memory = try FileDescriptor.memory(
      named: "pictures", fixedCount: wantedSlot * WireRequest.slots.count)
    surface = try SharedMemory(mapping: memory)
    serial += 1
    try worker?.send(
      WireRequest(serial: serial, slot: 0, kind: .surface), passing: memory.raw)
    limitMemory()
  }

  /// The document, both surfaces in case one replaces the other, and what a page may need.
  private func limitMemory() {
    let surfaces = UInt64(2 * WireRequest.slots.count * wantedSlot)
    worker?.limitAddressSpace(
      toGrowBy: settings.memory + surfaces + (opened == nil ? PDFSource.greatestByteCount : 0))
  }

  private func open(_ file: DocumentFile) throws(PDFError) {
    var count: Int?
    if let password = file.password {
      let bytes = Array(password.utf8.prefix(WireRequest.greatestPasswordCount))
      count = surface?.store(bytes, at: 0) == true ? bytes.count : nil
    }
    defer {
      if let count { _ = surface?.store([UInt8](repeating: 0, count: count), at: 0) }
    }
    let kind = WireRequest.Kind.open(documentSize: file.size, passwordCount: count)
    switch try exchange(kind, passing: file.descriptor.raw, of: file) {
    case .opened(let pageCount, let objectCount):
      opened = OpenedDocument(pageCount: pageCount, objectCount: objectCount)
      file.note(objects: objectCount)
    case .failed(let code, let count):
      let refusal: PDFError
      do throws(WireViolation) {
        refusal = try WireData.error(data(count, slot: 0), code: code, page: nil)
      } catch {
        throw loss(nil, error, of: file).error(page: nil, settings: settings)
      }
      _ = endWorker(grace: .zero)
      throw refusal
    default:
      throw loss(nil, .wrongKind(), of: file).error(page: nil, settings: settings)
    }
    self.file = file
    board.note(lanes: 1, for: file)
    pagesSinceOpening = 0
    residentAtStart = nil
    limitMemory()
  }

  /// Sends a request about the document and waits for its answer; the worker has nothing else to do.
  ///
  /// - Throws: What the loss of the worker means; then it is gone.
  func exchange(
    _ kind: WireRequest.Kind, passing descriptor: Int32, of file: DocumentFile
  ) throws(PDFError) -> WireReply.Kind {
    serial += 1
    startWatch()
    do throws(SystemError) {
      try worker?.send(WireRequest(serial: serial, slot: 0, kind: kind), passing: descriptor)
    } catch {
      throw loss(nil, nil, of: file).error(page: nil, settings: settings)
    }
    while true {
      switch nextEvent(cancelledAt: board.isOpen(file) ? nil : began) {
      case .event(.reply(let reply)):
        guard reply.serial == serial else {
          let violation = WireViolation.wrongSerial(reply.serial, expected: serial)
          throw loss(nil, violation, of: file).error(page: nil, settings: settings)
        }
        return reply.kind
      case .event(.lost(let violation)):
        throw loss(nil, violation, of: file).error(page: nil, settings: settings)
      case .excess(let excess):
        throw loss(excess, nil, of: file).error(page: nil, settings: settings)
      case .event: continue
      }
    }
  }

  /// Copies what stands in a slot.
  func data(_ count: Int, slot: Int) throws(WireViolation) -> [UInt8] {
    let start = slot * slotCount
    guard count <= slotCount, let bytes = surface?.copy(start..<start + count) else {
      throw .outside(count, of: slotCount)
    }
    return bytes
  }

  /// Ends the worker and tells how it ended.
  func endWorker(grace: Duration) -> ChildProcess.Result? {
    surface = nil
    opened = nil
    mustRenew = false
    hasAdopted = false
    file.map { board.note(lanes: -1, for: $0) }
    file = nil
    guard let worker = worker.take() else { return nil }
    let (result, rest) = worker.end(grace: grace)
    said += rest.prefix(max(0, Self.keptMessages - said.count))
    return result
  }

  /// Ends the worker and gathers what is known of why.
  private func loss(
    _ excess: PageWatch.Excess?, _ violation: WireViolation?, of file: DocumentFile
  ) -> WorkerLoss {
    let isOwnEnd = excess == nil && violation == nil
    let result = endWorker(grace: isOwnEnd ? .milliseconds(200) : .zero)
    return WorkerLoss(
      excess: excess, violation: violation, ending: result?.ending ?? .unknown,
      peakMemory: result?.peakMemory ?? 0, messages: String(decoding: said, as: UTF8.self),
      documentChanged: !file.isUnchanged)
  }

  /// The worker is lost: the job it was at pays for it, the one behind goes to the next worker.
  func lose(_ excess: PageWatch.Excess?, _ violation: WireViolation?) {
    guard let front = flights.first else { return }
    let error = loss(excess, violation, of: front.job.file)
      .error(page: front.job.order.page, settings: settings)
    board.putBack(flights.dropFirst().map(\.job))
    flights = []
    front.job.finish(.failure(error))
  }
}
