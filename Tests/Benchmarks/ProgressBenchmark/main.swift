// What progress costs the work that reports it, beside the bare means it is made of.
//
// usage: swift run -c release --package-path Tests/Benchmarks ProgressBenchmark
import ProgressReporting
import Synchronization

let rounds = 1_000_000
let samples = 15

/// Nanoseconds a call: the least and the median of the samples.
func measure(_ body: () async -> Void) async -> (least: Double, median: Double) {
  await body()
  var times: [Double] = []
  for _ in 0..<samples {
    let time = await ContinuousClock().measure { await body() }
    times.append(time / .nanoseconds(1) / Double(rounds))
  }
  times.sort()
  return (times[0], times[samples / 2])
}

final class Bare: Sendable {
  let atomic = Atomic<UInt64>(0)
  let mutex = Mutex<UInt64>(0)
}

/// Shares the rounds out to tasks that run at once.
func concurrently(_ tasks: Int, _ body: @escaping @Sendable () -> Void) async {
  await withTaskGroup { group in
    for _ in 0..<tasks {
      group.addTask { for _ in 0..<(rounds / tasks) { body() } }
    }
  }
}

func rounded(_ value: Double) -> Double { (value * 10).rounded() / 10 }

let bare = Bare()
let meter = WorkMeter("benchmark", total: .max)
let child = WorkMeter("parent").share().begin("child", total: .max)
let rows: [(name: String, body: @Sendable () -> Void)] = [
  ("atomic add", { bare.atomic.wrappingAdd(1, ordering: .relaxed) }),
  ("mutex add", { bare.mutex.withLock { $0 &+= 1 } }),
  ("advance", { meter.advance(by: 1) }),
  ("advance of a child", { child.advance(by: 1) }),
]
print("call,tasks,least_ns,median_ns,ratio_to_atomic")
for tasks in [1, 8] {
  var reference = 1.0
  for row in rows {
    let result = await measure { await concurrently(tasks, row.body) }
    if row.name == "atomic add" { reference = result.median }
    print(
      "\(row.name),\(tasks),\(rounded(result.least)),\(rounded(result.median)),"
        + "\(rounded(result.median / reference))")
  }
}
let wide = WorkMeter("wide")
let parts = (0..<100).map { wide.share().begin("part \($0)", total: 10) }
let snapshot = await measure {
  for _ in 0..<(rounds / 1000) { _ = wide.snapshot() }
}
print(
  "snapshot of \(parts.count) parts,1,\(rounded(snapshot.least * 1000)),\(rounded(snapshot.median * 1000)),"
)
