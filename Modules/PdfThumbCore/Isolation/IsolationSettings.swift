internal import Synchronization
internal import SystemIO

/// How worker processes are used, and what one page may cost.
public struct IsolationSettings: Sendable, Hashable {
  /// The greatest number of worker processes; one a processor unless said otherwise.
  public var workers: Int
  /// The longest a page, or opening the document, may take; 20 s by default.
  public var pageTime: Duration
  /// The most processor time a page may use; 20 s by default.
  public var processorTime: Duration
  /// Bytes of address space a worker may add to what it starts with and the document; 1 GiB by
  /// default.
  public var memory: UInt64
  /// Bytes of messages a page may cause; 256 KiB by default.
  public var messages: UInt64
  /// Bytes of memory in use beyond which a worker starts anew, between two pages; 128 MiB by
  /// default.
  ///
  /// Poppler's tables of objects and fonts only grow. A document that needs more from the start is
  /// let be.
  public var residentMemory: UInt64
  /// The program that is started.
  public var program: WorkerProgram

  /// Creates settings.
  public init(
    workers: Int? = nil, pageTime: Duration = .seconds(20),
    processorTime: Duration = .seconds(20), memory: UInt64 = 1 << 30,
    messages: UInt64 = 256 << 10, residentMemory: UInt64 = 128 << 20,
    program: WorkerProgram = .thisProgram
  ) {
    self.workers = max(1, workers ?? Environment.processorCount)
    self.pageTime = pageTime
    self.processorTime = processorTime
    self.memory = memory
    self.messages = messages
    self.residentMemory = residentMemory
    self.program = program
  }
}

/// The program whose processes draw pages.
public enum WorkerProgram: Sendable, Hashable {
  /// This one, started again; its `main` calls ``ThumbnailWorker/runIfRequested()`` first.
  ///
  /// Where ``ThumbnailWorker/startLauncher()`` was called as well, workers are forked from that process.
  case thisProgram
  /// A program that calls ``ThumbnailWorker/runIfRequested()`` first, by its path.
  case path(String)

  private static let hasEntryPoint = Atomic<Bool>(false)

  /// Remembers that this program can be started again as a worker.
  static func noteEntryPoint() { hasEntryPoint.store(true, ordering: .relaxed) }

  /// Where its workers come from.
  ///
  /// - Throws: ``PDFError/Code/isolationUnavailable`` for a program that would not become a worker.
  func origin() throws(PDFError) -> WorkerOrigin {
    switch self {
    case .path(let path): return WorkerOrigin(path: path, mayFork: false)
    case .thisProgram:
      guard Self.hasEntryPoint.load(ordering: .relaxed) else { throw .noEntryPoint() }
      return WorkerOrigin(path: "/proc/self/exe", mayFork: true)
    }
  }
}

/// What workers are made of.
struct WorkerOrigin: Sendable {
  /// The program that is started.
  let path: String
  /// Whether the launcher may fork them in place of that, if there is one.
  let mayFork: Bool
}
