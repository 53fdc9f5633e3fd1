import PdfThumbCore
import SystemIO
import TestSupport
import Testing

@Suite struct `The watch over a page` {
  let settings = IsolationSettings(
    workers: 1, pageTime: .seconds(10), processorTime: .seconds(4), messages: 100)

  private func watch() -> PageWatch {
    PageWatch(settings, now: .seconds(1000), processorTime: .seconds(50))
  }

  @Test(arguments: [
    (1000, 50, PageWatch.Verdict.wait(.seconds(4))),
    (1001, 50, .wait(.seconds(4))),
    (1007, 51, .wait(.seconds(3))),
    (1008, 51, .wait(.seconds(2))),
    (1010, 51, .stop(.time)),
    (1011, 51, .stop(.time)),
    (1005, 54, .stop(.processorTime)),
  ])
  func `time and processor time are bounded`(now: Int, used: Int, verdict: PageWatch.Verdict) {
    var watch = watch()
    #expect(watch.verdict(now: .seconds(now), processorTime: .seconds(used)) == verdict)
  }

  @Test func `processor time that cannot be told leaves the clock`() {
    var watch = watch()
    #expect(watch.verdict(now: .seconds(1003), processorTime: nil) == .wait(.seconds(7)))
  }

  @Test func `messages are bounded`() {
    var watch = watch()
    watch.note(messages: 100)
    #expect(watch.verdict(now: .seconds(1000), processorTime: nil) == .wait(.seconds(10)))
    watch.note(messages: 1)
    #expect(watch.verdict(now: .seconds(1000), processorTime: nil) == .stop(.messages))
  }

  @Test func `a page nobody waits for ends soon, but not at once`() {
    var watch = watch()
    watch.noteCancellation(now: .seconds(1001))
    watch.noteCancellation(now: .seconds(1002))
    #expect(watch.verdict(now: .seconds(1001), processorTime: nil) == .wait(.milliseconds(250)))
    #expect(watch.verdict(now: .seconds(1002), processorTime: nil) == .stop(.cancelled))
  }

  @Test func `time in which this process was stopped is not the page's`() {
    var watch = watch()
    #expect(watch.verdict(now: .seconds(1000), processorTime: nil) == .wait(.seconds(10)))
    #expect(watch.verdict(now: .seconds(1300), processorTime: nil) == .wait(.seconds(10)))
  }
}

@Suite struct `The reason of a lost worker` {
  let settings = IsolationSettings(workers: 1, memory: 1000)

  private func loss(
    _ ending: ChildProcess.Ending = .signalled(9), _ excess: PageWatch.Excess? = nil,
    peak: UInt64 = 0, messages: String = "", changed: Bool = false,
    violation: WireViolation? = nil
  ) -> PDFError {
    WorkerLoss(
      excess: excess, violation: violation, ending: ending, peakMemory: peak, messages: messages,
      documentChanged: changed
    ).error(page: 4, settings: settings)
  }

  @Test func `each has its code and names the page`() {
    let cases: [(PDFError, PDFError.Code)] = [
      (loss(.signalled(11)), .crashed),
      (loss(.exited(status: 3)), .crashed),
      (loss(.unknown), .crashed),
      (loss(.signalled(31)), .crashed),
      (loss(violation: WireViolation(offset: 3, description: "d")), .crashed),
      (loss(.signalled(9), .time), .timedOut),
      (loss(.signalled(9), .processorTime), .limitExceeded),
      (loss(.signalled(24)), .limitExceeded),
      (loss(.signalled(9), .messages), .limitExceeded),
      (loss(.signalled(6), messages: "Out of memory\n"), .limitExceeded),
      (loss(.signalled(6), peak: 900), .limitExceeded),
      (loss(.signalled(6), peak: 700), .crashed),
      (loss(.signalled(7), changed: true), .unreadable),
    ]
    for (error, code) in cases {
      #expect(error.code == code)
      #expect(error.page == 4)
    }
  }

  @Test func `what the worker said last is the cause`() {
    #expect(
      loss(.exited(status: 3), messages: "free(): invalid pointer\nmore").cause
        == "exit status 3: free(): invalid pointer")
  }
}
