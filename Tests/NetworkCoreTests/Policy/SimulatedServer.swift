import NetworkCore

/// A server and a link in simulated time, downloaded from as the planner says.
struct SimulatedServer {
  /// Bytes a second over the whole link.
  var link: Double = 100e6
  /// Bytes a second for one connection.
  var perConnection: Double = .infinity
  /// Bytes that each connection gets at once.
  var burst: Double = 0
  /// From a request to the first byte of its answer.
  var reply: Double = 0.02
  /// More connections than this are refused.
  var mostConnections = Int.max
  /// Connections, by their order, that stop after so many bytes.
  var stalling: [Int: UInt64] = [:]
  /// Connections, by their order, with a speed of their own.
  var speeds: [Int: Double] = [:]

  struct Result {
    var seconds = 0.0
    var written: [Range<UInt64>] = []
    var requests = 0
    var peak = 0
    var isWhole = false
  }

  private struct Connection {
    var number: Int
    var start: UInt64
    var position: UInt64
    var end: UInt64
    var opened: Double
    var owed = 0.0

    var rest: UInt64 { end > position ? end - position : 0 }
  }

  /// Runs until all bytes are there or the limit of simulated seconds is over.
  func download(_ total: UInt64, _ planner: SegmentPlanner, limit: Double = 600) -> Result {
    var run = Run(server: self, planner: planner, total: total)
    run.open(0..<total)
    let step = 0.005
    while run.time < limit, !run.isWhole {
      run.advance(step)
      if run.isTick { run.plan() }
    }
    run.result.seconds = run.time
    run.result.isWhole = run.isWhole
    return run.result
  }

  private struct Run {
    let server: SimulatedServer
    var planner: SegmentPlanner
    let total: UInt64
    var connections: [Connection] = []
    var gaps: [Range<UInt64>] = []
    var result = Result()
    var time = 0.0
    private var nextTick = 0.0
    private var stored: UInt64 = 0

    init(server: SimulatedServer, planner: SegmentPlanner, total: UInt64) {
      self.server = server
      self.planner = planner
      self.total = total
    }

    var isWhole: Bool { stored == total }
    var isTick: Bool { time >= nextTick }

    mutating func open(_ range: Range<UInt64>) {
      let number = result.requests
      result.requests += 1
      connections.append(
        Connection(
          number: number, start: range.lowerBound, position: range.lowerBound,
          end: range.upperBound,
          opened: time))
      result.peak = max(result.peak, connections.count)
    }

    mutating func plan() {
      if time >= nextTick { nextTick = time + SegmentPlanner.period / .seconds(1) }
      let samples = connections.map {
        SegmentPlanner.Sample(
          id: $0.number, start: $0.start, position: $0.position, end: $0.end,
          isReceiving: time - $0.opened >= server.reply)
      }
      for action in planner.plan(samples, gaps: gaps, now: .seconds(time)) {
        switch action {
        case .open(let range):
          gaps.removeAll { $0 == range }
          open(range)
        case .split(let id, let at):
          guard let index = connections.firstIndex(where: { $0.number == id }) else { continue }
          let end = connections[index].end
          connections[index].end = at
          open(at..<end)
        case .replace(let id): close(id)
        }
      }
    }

    /// Ends a connection; what it has not brought is a gap again.
    mutating func close(_ id: Int) {
      guard let index = connections.firstIndex(where: { $0.number == id }) else { return }
      let gone = connections.remove(at: index)
      if gone.start < gone.position { result.written.append(gone.start..<gone.position) }
      if gone.position < gone.end { gaps.append(gone.position..<gone.end) }
    }

    mutating func advance(_ step: Double) {
      time += step
      refuse()
      let open = connections.indices.filter { time - connections[$0].opened >= server.reply }
      var room = server.link * step
      var left = open.count
      for index in open {
        // Equal shares of what the ones before have left.
        let given = give(index, step, share: room / Double(left))
        room -= given
        left -= 1
      }
      for connection in connections where connection.rest == 0 {
        close(connection.number)
        plan()
      }
    }

    private mutating func refuse() {
      guard connections.count > server.mostConnections else { return }
      for connection in connections.dropFirst(server.mostConnections)
      where time - connection.opened >= server.reply {
        close(connection.number)
        planner.connectionFailed(running: connections.count)
      }
    }

    private mutating func give(_ index: Int, _ step: Double, share: Double) -> Double {
      let number = connections[index].number
      let speed = server.speeds[number] ?? server.perConnection
      let age = time - connections[index].opened - server.reply
      let taken = Double(connections[index].position - connections[index].start)
      let allowed = speed.isFinite ? max(0, speed * age + server.burst - taken) : share
      connections[index].owed += min(share, allowed, share)
      var bytes = UInt64(min(connections[index].owed, Double(connections[index].rest)))
      if let stop = server.stalling[number] {
        bytes = min(bytes, stop - min(stop, UInt64(taken)))
        connections[index].owed = 0
      } else {
        connections[index].owed -= Double(bytes)
      }
      connections[index].position += bytes
      stored += bytes
      return Double(bytes)
    }
  }
}
