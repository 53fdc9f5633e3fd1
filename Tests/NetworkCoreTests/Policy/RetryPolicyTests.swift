import NetworkCore
import Testing

@Suite struct RetryPolicyTests {
  private let broken = NetworkError(.truncated(received: 1, expected: 2))

  private func policy(limit: Int = 5, budget: Duration = .seconds(600)) -> RetryPolicy {
    RetryPolicy(limit: limit, budget: budget, stored: 0)
  }

  @Test func `the ceiling of the wait doubles and stops at a minute`() {
    var policy = policy(limit: 20, budget: .seconds(10_000))
    var waits: [Duration] = []
    for _ in 0..<10 {
      guard case .wait(let wait) = policy.decide(broken, stored: 0, now: .zero, random: 0.999999)
      else { return #expect(Bool(false)) }
      waits.append(wait)
    }
    let ceilings: [Duration] = [0.5, 1, 2, 4, 8, 16, 32, 60, 60, 60].map { .seconds($0) }
    for (wait, ceiling) in zip(waits, ceilings) {
      #expect(wait <= ceiling)
      #expect(wait > ceiling * 0.99)
    }
  }

  @Test func `full jitter may wait for no time at all`() {
    var policy = policy()
    #expect(policy.decide(broken, stored: 0, now: .zero, random: 0) == .wait(.zero))
  }

  @Test func `so many tries without progress are the end`() {
    var policy = policy(limit: 2)
    #expect(policy.decide(broken, stored: 0, now: .zero, random: 0) == .wait(.zero))
    #expect(policy.decide(broken, stored: 0, now: .zero, random: 0) == .wait(.zero))
    #expect(policy.decide(broken, stored: 0, now: .zero, random: 0) == .giveUp)
    var none = self.policy(limit: 0)
    #expect(none.decide(broken, stored: 0, now: .zero, random: 0) == .giveUp)
  }

  @Test func `progress begins the count anew, for ever`() {
    var policy = policy(limit: 1, budget: .seconds(1))
    for round in 1...500 {
      let stored = UInt64(round) * RetryPolicy.progressStep
      #expect(
        policy.decide(broken, stored: stored, now: .seconds(round * 60), random: 0) == .wait(.zero))
      #expect(policy.failures == 1)
    }
  }

  @Test func `after progress the first wait is short, the next is not`() {
    var policy = policy()
    _ = policy.decide(broken, stored: 0, now: .zero, random: 0)
    #expect(
      policy.decide(broken, stored: 1 << 20, now: .zero, random: 1) == .wait(.milliseconds(50)))
    #expect(policy.decide(broken, stored: 1 << 20, now: .zero, random: 1) == .wait(.seconds(1)))
  }

  @Test func `a byte for each try is no progress, but many bytes together are`() {
    var policy = policy(limit: 3)
    for stored in 1...3 {
      #expect(policy.decide(broken, stored: UInt64(stored), now: .zero, random: 0) == .wait(.zero))
    }
    #expect(policy.decide(broken, stored: 4, now: .zero, random: 0) == .giveUp)
    var other = self.policy(limit: 3)
    for round in 1...50 {
      #expect(
        other.decide(broken, stored: UInt64(round) * 2000, now: .zero, random: 0) == .wait(.zero))
    }
  }

  @Test func `after a restart the count grows from the new start`() {
    var policy = RetryPolicy(limit: 1, budget: .seconds(600), stored: 1 << 20)
    #expect(policy.decide(broken, stored: 0, now: .zero, random: 0) == .wait(.zero))
    #expect(policy.decide(broken, stored: 0, now: .zero, random: 0) == .giveUp)
    #expect(policy.decide(broken, stored: 8192, now: .zero, random: 0) == .wait(.zero))
  }

  @Test func `what would happen again is not tried`() {
    var policy = policy()
    for problem in [TransferProblem.status(404, retryAfter: nil), .cancelled, .badURL("x")] {
      #expect(policy.decide(NetworkError(problem), stored: 0, now: .zero, random: 0) == .giveUp)
    }
  }

  @Test func `what is worth one more try gets one, until there is progress`() {
    var error = NetworkError(code: .secureConnectionFailed, message: "x", retry: .once)
    var policy = policy()
    #expect(policy.decide(error, stored: 0, now: .zero, random: 0) == .wait(.zero))
    #expect(policy.decide(error, stored: 0, now: .zero, random: 0) == .giveUp)
    #expect(policy.decide(error, stored: 1 << 20, now: .zero, random: 0) == .wait(.zero))
    error.code = .cannotParseResponse
    #expect(policy.decide(error, stored: 1 << 20, now: .zero, random: 0) == .wait(.zero))
  }

  @Test func `a wait that the server asks for is kept, inside the budget`() {
    var policy = policy(budget: .seconds(60))
    let busy = NetworkError(.status(503, retryAfter: .seconds(20)))
    #expect(policy.decide(busy, stored: 0, now: .zero, random: 0) == .wait(.seconds(20)))
    #expect(policy.decide(busy, stored: 0, now: .seconds(20), random: 0) == .wait(.seconds(20)))
    #expect(policy.left == .seconds(40))
    let later = NetworkError(.status(503, retryAfter: .seconds(41)))
    #expect(
      policy.decide(later, stored: 0, now: .seconds(40), random: 0) == .waitTooLong(.seconds(41)))
    let tomorrow = NetworkError(.status(429, retryAfter: .seconds(86400)))
    var fresh = self.policy(budget: .seconds(60))
    #expect(
      fresh.decide(tomorrow, stored: 0, now: .zero, random: 0) == .waitTooLong(.seconds(86400)))
  }

  @Test func `a wait shorter than our own does not shorten it`() {
    var policy = policy()
    let busy = NetworkError(.status(503, retryAfter: .zero))
    #expect(policy.decide(busy, stored: 0, now: .zero, random: 0.5) == .wait(.milliseconds(250)))
  }

  @Test func `time spent in the tries counts against the budget`() {
    var policy = policy(limit: 100, budget: .seconds(60))
    #expect(policy.decide(broken, stored: 0, now: .seconds(100), random: 0) == .wait(.zero))
    #expect(policy.decide(broken, stored: 0, now: .seconds(150), random: 0) == .wait(.zero))
    #expect(policy.decide(broken, stored: 0, now: .seconds(161), random: 0.1) == .giveUp)
  }
}
