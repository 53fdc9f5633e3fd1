import NetworkCore
import Testing

@Suite struct HostConcurrencyTests {
  private func busy(_ status: Int = 503) -> NetworkError {
    NetworkError(.status(status, retryAfter: nil))
  }

  private func allows(_ host: HostConcurrency, running: Int, now: Duration) -> Bool {
    var host = host
    return host.allowsAnother(running: running, now: now)
  }

  private func trouble(_ code: CurlCode, errno: Int32 = 0, phase: TransferPhase) throws
    -> NetworkError
  {
    var evidence = TransferEvidence(code)
    if errno != 0 { evidence.systemCode = SystemCode(rawValue: errno) }
    evidence.phase = phase
    return try #require(evidence.error())
  }

  @Test func `there is no limit before a host complains`() {
    var host = HostConcurrency()
    #expect(allows(host, running: 1000, now: .zero))
    host.succeeded(now: .zero)
    #expect(host.limit == .max)
  }

  @Test(arguments: [429, 503])
  func `half of what was under way remains`(status: Int) {
    var host = HostConcurrency()
    host.failed(busy(status), running: 16, began: .zero, wait: nil, now: .seconds(1))
    #expect(host.limit == 8)
    #expect(allows(host, running: 7, now: .seconds(1)))
    #expect(!allows(host, running: 8, now: .seconds(1)))
  }

  @Test func `a burst of complaints counts once, and one always remains`() {
    var host = HostConcurrency()
    for running in (1...16).reversed() {
      host.failed(busy(), running: running, began: .zero, wait: nil, now: .seconds(1))
    }
    #expect(host.limit == 8)
    var now: Duration = .seconds(1)
    for expected in [4, 2, 1, 1] {
      now += .seconds(1)
      host.failed(busy(), running: 16, began: now - .milliseconds(1), wait: nil, now: now)
      #expect(host.limit == expected)
    }
    #expect(allows(host, running: 0, now: now))
  }

  @Test func `one request alone is not too many`() {
    var host = HostConcurrency()
    host.failed(busy(), running: 1, began: .zero, wait: .seconds(1), now: .zero)
    #expect(host.limit == .max)
    #expect(host.opens(now: .zero) == .seconds(1))
  }

  @Test func `a named wait is kept by all`() {
    var host = HostConcurrency()
    host.failed(busy(429), running: 2, began: .zero, wait: .seconds(7), now: .seconds(10))
    #expect(host.opens(now: .seconds(10)) == .seconds(17))
    #expect(!allows(host, running: 0, now: .milliseconds(16_999)))
    #expect(allows(host, running: 0, now: .seconds(17)))
    #expect(host.opens(now: .seconds(17)) == nil)
    // A shorter one later does not shorten it.
    host.failed(busy(429), running: 1, began: .seconds(10), wait: .seconds(1), now: .seconds(11))
    #expect(!allows(host, running: 0, now: .seconds(16)))
  }

  @Test func `it grows again slowly, by successes or by time, and a complaint begins anew`() {
    var host = HostConcurrency()
    host.failed(busy(), running: 4, began: .zero, wait: nil, now: .seconds(1))
    #expect(host.limit == 2)
    for _ in 1..<HostConcurrency.successesPerStep { host.succeeded(now: .seconds(2)) }
    #expect(host.limit == 2)
    host.succeeded(now: .seconds(2))
    #expect(host.limit == 3)
    _ = host.allowsAnother(running: 0, now: .seconds(2) + HostConcurrency.stepTime * 3)
    #expect(host.limit == 6)
    host.failed(
      busy(), running: 6, began: .seconds(100), wait: nil, now: .seconds(101))
    #expect(host.limit == 3)
    _ = host.allowsAnother(running: 0, now: .seconds(10_000))
    #expect(host.limit == .max)
  }

  @Test func `a host that turns connections away is busy only where it has served before`() throws {
    let refused = try trouble(.couldntConnect, errno: 111, phase: .connect)
    let reset = try trouble(.recvError, errno: 104, phase: .firstByte)
    let nothing = try trouble(.gotNothing, phase: .firstByte)
    for error in [refused, reset, nothing] {
      var absent = HostConcurrency()
      absent.failed(error, running: 8, began: .zero, wait: nil, now: .seconds(1))
      #expect(absent.limit == .max)
      var known = HostConcurrency()
      known.succeeded(now: .zero)
      known.failed(error, running: 8, began: .zero, wait: nil, now: .seconds(1))
      #expect(known.limit == 4)
    }
  }

  @Test func `other trouble is no complaint`() throws {
    var host = HostConcurrency()
    host.succeeded(now: .zero)
    for error in [
      busy(404), busy(500), try trouble(.recvError, errno: 104, phase: .body),
      try trouble(.operationTimedOut, phase: .stall),
      try trouble(.peerFailedVerification, phase: .tls),
    ] {
      host.failed(error, running: 8, began: .zero, wait: .seconds(100), now: .seconds(1))
      #expect(host.limit == .max)
      #expect(host.opens(now: .seconds(1)) == nil)
    }
  }
}
