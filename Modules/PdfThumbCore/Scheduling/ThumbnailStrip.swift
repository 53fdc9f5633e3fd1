/// The pictures of a document beside each other, drawn as a view comes near them.
///
/// A user interface shows ``layout`` with placeholders at once, tells the strip where its view is,
/// and puts in pictures as ``events`` brings them:
///
/// ```swift
/// let strip = ThumbnailStrip(document)
/// await strip.scroll(to: 0, viewLength: 1200)
/// for await event in strip.events {
///   if case .picture(let picture) = event { show(picture.file, at: picture.page) }
/// }
/// ```
///
/// Memory does not grow with the length of the document beyond a few bytes a page. Drawing ends
/// with the last reference to the strip.
public actor ThumbnailStrip {
  /// What happens, in order.
  ///
  /// For one reader; ends when the strip is closed. A slow reader is not told of pictures that came and went
  /// meanwhile.
  public nonisolated let events: AsyncStream<StripEvent>

  /// Where every page stands now.
  public private(set) var layout: StripLayout

  private let source: any StripSource
  private let settings: StripSettings
  private let clock: StripClock
  private let pressure: @Sendable () -> MemoryPressure
  private let queue = StripEventQueue()
  private var schedule: StripSchedule
  private var pictures: [Int: StripPicture] = [:]
  private var tasks: [StripRequest: Task<Void, Never>] = [:]
  private var alarm: Task<Void, Never>?
  private var watch: Task<Void, Never>?
  private var measuring: Task<Void, Never>?
  private var measured: Set<Int> = []
  private var view: (offset: Int, length: Int)?
  private var shown = 0..<0
  private var isClosed = false

  /// How often free memory is looked at while the strip is in use.
  private static let memoryInterval = Duration.seconds(1)

  /// Creates a strip that shows nothing yet.
  ///
  /// - Parameters:
  ///   - document: The document; drawn by its own workers.
  ///   - settings: How it draws and how much it keeps.
  public init(_ document: ThumbnailDocument, settings: StripSettings = StripSettings()) {
    self.init(
      source: DocumentStripSource(document: document, settings: settings), settings: settings,
      clock: StripClock(ContinuousClock()), pressure: MemoryPressure.now)
  }

  package init(
    source: any StripSource, settings: StripSettings, clock: StripClock,
    pressure: @escaping @Sendable () -> MemoryPressure
  ) {
    self.source = source
    self.settings = settings
    self.clock = clock
    self.pressure = pressure
    layout = StripLayout(
      pageCount: source.pageCount, axis: settings.axis, across: settings.across,
      spacing: settings.spacing)
    schedule = StripSchedule(
      pageCount: source.pageCount,
      settings: StripScheduleSettings(
        budget: settings.budget, coalescing: settings.coalescing, places: 2 * source.capacity,
        drawsEmbedded: settings.showsEmbedded))
    events = queue.stream
  }

  deinit {
    for task in tasks.values { task.cancel() }
    for task in [alarm, watch, measuring] { task?.cancel() }
    queue.finish()
  }

  // MARK: - The view

  /// Tells where the view is.
  ///
  /// - Parameters:
  ///   - offset: The distance from the strip's start to the view's, in pixels.
  ///   - viewLength: The view's length in pixels.
  public func scroll(to offset: Int, viewLength: Int) {
    view = (offset, viewLength)
    show(layout.visiblePages(offset: offset, viewLength: viewLength))
  }

  /// Tells which pages the view shows, for a view that lays out by itself.
  ///
  /// - Parameter pages: Pages, counted from 0.
  public func show(_ pages: Range<Int>) {
    guard !isClosed else { return }
    shown = pages
    startWatch()
    measure(around: pages)
    perform(schedule.show(pages, now: clock.now()))
  }

  /// The picture of a page, if it is kept.
  public func picture(of page: Int) -> StripPicture? { pictures[page] }

  /// The bytes of all pictures kept.
  public var keptBytes: UInt64 { schedule.keptBytes }

  /// Stops drawing and ends ``events``; pictures stay until the strip goes.
  public func close() {
    isClosed = true
    for task in tasks.values { task.cancel() }
    for task in [alarm, watch, measuring] { task?.cancel() }
    queue.finish()
  }

  // MARK: - Drawing

  private func perform(_ actions: [StripSchedule.Action]) {
    for action in actions {
      switch action {
      case .draw(let request): draw(request)
      case .cancel(let request): tasks.removeValue(forKey: request)?.cancel()
      case .discard(let pages):
        for page in pages { pictures[page] = nil }
        queue.send(.discarded(pages))
      case .wake(let delay): setAlarm(delay)
      }
    }
  }

  private func draw(_ request: StripRequest) {
    let source = source
    tasks[request] = Task { [weak self] in
      let result: Result<StripPicture?, any Error>
      do {
        result = .success(try await source.picture(request.page, stage: request.stage))
      } catch {
        result = .failure(error)
      }
      await self?.take(result, of: request)
    }
  }

  private func take(_ result: Result<StripPicture?, any Error>, of request: StripRequest) {
    tasks[request] = nil
    guard !isClosed else { return }
    switch result {
    case .success(let picture?):
      // Noted first: what is let go of for it must not be it.
      pictures[request.page] = picture
      let (isWanted, actions) = schedule.finish(
        request, count: UInt64(picture.file.count), now: clock.now())
      if isWanted { queue.send(.picture(picture)) }
      perform(actions)
      if schedule.keptPages.contains(request.page) == false { pictures[request.page] = nil }
    case .success(nil): perform(schedule.fail(request, now: clock.now()))
    case .failure(let error):
      let actions = schedule.fail(request, now: clock.now())
      if let error = error as? PDFError, request.stage == .final {
        queue.send(.failure(page: request.page, error))
      }
      perform(actions)
    }
  }

  private func setAlarm(_ delay: Duration) {
    guard alarm == nil else { return }
    let clock = clock
    alarm = Task { [weak self] in
      guard (try? await clock.sleep(delay)) != nil else { return }
      await self?.ring()
    }
  }

  private func ring() {
    alarm = nil
    perform(schedule.wake(now: clock.now()))
  }

  // MARK: - Measuring

  /// Asks for the true sizes of the pages shown and of as many on both sides.
  private func measure(around pages: Range<Int>) {
    guard measuring == nil, !pages.isEmpty else { return }
    let near = ((pages.lowerBound - pages.count)..<(pages.upperBound + pages.count))
      .clamped(to: 0..<source.pageCount)
    guard let first = near.first(where: { !measured.contains($0) }) else { return }
    // Up to the next one that is known; what is beyond comes after.
    let end = near[first...].first { measured.contains($0) } ?? near.upperBound
    let source = source
    measuring = Task { [weak self] in
      let pages = try? await source.geometry(of: first..<end)
      await self?.note(pages ?? [], of: first..<end)
    }
  }

  private func note(_ pages: [Result<PageGeometry, PDFError>], of range: Range<Int>) {
    measuring = nil
    guard !isClosed else { return }
    // A page that cannot be measured keeps its assumed size, and is not asked for again.
    measured.formUnion(range)
    let before = range.map { layout.frame(of: $0).size }
    for case .success(let page) in pages { layout.measure(page) }
    if before != range.map({ layout.frame(of: $0).size }) { queue.send(.layout(layout)) }
    if let view {
      scroll(to: view.offset, viewLength: view.length)
    } else {
      measure(around: shown)
    }
  }

  // MARK: - Memory

  private func startWatch() {
    guard watch == nil else { return }
    let clock = clock
    watch = Task { [weak self] in
      while (try? await clock.sleep(Self.memoryInterval)) != nil {
        guard await self?.lookAtMemory() != nil else { return }
      }
    }
  }

  /// Looks at free memory now, as the strip does by itself every second.
  package func lookAtMemory() {
    let wasLow = schedule.isMemoryLow
    let isLow = pressure().isLow(threshold: settings.memoryThreshold, wasLow: wasLow)
    guard isLow != wasLow else { return }
    let actions = schedule.noteMemory(isLow: isLow, now: clock.now())
    queue.send(.memory(isLow: isLow))
    perform(actions)
  }
}
