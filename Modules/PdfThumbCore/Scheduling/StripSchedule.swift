/// What a strip draws, keeps and lets go of; pure: events and the time go in, actions come out.
///
/// Pages shown come first, then one range ahead in the direction of movement. Movements within
/// ``StripScheduleSettings/coalescing`` become one. What was asked for a view that has moved on is
/// cancelled, and its result dropped if it comes all the same. Pictures are kept within a budget of
/// bytes; the farthest from the view go first.
package struct StripSchedule: Sendable {
  /// What the caller has to do.
  package enum Action: Sendable, Equatable {
    /// Draw this.
    case draw(StripRequest)
    /// Nobody needs this any more.
    case cancel(StripRequest)
    /// Let go of these pages' pictures.
    case discard([Int])
    /// Call ``wake(now:)`` after this time at the latest.
    case wake(after: Duration)
  }

  /// How a picture is kept.
  private struct Kept {
    var count: UInt64
    var stage: ThumbnailStage
  }

  /// The view.
  package private(set) var window: StripWindow
  /// The bytes of all pictures kept.
  package private(set) var keptBytes: UInt64 = 0
  /// Whether memory is short.
  package private(set) var isMemoryLow = false

  private let settings: StripScheduleSettings
  private var kept: [Int: Kept] = [:]
  private var failed: Set<Int> = []
  private var running: [Int: StripRequest] = [:]
  private var wanted: [StripRequest] = []
  private var generation: UInt64 = 0
  private var lastPlan: Duration?
  private var isPlanDue = false

  package init(pageCount: Int, settings: StripScheduleSettings) {
    window = StripWindow(pageCount: pageCount)
    self.settings = settings
  }

  /// The pages whose pictures are kept.
  package var keptPages: Set<Int> { Set(kept.keys) }

  // MARK: - Events

  /// The view shows other pages.
  package mutating func show(_ pages: Range<Int>, now: Duration) -> [Action] {
    guard window.move(to: pages) else { return [] }
    return planSoon(now)
  }

  /// Time has passed.
  package mutating func wake(now: Duration) -> [Action] {
    isPlanDue ? planSoon(now) : []
  }

  /// A picture is there.
  ///
  /// - Parameters:
  ///   - request: As it was asked for.
  ///   - count: The bytes it takes.
  ///   - now: The monotonic clock.
  /// - Returns: Whether the picture is wanted, and what to do next.
  package mutating func finish(
    _ request: StripRequest, count: UInt64, now: Duration
  ) -> (isWanted: Bool, actions: [Action]) {
    guard running[request.page] == request else { return (false, []) }
    running[request.page] = nil
    keep(request, count: count)
    var actions = evict()
    let isWanted = kept[request.page] != nil
    actions += start()
    return (isWanted, actions)
  }

  /// There is no picture, and asking again will not help; an early stage that fails is passed over.
  package mutating func fail(_ request: StripRequest, now: Duration) -> [Action] {
    guard running[request.page] == request else { return [] }
    running[request.page] = nil
    if request.stage == .final { failed.insert(request.page) }
    return start()
  }

  /// Memory becomes short, or is plentiful again.
  package mutating func noteMemory(isLow: Bool, now: Duration) -> [Action] {
    guard isLow != isMemoryLow else { return [] }
    isMemoryLow = isLow
    let actions = isLow ? discard(kept.keys.filter { window.distance(of: $0) > 0 }) : []
    return actions + plan(now)
  }

  /// Forgets all pictures and failures, as when the document or the size has changed.
  package mutating func reset(now: Duration) -> [Action] {
    failed = []
    let actions = cancel { _ in true } + discard(Array(kept.keys))
    return actions + plan(now)
  }

  // MARK: - Planning

  /// Plans at once after a pause, or at the end of the interval that began with the last plan.
  private mutating func planSoon(_ now: Duration) -> [Action] {
    if let lastPlan, now - lastPlan < settings.coalescing {
      isPlanDue = true
      return [.wake(after: lastPlan + settings.coalescing - now)]
    }
    return plan(now)
  }

  private mutating func plan(_ now: Duration) -> [Action] {
    lastPlan = now
    isPlanDue = false
    generation += 1
    let pages =
      isMemoryLow
      ? Array(window.drawingOrder.prefix(window.visible.count))
      : window.drawingOrder
    let needed = pages.filter { !failed.contains($0) && kept[$0]?.stage != .final }
    let early = settings.drawsEmbedded ? needed.filter { kept[$0] == nil } : []
    let requests = early.map { ($0, ThumbnailStage.embedded) } + needed.map { ($0, .final) }
    let stillNeeded = Set(needed)
    let actions = cancel { !stillNeeded.contains($0.page) }
    wanted = requests.filter { page, stage in running[page]?.stage != stage }
      .map { StripRequest(page: $0.0, stage: $0.1, generation: generation) }
    return actions + start()
  }

  /// Starts what is wanted most, as long as there are places.
  private mutating func start() -> [Action] {
    var actions: [Action] = []
    var postponed: [StripRequest] = []
    while running.count < settings.places, !wanted.isEmpty {
      let request = wanted.removeFirst()
      // The final picture waits for the early one of the same page.
      guard running[request.page] == nil else {
        postponed.append(request)
        continue
      }
      if request.stage == .embedded, kept[request.page] != nil { continue }
      running[request.page] = request
      actions.append(.draw(request))
    }
    wanted = postponed + wanted
    return actions
  }

  private mutating func cancel(_ isStale: (StripRequest) -> Bool) -> [Action] {
    let stale = running.values.filter(isStale).sorted { $0.page < $1.page }
    for request in stale { running[request.page] = nil }
    return stale.map { .cancel($0) }
  }

  // MARK: - Keeping

  private mutating func keep(_ request: StripRequest, count: UInt64) {
    keptBytes -= kept[request.page]?.count ?? 0
    kept[request.page] = Kept(count: count, stage: request.stage)
    keptBytes += count
  }

  /// Lets go of the farthest pictures until the rest is within the budget; what is shown stays.
  private mutating func evict() -> [Action] {
    guard keptBytes > settings.budget else { return [] }
    // What lies ahead goes after all that was left behind.
    let ahead = window.ahead
    let farthest = kept.keys
      .map { (group: ahead.contains($0) ? 0 : 1, distance: window.distance(of: $0), page: $0) }
      .filter { $0.distance > 0 }
      .sorted { ($0.group, $0.distance, $0.page) > ($1.group, $1.distance, $1.page) }
    var rest = keptBytes
    var pages: [Int] = []
    for (_, _, page) in farthest {
      guard rest > settings.budget else { break }
      rest -= kept[page]?.count ?? 0
      pages.append(page)
    }
    return discard(pages)
  }

  private mutating func discard(_ pages: [Int]) -> [Action] {
    guard !pages.isEmpty else { return [] }
    for page in pages { keptBytes -= kept.removeValue(forKey: page)?.count ?? 0 }
    return [.discard(pages.sorted())]
  }
}

/// How good a page's picture is.
public enum ThumbnailStage: Int, Sendable, Hashable, Comparable {
  /// The picture that the document carries, which may be old or small.
  case embedded
  /// The page as it is drawn.
  case final

  /// Whether one is less good than the other.
  public static func < (left: ThumbnailStage, right: ThumbnailStage) -> Bool {
    left.rawValue < right.rawValue
  }
}

/// One picture that a strip asks for.
package struct StripRequest: Sendable, Hashable {
  /// The page, counted from 0.
  package var page: Int
  /// How good it shall be.
  package var stage: ThumbnailStage
  /// The plan it belongs to; a later plan may ask for the same page again.
  package var generation: UInt64

  package init(page: Int, stage: ThumbnailStage, generation: UInt64) {
    self.page = page
    self.stage = stage
    self.generation = generation
  }
}

/// The numbers of a schedule.
package struct StripScheduleSettings: Sendable, Equatable {
  /// Bytes of pictures kept.
  package var budget: UInt64
  /// Movements within this time become one.
  package var coalescing: Duration
  /// Pictures drawn at the same time.
  package var places: Int
  /// Whether the picture that the document carries is shown first.
  package var drawsEmbedded: Bool

  package init(
    budget: UInt64 = 32 << 20, coalescing: Duration = .milliseconds(100), places: Int = 4,
    drawsEmbedded: Bool = false
  ) {
    self.budget = budget
    self.coalescing = coalescing
    self.places = max(1, places)
    self.drawsEmbedded = drawsEmbedded
  }
}
