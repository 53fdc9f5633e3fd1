import Testing

import NetworkCore

@Suite("The small machines of a transfer")
struct TransferPiecesTests {
  func collect(_ lines: [String]) -> (HeadCollector, [HeadCollector.Step]) {
    var collector = HeadCollector()
    let steps = lines.map { collector.take($0) }
    return (collector, steps)
  }

  @Test func `a head is complete with its empty line`() {
    let (collector, steps) = collect(["HTTP/1.1 200 OK\r\n", "A:  b \r\n", "\r\n"])
    #expect(collector.isComplete)
    #expect(
      steps.last == .complete(ResponseHead(status: 200, fields: [.init(name: "A", value: "b")])))
  }

  @Test func `a head may end its lines with LF alone`() {
    let (collector, _) = collect(["HTTP/1.1 200 OK\n", "A: b\n", "\n"])
    #expect(collector.isComplete)
  }

  @Test func `interim heads are passed over, but not without end`() {
    let interim = ["HTTP/1.1 100 Continue\r\n", "\r\n"]
    let (_, steps) = collect(interim + ["HTTP/1.1 204 No\r\n", "\r\n"])
    #expect(steps[1] == .interim(status: 100))
    #expect(steps.last == .complete(ResponseHead(status: 204)))
    let (_, endless) = collect(Array(repeating: interim, count: 30).flatMap { $0 })
    #expect(endless.contains(.refused(.tooManyInterim)))
  }

  @Test func `a head is bounded in lines and bytes`() {
    let (_, many) = collect(
      ["HTTP/1.1 200 OK\r\n"] + Array(repeating: "A: b\r\n", count: HeadCollector.maximumLines))
    #expect(many.last == .refused(.tooLarge))
    let (_, large) = collect(
      ["HTTP/1.1 200 OK\r\n", "A: " + String(repeating: "x", count: HeadCollector.maximumBytes)])
    #expect(large.last == .refused(.tooLarge))
  }

  @Test func `fields after the body are trailers`() {
    let (_, steps) = collect(["HTTP/1.1 200 OK\r\n", "\r\n", "Digest: x\r\n"])
    #expect(steps.last == .trailer(.init(name: "Digest", value: "x")))
  }

  @Test func `a rate is kept from the first byte on, and not made up for`() {
    var pacer = RatePacer(rate: 1000)
    #expect(pacer.nextTime(after: 0, now: .seconds(5)) == nil)
    #expect(pacer.nextTime(after: 500, now: .seconds(5)) == .milliseconds(5500))
    #expect(pacer.nextTime(after: 500, now: .milliseconds(5500)) == nil)
    #expect(pacer.nextTime(after: 1000, now: .milliseconds(5600)) == .seconds(6))
    // Nothing came for ten seconds.
    #expect(pacer.nextTime(after: 1000, now: .seconds(16)) == nil)
    #expect(pacer.nextTime(after: 1500, now: .seconds(16)) == .milliseconds(16_500))
  }

  @Test func `a stall is counted from the last window with enough bytes`() {
    var settings = TransferSettings()
    settings.stallTimeout = .seconds(10)
    settings.responseTimeout = .seconds(5)
    settings.connectTimeout = .seconds(5)
    var watch = StallWatch(settings, now: .zero)
    #expect(watch.check(bodyBytes: 0, isPaused: false, now: .seconds(10)) == nil)
    #expect(watch.check(bodyBytes: 0, isPaused: false, now: .seconds(11)) == .responseTimeout)
    watch.headIsComplete(now: .seconds(11))
    #expect(watch.check(bodyBytes: 2000, isPaused: false, now: .seconds(20)) == nil)
    #expect(watch.check(bodyBytes: 2010, isPaused: false, now: .seconds(29)) == nil)
    #expect(watch.check(bodyBytes: 2020, isPaused: false, now: .seconds(31)) == .stalled)
    #expect(watch.check(bodyBytes: 2020, isPaused: true, now: .seconds(99)) == nil)
    watch.forgive(.seconds(100))
    #expect(watch.check(bodyBytes: 2020, isPaused: false, now: .seconds(209)) == nil)
    #expect(watch.check(bodyBytes: 2020, isPaused: false, now: .seconds(210)) == .stalled)
  }
}
