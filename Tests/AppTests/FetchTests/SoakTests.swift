import SystemIO
import TestSupport
import Testing

@Suite("fetch, disturbed at random")
struct SoakTests {
  /// How many downloads, where somebody wants more than the few of every day; see `Scripts/soak`.
  static let count = Environment["COURIER_SOAK"].flatMap { Int($0) }
  static let seed = Environment["COURIER_SOAK_SEED"].flatMap { UInt64($0) } ?? 1

  @Test(.timeLimit(.minutes(60)))
  func `ends in the right file and sends little twice`() async throws {
    let isLong = Self.count != nil
    let count = Self.count ?? 12
    let outcomes = try await OwnedThread.run(named: "soak", stackSize: 1 << 20) {
      var soak = Soak(
        seed: Self.seed, sizes: isLong ? 12 << 20...32 << 20 : 4 << 20...8 << 20)
      soak.program = Environment["COURIER_FETCH"]
      let only = Environment["COURIER_SOAK_ONLY"].flatMap { Int($0) }
      return try (only.map { $0..<$0 + 1 } ?? 0..<count).map { number in
        let outcome = try soak.run(number)
        if isLong { try? FileDescriptor(borrowing: 2).write(Array("\(outcome.line)\n".utf8)) }
        return outcome
      }
    }
    for outcome in outcomes where outcome.wrong != nil || !outcome.isRight {
      Issue.record("\(outcome.line)")
    }
    let sent = outcomes.reduce(0) { $0 + $1.sent }
    let needed = outcomes.reduce(0) { $0 + $1.needed }
    // What a killed run had not read yet counts as sent, and is much where there are few runs, on a busy machine.
    #expect(
      Double(sent) <= (isLong ? 1.1 : 1.3) * Double(needed), "\(outcomes.map(\.line))")
    if isLong { try? FileDescriptor(borrowing: 2).write(Array("\(Soak.summary(outcomes))\n".utf8)) }
  }
}
