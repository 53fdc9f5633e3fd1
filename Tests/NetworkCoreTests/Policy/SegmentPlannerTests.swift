import NetworkCore
import Testing

@Suite struct SegmentPlannerTests {
  private static let mebibyte: UInt64 = 1 << 20
  private let adaptive = SegmentPlanner(limit: SegmentPlanner.maximum, isFixed: false)
  private let alone = SegmentPlanner(limit: 1, isFixed: true)

  @Test func `one stream is one request for the whole`() {
    let result = SimulatedServer(link: 10e6).download(20 * Self.mebibyte, alone)
    #expect(result.isWhole)
    #expect(result.requests == 1)
    #expect(result.written == [0..<(20 * Self.mebibyte)])
  }

  @Test func `a link that is full gets a second connection for a moment only`() {
    let result = SimulatedServer(link: 10e6).download(200 * Self.mebibyte, adaptive)
    let single = SimulatedServer(link: 10e6).download(200 * Self.mebibyte, alone)
    #expect(result.isWhole)
    #expect(result.peak <= 2)
    #expect(result.seconds <= single.seconds * 1.02)
  }

  @Test func `a fast link is left to one connection`() {
    let result = SimulatedServer(link: 640e6).download(512 * Self.mebibyte, adaptive)
    #expect(result.peak == 1)
  }

  @Test func `a server that caps each connection gets as many as help, quickly`() {
    // As nginx does it: the first second's allowance at once.
    let server = SimulatedServer(
      link: 1e9, perConnection: 4 * Double(Self.mebibyte), burst: 4 * Double(Self.mebibyte),
      reply: 0.001)
    let result = server.download(160 * Self.mebibyte, adaptive)
    let sixteen = server.download(160 * Self.mebibyte, SegmentPlanner(limit: 16, isFixed: true))
    #expect(result.isWhole)
    #expect(result.peak == 16)
    #expect(result.seconds <= sixteen.seconds * 1.25)
  }

  @Test func `a long path with small windows gets many connections`() {
    let server = SimulatedServer(link: 50e6, perConnection: 0.64e6, reply: 0.2)
    let result = server.download(60 * Self.mebibyte, adaptive)
    let single = server.download(60 * Self.mebibyte, alone)
    #expect(result.peak >= 8)
    #expect(result.seconds < single.seconds / 5)
  }

  @Test func `a server that refuses the third connection is asked with two`() {
    let server = SimulatedServer(link: 100e6, perConnection: 2e6, mostConnections: 2)
    let result = server.download(40 * Self.mebibyte, adaptive)
    #expect(result.isWhole)
    #expect(result.peak <= 8)
    #expect(result.requests < 20)
  }

  @Test func `a small file is never divided`() {
    let result = SimulatedServer(link: 100e6, perConnection: 0.1e6).download(
      Self.mebibyte + 5, adaptive)
    #expect(result.isWhole)
    #expect(result.peak == 1)
  }

  @Test func `a connection that stands still is replaced`() {
    var server = SimulatedServer(link: 100e6, perConnection: 1e6)
    server.stalling = [1: 300_000]
    let result = server.download(40 * Self.mebibyte, SegmentPlanner(limit: 4, isFixed: true))
    let sound = SimulatedServer(link: 100e6, perConnection: 1e6).download(
      40 * Self.mebibyte, SegmentPlanner(limit: 4, isFixed: true))
    #expect(result.isWhole)
    #expect(result.seconds < sound.seconds + 5)
  }

  @Test func `the tail does not wait for a slow connection`() {
    var server = SimulatedServer(link: 100e6, perConnection: 4e6)
    server.speeds = [2: 0.05e6]
    let result = server.download(64 * Self.mebibyte, SegmentPlanner(limit: 4, isFixed: true))
    // Three sound connections alone would need 5.6 s.
    #expect(result.isWhole)
    #expect(result.seconds < 8)
  }

  @Test func `every byte comes exactly once, whatever the server does`() {
    var random = SeededRandom(seed: 11)
    for round in 0..<60 {
      let total = UInt64.random(in: 1...(96 * Self.mebibyte), using: &random)
      var server = SimulatedServer(
        link: .random(in: 1e6...200e6, using: &random),
        perConnection: Bool.random(using: &random)
          ? .infinity : .random(in: 0.5e6...9e6, using: &random),
        burst: Bool.random(using: &random) ? 0 : .random(in: 0...4e6, using: &random),
        reply: .random(in: 0...0.3, using: &random),
        mostConnections: Bool.random(using: &random) ? .max : .random(in: 1...9, using: &random))
      if Bool.random(using: &random) {
        server.stalling = [
          .random(in: 1...6, using: &random): .random(in: 0...900_000, using: &random)
        ]
        server.mostConnections = .max
      }
      if Bool.random(using: &random) { server.speeds = [.random(in: 0...4, using: &random): 0.2e6] }
      let planner = SegmentPlanner(
        limit: .random(in: 1...16, using: &random), isFixed: Bool.random(using: &random))
      let result = server.download(total, planner, limit: 5000)
      #expect(result.isWhole, "round \(round)")
      var next: UInt64 = 0
      for range in result.written.sorted(by: { $0.lowerBound < $1.lowerBound }) {
        #expect(range.lowerBound == next, "round \(round)")
        next = range.upperBound
      }
      #expect(next == total, "round \(round)")
    }
  }

  @Test func `trying costs next to nothing where it does not pay`() {
    var random = SeededRandom(seed: 5)
    for round in 0..<40 {
      let server = SimulatedServer(
        link: .random(in: 0.5e6...500e6, using: &random),
        reply: .random(in: 0...0.3, using: &random))
      let total = UInt64.random(in: 1...(200 * Self.mebibyte), using: &random)
      let single = server.download(total, alone, limit: 5000)
      let several = server.download(total, adaptive, limit: 5000)
      #expect(several.seconds <= single.seconds * 1.02 + server.reply + 0.05, "round \(round)")
    }
  }

  @Test func `nothing is asked for beside a first request without an answer`() {
    var planner = SegmentPlanner(limit: 8, isFixed: true)
    let sample = SegmentPlanner.Sample(
      id: 0, start: 0, position: 0, end: 64 << 20, isReceiving: false)
    #expect(planner.plan([sample], gaps: [], now: .zero).isEmpty)
    #expect(planner.plan([], gaps: [5..<9], now: .zero) == [.open(5..<9)])
  }

  @Test func `staying alone is final`() {
    var planner = SegmentPlanner(limit: 8, isFixed: true)
    planner.stayAlone()
    #expect(planner.target(missing: 1 << 30) == 1)
    planner.connectionFailed(running: 5)
    #expect(planner.target(missing: 1 << 30) == 1)
  }
}

/// A generator that gives the same numbers in every run.
struct SeededRandom: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    // SplitMix64.
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}
