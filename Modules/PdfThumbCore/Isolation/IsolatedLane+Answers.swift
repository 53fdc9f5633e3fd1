internal import SystemIO

/// Judging and passing on what the worker answers.
extension IsolatedLane {
  /// Takes the answer to the job at the front; the next request goes out before the waiter hears of
  /// it.
  func accept(_ reply: WireReply) {
    guard let front = flights.first else { return }
    do throws(WireViolation) {
      guard reply.serial == front.serial else {
        throw .wrongSerial(reply.serial, expected: front.serial)
      }
      if case .needsRoom(let count) = reply.kind {
        try makeRoom(count, for: front)
        return
      }
      let result = try answer(reply.kind, to: front)
      flights.removeFirst()
      if case .success(.drawn(let drawn)) = result {
        front.job.file.note(drawn: drawn.report.source, in: spent)
      }
      noteGrowth()
      if !flights.isEmpty { startWatch() }
      fill()
      // Said before the caller can ask for the next page, lest another lane take that.
      if flights.isEmpty { setIdle(true) }
      front.job.finish(front.job.file.isUnchanged ? result : .failure(changed(front)))
    } catch {
      lose(nil, error)
    }
  }

  /// What the page took of a processor; the clock tells as well how much others had of it meanwhile.
  private var spent: Duration {
    guard let before = usedBefore, let now = worker?.processorTime ?? nil else {
      return Environment.monotonicNow - began
    }
    return now - before
  }

  private func changed(_ flight: Flight) -> PDFError {
    .documentChanged(page: flight.job.order.page)
  }

  /// The worker needs a larger slot: the surface is replaced as soon as nothing uses it.
  private func makeRoom(_ count: UInt64, for flight: Flight) throws(WireViolation) {
    let room = max(greatestSlot(flight.job.order), slotCount)
    guard count > UInt64(slotCount), count <= UInt64(room), let wanted = Int(exactly: count) else {
      throw .outside(Int(clamping: count), of: room)
    }
    wantedSlot = max(wantedSlot, wanted)
    let job = flight.job
    flights.removeFirst()
    board.putBack([job])
    if !flights.isEmpty { startWatch() }
  }

  /// The most bytes any true answer takes.
  private func greatestSlot(_ order: WorkJob.Order) -> Int {
    guard case .draw(let order) = order else { return 32 << 20 }
    let pixels = Int(clamping: order.renderer.greatestPixelCount)
    let bytes = pixels.multipliedReportingOverflow(by: 4)
    return min(bytes.overflow ? .max : bytes.partialValue, 1 << 30) + 4096
  }

  private func answer(
    _ kind: WireReply.Kind, to flight: Flight
  ) throws(WireViolation) -> Result<WorkJob.Answer, PDFError> {
    switch (kind, flight.job.order) {
    case (.failed(let code, let count), let order):
      let bytes = try data(count, slot: flight.slot)
      return .failure(try WireData.error(bytes, code: code, page: order.page))
    case (.drawn(let drawn), .draw(let order)):
      return .success(.drawn(try page(drawn, order, slot: flight.slot)))
    case (.described(let count, let dataCount), .describe(let first, let asked, _)):
      guard count <= asked else { throw .outside(count, of: asked) }
      let bytes = try data(dataCount, slot: flight.slot)
      return .success(.described(try WireData.geometries(bytes, first: first, count: count)))
    case (.told(let count), .outline):
      let bytes = try data(count, slot: flight.slot)
      return .success(
        .outline(try WireData.outline(bytes, pageCount: opened?.pageCount ?? 0)))
    case (.told(let count), .information):
      let bytes = try data(count, slot: flight.slot)
      return .success(.information(try WireData.information(bytes)))
    default: throw .wrongKind()
    }
  }

  private func page(
    _ drawn: DrawnReply, _ order: DrawOrder, slot: Int
  ) throws(WireViolation) -> DrawnPage {
    let settings = order.renderer.settings
    let count = drawn.format.byteCount(drawn.size)
    guard drawn.format == settings.format,
      drawn.size.pixelCount <= order.renderer.greatestPixelCount,
      order.size.admits(drawn.size)
    else { throw .wrongPicture(drawn.size) }
    let bytes = try data(count, slot: slot)
    let label = try data(count + drawn.labelCount, slot: slot).suffix(drawn.labelCount)
    guard let picture = Picture(size: drawn.size, format: drawn.format, pixels: bytes) else {
      throw .wrongPicture(drawn.size)
    }
    return DrawnPage(
      picture: picture, report: drawn.report,
      page: PageGeometry(
        index: order.page, width: drawn.pageWidth, height: drawn.pageHeight,
        label: WireText.clean(label)))
  }

  /// Poppler's tables only grow: past the limit, and past twice what the document needed at first,
  /// the worker is replaced between two pages.
  ///
  /// A document that is simply large would start anew again and again, so each time it takes twice
  /// as many pages; half of the limit on memory is reason enough at any time.
  private func noteGrowth() {
    pagesSinceOpening += 1
    guard pagesSinceOpening.isMultiple(of: 8), let resident = worker?.residentMemory ?? nil else {
      return
    }
    guard let start = residentAtStart else {
      residentAtStart = resident
      return
    }
    let isGrown =
      pagesSinceOpening >= pagesBeforeRenewal && resident > max(settings.residentMemory, start * 2)
    guard isGrown || resident > settings.memory / 2 else { return }
    mustRenew = true
    pagesBeforeRenewal *= 2
  }
}

extension ThumbnailSize {
  /// Whether a picture of that size can be an answer to this wish.
  func admits(_ size: PixelSize) -> Bool {
    switch self {
    case .height(let height): size.height <= max(1, height)
    case .width(let width): size.width <= max(1, width)
    case .fit(let width, let height): size.width <= max(1, width) && size.height <= max(1, height)
    case .scale: true
    }
  }
}
