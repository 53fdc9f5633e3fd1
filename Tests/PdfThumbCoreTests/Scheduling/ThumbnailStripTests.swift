import PdfThumbCore
import Synchronization
import SystemIO
import TestSupport
import Testing

@Suite struct `A strip of thumbnails` {
  /// A document whose pages are as wide as their number is odd.
  private final class FakeSource: StripSource {
    let pageCount: Int
    let capacity = 2
    let drawn = Mutex<[Int]>([])
    /// What was asked to be measured, call by call.
    let measured = Mutex<[Range<Int>]>([])
    private let byteCount: Int
    init(pageCount: Int, byteCount: Int = 1000) {
      self.pageCount = pageCount
      self.byteCount = byteCount
    }

    func geometry(of pages: Range<Int>) async throws -> [Result<PageGeometry, PDFError>] {
      measured.withLock { $0.append(pages) }
      return pages.map { page in
        .success(
          PageGeometry(
            index: page, width: page.isMultiple(of: 2) ? 100 : 200, height: 100, label: ""))
      }
    }

    func picture(_ page: Int, stage: ThumbnailStage) async throws -> StripPicture? {
      if page == 13 { throw PDFError(code: .crashed, message: "m", page: 13) }
      drawn.withLock { $0.append(page) }
      return StripPicture(
        page: page, stage: stage, size: PixelSize(width: 80, height: 80),
        file: [UInt8](repeating: UInt8(page & 0xFF), count: byteCount))
    }
  }

  /// A clock that a test turns.
  private final class ManualClock: Sendable {
    private struct State {
      var now = Duration.seconds(1)
      var count = 0
      var sleepers: [Int: (until: Duration, CheckedContinuation<Void, Never>)] = [:]
    }
    private let state = Mutex(State())

    var clock: StripClock {
      StripClock(now: { self.state.withLock { $0.now } }, sleep: sleep)
    }

    private func sleep(_ duration: Duration) async throws {
      let number = state.withLock { state in
        state.count += 1
        return state.count
      }
      await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          state.withLock { $0.sleepers[number] = ($0.now + duration, continuation) }
          if Task.isCancelled { wake { $0 == number || $1 } }
        }
      } onCancel: {
        wake { $0 == number || $1 }
      }
      try Task.checkCancellation()
    }

    func pass(_ duration: Duration) {
      state.withLock { $0.now += duration }
      wake { $1 }
    }

    /// Ends sleep, by its number and whether its time is over.
    private func wake(_ isMeant: (Int, Bool) -> Bool) {
      let due = state.withLock { state in
        let now = state.now
        let due = state.sleepers.filter { isMeant($0.key, $0.value.until <= now) }
        for number in due.keys { state.sleepers[number] = nil }
        return due.values.map(\.1)
      }
      for continuation in due { continuation.resume() }
    }
  }

  private func strip(
    _ source: FakeSource, _ clock: ManualClock, budget: UInt64 = 1 << 20,
    room: @escaping @Sendable () -> UInt64 = { 1 << 40 }
  ) -> ThumbnailStrip {
    ThumbnailStrip(
      source: source, settings: StripSettings(budget: budget), clock: clock.clock,
      pressure: { MemoryPressure(available: room()) })
  }

  @Test func `pages near the view are measured and drawn, what fails is told`() async {
    let source = FakeSource(pageCount: 100)
    let clock = ManualClock()
    let strip = strip(source, clock)
    await strip.show(10..<14)
    var pictures: Set<Int> = []
    var failures: [Int] = []
    var layout: StripLayout?
    for await event in strip.events {
      switch event {
      case .picture(let picture):
        pictures.insert(picture.page)
        #expect(picture.file.first == UInt8(picture.page))
      case .failure(let page, let error):
        failures.append(page)
        #expect(error.code == .crashed)
      case .layout(let new): layout = new
      default: break
      }
      if pictures.count == 7, failures.count == 1, layout != nil { break }
    }
    #expect(pictures == [10, 11, 12, 14, 15, 16, 17])
    #expect(failures == [13])
    #expect(layout?.frame(of: 11).size == PixelSize(width: 160, height: 80))
    #expect(layout?.frame(of: 50).isMeasured == false)
    #expect(await strip.picture(of: 10)?.page == 10)
    #expect(await strip.picture(of: 13) == nil)
  }

  /// Reads events until pages are measured.
  private func wait(for pages: Range<Int>, of strip: ThumbnailStrip) async {
    for await event in strip.events {
      guard case .layout(let layout) = event else { continue }
      if pages.allSatisfy({ layout.frame(of: $0).isMeasured }) { return }
    }
  }

  @Test func `of a long document only pages near the view are measured, once each`() async {
    let source = FakeSource(pageCount: 50_000)
    let strip = strip(source, ManualClock())
    let length = await strip.layout.length
    #expect(length > 50_000 * 60, "placeholders are there before anything is asked")
    #expect(source.measured.withLock { $0 }.isEmpty)
    await strip.show(20_000..<20_010)
    await wait(for: 19_990..<20_020, of: strip)
    #expect(source.measured.withLock { $0 } == [19_990..<20_020])
    // A bit on, far away, and back: what is known is not asked for again.
    await strip.show(20_005..<20_015)
    await wait(for: 20_020..<20_025, of: strip)
    await strip.show(49_995..<50_000)
    await wait(for: 49_990..<50_000, of: strip)
    await strip.show(19_980..<20_030)
    await wait(for: 19_930..<20_080, of: strip)
    #expect(
      source.measured.withLock { $0 } == [
        19_990..<20_020, 20_020..<20_025, 49_990..<50_000, 19_930..<19_990, 20_025..<20_080,
      ])
    let layout = await strip.layout
    #expect((0..<50_000).count { layout.frame(of: $0).isMeasured } == 160)
    #expect(source.drawn.withLock { $0 }.allSatisfy { (19_930..<50_000).contains($0) })
  }

  @Test func `a long document is shown as its view moves, with few calls`() async {
    let source = FakeSource(pageCount: 20_000)
    let strip = strip(source, ManualClock())
    await strip.scroll(to: 0, viewLength: 800)
    await wait(for: 0..<10, of: strip)
    let middle = await strip.layout.offset(toStart: 10_000, viewLength: 800)
    await strip.scroll(to: middle, viewLength: 800)
    await wait(for: 10_000..<10_005, of: strip)
    await strip.close()
    let calls = source.measured.withLock { $0 }
    #expect(calls.count < 12)
    #expect(calls.reduce(0) { $0 + $1.count } < 120)
    #expect(Set(calls.joined()).count == calls.reduce(0) { $0 + $1.count }, "no page twice")
  }

  @Test func `short memory lets go of what is not shown, and it comes back`() async {
    let source = FakeSource(pageCount: 100)
    let clock = ManualClock()
    let room = Mutex<UInt64>(1 << 40)
    let strip = strip(source, clock, room: { room.withLock { $0 } })
    await strip.show(20..<22)
    var seen: [String] = []
    var count = 0
    for await event in strip.events {
      switch event {
      case .picture:
        count += 1
        if count == 4 {
          room.withLock { $0 = 1 }
          await strip.lookAtMemory()
        }
        if count == 6 {
          await strip.close()
        }
      case .memory(let isLow):
        seen.append("low \(isLow)")
      case .discarded(let pages):
        seen.append("discarded \(pages)")
        room.withLock { $0 = 1 << 40 }
        await strip.lookAtMemory()
      default: break
      }
    }
    #expect(seen == ["low true", "discarded [22, 23]", "low false"])
    #expect(count == 6)
  }

  /// Waits until the first of the pages shown are drawn, but for the one that fails; the strip's clock goes on meanwhile.
  ///
  /// Which pages those are may change as they are measured.
  private func draw(
    _ count: Int, of strip: ThumbnailStrip, _ clock: ManualClock,
    shown: (StripLayout) -> Range<Int>
  ) async throws {
    let limit = ContinuousClock.now + .seconds(60)
    while true {
      var missing = 0
      for page in await shown(strip.layout).prefix(count) where page != 13 {
        if await strip.picture(of: page) == nil { missing += 1 }
      }
      if missing == 0 { return }
      try #require(ContinuousClock.now < limit)
      clock.pass(.milliseconds(120))
      await Task.yield()
    }
  }

  @Test func `a way to and fro through ten thousand pages keeps no more than the budget`()
    async throws
  {
    let source = FakeSource(pageCount: 10_000)
    let clock = ManualClock()
    let strip = strip(source, clock, budget: 50_000)
    var most: UInt64 = 0
    let way = Array(stride(from: 0, to: 700_000, by: 3000))
    for offset in way + way.reversed() {
      await strip.scroll(to: offset, viewLength: 1200)
      try await draw(1, of: strip, clock) { $0.visiblePages(offset: offset, viewLength: 1200) }
      most = max(most, await strip.keptBytes)
    }
    #expect(most <= 51_000 + 4000)
    #expect(source.drawn.withLock { $0.count } > 100)
    await strip.close()
  }

  private static func residentBytes() throws -> Int {
    let text = String(
      decoding: try FileDescriptor.open("/proc/self/statm").readToEnd(limit: 1000), as: UTF8.self)
    return try #require(Int(text.split(separator: " ")[1])) * 4096
  }

  /// Nobody reads the events: what is not shown any more may not wait for a reader either.
  @Test(.enabled(if: !Sanitizer.isOn, Sanitizer.absence))
  func `memory is flat over ways to and fro through ten thousand pages`() async throws {
    let source = FakeSource(pageCount: 10_000, byteCount: 50_000)
    let clock = ManualClock()
    let strip = strip(source, clock, budget: 1_000_000)
    let way = Array(stride(from: 0, to: 1_300_000, by: 13_000))
    var before = 0
    for round in 0..<2 {
      if round == 1 { before = try Self.residentBytes() }
      for offset in way + way.reversed() {
        await strip.scroll(to: offset, viewLength: 1200)
        try await draw(3, of: strip, clock) { $0.visiblePages(offset: offset, viewLength: 1200) }
      }
    }
    let drawn = source.drawn.withLock { $0.count }
    // Far more than may stay: over fifty times the budget has passed.
    #expect(drawn * 50_000 > 50_000_000, "\(drawn)")
    #expect(try Self.residentBytes() - before < 20_000_000)
    await strip.close()
  }

  @Test func `a slow reader is told what holds now`() async throws {
    let source = FakeSource(pageCount: 1000)
    let clock = ManualClock()
    let strip = strip(source, clock, budget: 20_000)
    for first in [0, 300, 600, 900] {
      await strip.show(first..<first + 5)
      try await draw(5, of: strip, clock) { _ in first..<first + 5 }
    }
    await strip.close()
    var held: Set<Int> = []
    var layouts = 0
    for await event in strip.events {
      switch event {
      case .picture(let picture): #expect(held.insert(picture.page).inserted)
      case .discarded(let pages): held.subtract(pages)
      case .layout: layouts += 1
      default: break
      }
    }
    #expect(layouts == 1)
    for page in held { #expect(await strip.picture(of: page) != nil, "\(page)") }
    #expect(held.isSuperset(of: 900..<905))
    #expect(held.count <= 20)
  }

  @Test func `a strip that is dropped ends its events`() async {
    let events = makeAndDrop()
    for await _ in events {}
  }

  private func makeAndDrop() -> AsyncStream<StripEvent> {
    strip(FakeSource(pageCount: 3), ManualClock()).events
  }
}
