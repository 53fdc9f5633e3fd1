import Glibc
import PdfThumbCore
import SystemIO

/// What becomes of pages and workers, told a line each.
enum Fates {
  private static let settings = IsolationSettings(
    workers: 1, pageTime: .seconds(30), memory: 256 << 20, messages: 64 << 10)

  /// Draws three pages, the middle one of which does a deed.
  static func tell(of deed: String) async throws {
    let document = try await open(deed)
    for page in [10, 11, 20] { await tell(page, of: document) }
  }

  /// Ends workers and the launcher, and tells of the pages after that.
  static func tellOfLosses() async throws {
    let document = try await open("tell-hang")
    let first = try await worker(document)
    guard let launcher = WorkerLauncher.processID else { return print("no launcher") }
    // The keyboard's interrupt reaches all processes of a terminal.
    for process in [first, launcher] { try Signal.interrupt.send(to: process) }
    usleep(50_000)
    print("same worker", try await worker(document) == first)
    try await lose(first, document)
    let second = try await worker(document)
    print("next worker", second != first, WorkerLauncher.processID == launcher)
    kill(launcher, SIGKILL)
    try await lose(second, document)
    let third = try await worker(document)
    print("without launcher", third != second, WorkerLauncher.processID == nil)
    print("children", try Soak.usage().children)
  }

  private static func open(_ deed: String) async throws -> ThumbnailDocument {
    try await ThumbnailDocument.open(
      .bytes(Array("%PROBE \(deed)\n".utf8)), settings: settings)
  }

  private static func worker(_ document: ThumbnailDocument) async throws -> Int32 {
    Int32(try await document.draw(10, size: .height(20)).report.flaws)
  }

  /// Ends the worker under a page that would not end.
  private static func lose(_ worker: Int32, _ document: ThumbnailDocument) async throws {
    async let lost: Void = tell(11, of: document)
    // A worker that waits for work sleeps once; one that hangs wakes up every millisecond.
    let before = try sleeps(worker)
    for _ in 0..<6000 where try sleeps(worker) < before + 20 { usleep(10_000) }
    kill(worker, SIGKILL)
    await lost
  }

  /// How often a process has gone to sleep by itself.
  private static func sleeps(_ process: Int32) throws -> Int {
    let bytes = try FileDescriptor.open("/proc/\(process)/status").readToEnd(limit: 1 << 16)
    let line = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
      .first { $0.hasPrefix("voluntary_ctxt_switches:") }
    return line?.split(separator: "\t").last.flatMap { Int($0) } ?? 0
  }

  private static func tell(_ page: Int, of document: ThumbnailDocument) async {
    do {
      _ = try await document.draw(page, size: .height(20))
      print(page, "drawn")
    } catch let error as PDFError {
      print(page, error.code, error.cause ?? "")
    } catch {
      print(page, error)
    }
  }
}
