import PdfThumbCore
import SystemIO

/// What only a process of its own can measure: descriptors, children and memory.
enum Soak {
  /// Draws ten thousand pages, among them 90 that end their worker, and prints before and after.
  static func run() async throws {
    let pool = try WorkerPool(IsolationSettings(workers: 2, residentMemory: 24 << 20))
    try await draw(1000, pool)
    let before = try usage()
    for _ in 0..<9 { try await draw(1000, pool) }
    var after = try usage()
    // The last that were lost are still being collected, on threads of their own.
    for _ in 0..<1000
    where after.children > before.children || after.descriptors > before.descriptors {
      try await Task.sleep(for: .milliseconds(10))
      after = try usage()
    }
    print(before.descriptors, before.children, before.memory)
    print(after.descriptors, after.children, after.memory)
  }

  private static func draw(_ pages: Int, _ pool: WorkerPool) async throws {
    let document = try await pool.open(.bytes(Array("%PROBE crash-hundredth\n".utf8)))
    for start in stride(from: 0, to: pages, by: 50) {
      await withTaskGroup(of: Void.self) { group in
        for page in start..<start + 50 {
          group.addTask { _ = try? await document.draw(page, size: .height(80)) }
        }
      }
    }
  }

  /// Prints the number of a worker that hangs, and waits for its own end.
  static func orphan() async throws {
    let document = try await ThumbnailDocument.open(.bytes(Array("%PROBE tell-hang\n".utf8)))
    let worker = try await document.draw(10, size: .height(20)).report.flaws
    async let hanging = document.draw(11, size: .height(20))
    let numbers = [worker, Int(WorkerLauncher.processID ?? 0)]
    try FileDescriptor(borrowing: 1).write(Array("\(numbers[0]) \(numbers[1])\n".utf8))
    _ = try await hanging
  }

  static func usage() throws -> (descriptors: Int, children: Int, memory: UInt64) {
    let threads = try FileSystem.names(in: "/proc/self/task")
    let children = threads.reduce(0) { count, thread in
      let path = "/proc/self/task/\(thread)/children"
      let bytes = try? FileDescriptor.open(path).readToEnd(limit: 4096)
      return count + (bytes ?? []).split(separator: UInt8(ascii: " ")).count
    }
    let bytes = try FileDescriptor.open("/proc/self/statm").readToEnd(limit: 256)
    let fields = String(decoding: bytes, as: UTF8.self).split(separator: " ")
    return (
      try FileSystem.names(in: "/proc/self/fd").count, children, (UInt64(fields[1]) ?? 0) * 4096
    )
  }
}
