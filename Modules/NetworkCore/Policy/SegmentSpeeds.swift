/// What the segment planner remembers of each connection: how fast it is, and when it last brought
/// something.
struct SegmentSpeeds: Sendable {
  private struct Record {
    var position: UInt64
    var began: Duration
    /// When something last came.
    var moved: Duration
    var isReceiving: Bool
    /// Bytes a second, younger times counting more.
    var speed: Double = 0
  }

  private var records: [Int: Record] = [:]
  /// All bytes that were seen to come.
  private(set) var received: UInt64 = 0
  /// The same at the look before the last one.
  private(set) var receivedBefore: UInt64 = 0
  /// When the look before the last one was.
  private(set) var lastLook: Duration = .zero
  private var look: Duration?

  /// Takes in where the connections stand.
  mutating func note(_ samples: [SegmentPlanner.Sample], now: Duration) {
    // Several looks at one moment are one look: nothing can have come between.
    if let look, look == now {
      for sample in samples where records[sample.id] == nil { add(sample, 0, now) }
      return
    }
    lastLook = look ?? now
    receivedBefore = received
    let elapsed = look.map { (now - $0) / .seconds(1) } ?? 0
    look = now
    let open = Set(samples.map(\.id))
    forget(allBut: open)
    for sample in samples {
      guard var record = records[sample.id] else {
        add(sample, elapsed, now)
        continue
      }
      let bytes = sample.position - min(record.position, sample.position)
      received += bytes
      if bytes > 0 || sample.isReceiving && !record.isReceiving { record.moved = now }
      record.position = sample.position
      record.isReceiving = sample.isReceiving
      if elapsed > 0, sample.isReceiving {
        record.speed += (Double(bytes) / elapsed - record.speed) * Self.weight(elapsed)
      }
      records[sample.id] = record
    }
  }

  private mutating func add(
    _ sample: SegmentPlanner.Sample, _ elapsed: Double, _ now: Duration
  ) {
    let bytes = sample.position - min(sample.start, sample.position)
    received += bytes
    records[sample.id] = Record(
      position: sample.position, began: now, moved: now, isReceiving: sample.isReceiving,
      speed: elapsed > 0 ? Double(bytes) / elapsed * Self.weight(elapsed) : 0)
  }

  /// Half of the weight lies in the last half second.
  private static func weight(_ elapsed: Double) -> Double { elapsed / (elapsed + 0.5) }

  /// Keeps the youngest of those that have ended, whose speed tells what a new one will bring.
  private mutating func forget(allBut open: Set<Int>) {
    let ended = records.keys.filter { !open.contains($0) }
    for id in ended.sorted().dropLast(16) { records[id] = nil }
  }

  /// Connections that were opened at a time or later.
  func newcomers(since time: Duration) -> [Int] {
    records.filter { $0.value.began >= time }.map(\.key)
  }

  func isReceiving(_ id: Int) -> Bool { records[id]?.isReceiving ?? false }

  /// Bytes a second; 0 for one that is not known.
  func speed(of id: Int) -> Double { records[id]?.speed ?? 0 }

  /// What a connection brings a second on average, those that have ended included.
  var average: Double {
    let known = records.values.filter { $0.speed > 0 }
    return known.isEmpty ? 0 : known.reduce(0) { $0 + $1.speed } / Double(known.count)
  }

  /// Whether there is or was a connection beside this one.
  func hasOthers(than id: Int) -> Bool {
    records.contains { $0.key != id && $0.value.speed > 0 }
  }

  /// For how long a connection has brought nothing.
  func silence(of id: Int, now: Duration) -> Duration {
    records[id].map { now - $0.moved } ?? .zero
  }

  /// Counts a connection's silence from now on.
  mutating func restart(_ id: Int, now: Duration) { records[id]?.moved = now }
}
