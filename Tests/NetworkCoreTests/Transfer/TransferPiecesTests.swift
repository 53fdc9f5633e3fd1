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
  }

  @Test func `retries end without progress and begin anew with it`() {
    var policy = RetryPolicy(limit: 3, budget: .seconds(100), stored: 0)
    let error = NetworkError(.headerIncomplete)
    for _ in 0..<3 {
      guard case .wait = policy.decide(error, stored: 0, random: 0.5) else {
        Issue.record("gave up early")
        return
      }
    }
    var renewed = policy
    #expect(policy.decide(error, stored: 0, random: 0.5) == .giveUp)
    guard case .wait(let wait) = renewed.decide(error, stored: 10, random: 1) else {
      Issue.record("gave up in spite of progress")
      return
    }
    #expect(wait <= .milliseconds(50))
    #expect(renewed.failures == 1)
  }

  @Test func `waits grow, and never undercut what the server asks for`() {
    var policy = RetryPolicy(limit: 9, budget: .seconds(100), stored: 0)
    let error = NetworkError(.headerIncomplete)
    #expect(policy.decide(error, stored: 0, random: 1) == .wait(.milliseconds(500)))
    #expect(policy.decide(error, stored: 0, random: 1) == .wait(.seconds(1)))
    #expect(policy.decide(error, stored: 0, random: 1) == .wait(.seconds(2)))
    let busy = NetworkError(.status(503, retryAfter: .seconds(20)))
    #expect(policy.decide(busy, stored: 0, random: 0) == .wait(.seconds(20)))
    let tomorrow = NetworkError(.status(503, retryAfter: .seconds(86400)))
    #expect(policy.decide(tomorrow, stored: 0, random: 0) == .waitTooLong(.seconds(86400)))
    #expect(
      policy.decide(NetworkError(.status(404, retryAfter: nil)), stored: 0, random: 0) == .giveUp)
  }
}
