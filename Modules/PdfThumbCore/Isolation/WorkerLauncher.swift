internal import Synchronization
internal import SystemIO

extension ThumbnailWorker {
  /// Forks a process off this one that workers are made of, each in a millisecond or two.
  ///
  /// To start the program again takes as long as to draw several pages, for its libraries are linked and the fonts
  /// listed anew. A program that draws pages of many documents, or few pages quickly, calls this behind
  /// ``runIfRequested()``, at the very start of its `main`: the process has one thread then and no memory worth
  /// keeping from workers, which get a copy of it. What the memory holds at the time of this call a worker that was
  /// taken over can read, and it knows where this program's code lies in memory.
  ///
  /// The launcher keeps none of the program's descriptors, signal handlers and environment variables but those that
  /// tell of language and fonts. It ends with the program. When it is gone workers are started as without it.
  ///
  /// - Returns: Whether there is a launcher: not in a process with several threads, nor when the kernel has no
  ///   process left.
  @discardableResult
  public static func startLauncher() -> Bool { startLauncher(PDFWorkerEngine()) }

  /// Forks a process whose workers have an engine of the caller's.
  @discardableResult
  package static func startLauncher(_ engine: @autoclosure () -> some WorkerEngine) -> Bool {
    guard ProcessFork.threadCount == 1, let sockets = try? MessageSocket.pair(),
      let nothing = try? FileDescriptor.open("/dev/null", .readWrite)
    else { return false }
    let parent = Environment.processID
    guard let id = try? ProcessFork.child() else { return false }
    guard id == 0 else {
      WorkerLauncher.adopt(ChildProcess(adopting: id), socket: sockets.keepingNear())
      return true
    }
    let kept = [nothing.raw, nothing.raw, nothing.raw, sockets.far.descriptor.raw]
    guard (try? ProcessFork.shed(keeping: kept, variables: WorkerProcess.variables)) != nil else {
      endProcessAtOnce(status: 1)
    }
    Launching(parent: parent).run(engine)
  }
}

/// The launcher's own life.
private struct Launching: ~Copyable {
  let parent: Int32
  private let socket = MessageSocket(FileDescriptor(owning: ThumbnailWorker.socket))

  init(parent: Int32) { self.parent = parent }

  /// How long nobody asks for a worker before the launcher reads the fonts, for workers to come.
  private static let leisure = Duration.milliseconds(50)

  /// Forks a worker at each request, until the parent is gone.
  func run(_ engine: () -> some WorkerEngine) -> Never {
    guard (try? Confinement.dieWithParent(parent)) == true else { endProcessAtOnce(status: 0) }
    Confinement.ignoreInterrupt()
    let places = FontConfiguration.ofMachine().map { ThumbnailWorker.places(and: $0.places) }
    let shared = places ?? ThumbnailWorker.loadedPlaces()
    var hasFonts = places == nil
    while true {
      if !hasFonts, !isAsked(within: Self.leisure) {
        _ = FontPlaces.load()
        hasFonts = true
      }
      guard let request = receive(), answer(request, shared, engine) else { break }
    }
    endProcessAtOnce(status: 0)
  }

  private func isAsked(within time: Duration) -> Bool {
    ((try? Readiness.wait(for: [socket.descriptor.raw], timeout: time)) ?? [true])[0]
  }

  /// The two descriptors of a worker that is wanted.
  private struct Request: ~Copyable {
    let socket: FileDescriptor
    let messages: FileDescriptor
  }

  private func receive() -> Request? {
    guard let first = try? socket.receiveWithDescriptor(limit: 1).takeDescriptor(),
      let second = try? socket.receiveWithDescriptor(limit: 1).takeDescriptor()
    else { return nil }
    return Request(socket: first, messages: second)
  }

  private func answer(
    _ request: borrowing Request, _ places: [String], _ engine: () -> some WorkerEngine
  ) -> Bool {
    guard let id = try? ProcessFork.sibling() else { return false }
    guard id != 0 else { become(request, places, engine) }
    return (try? socket.send(WorkerLauncher.message(of: id))) != nil
  }

  private func become(
    _ request: borrowing Request, _ places: [String], _ engine: () -> some WorkerEngine
  ) -> Never {
    guard
      (try? ProcessFork.keep([0, 1, request.messages.raw, request.socket.raw])) != nil,
      (try? Confinement.dieWithParent(parent)) == true
    else { endProcessAtOnce(status: 2) }
    // The launcher's own had this number.
    let socket = MessageSocket(FileDescriptor(owning: ThumbnailWorker.socket))
    ThumbnailWorker.work(engine(), socket, Sandbox.enter(readable: places))
  }
}

/// The launcher as the program sees it: there is one, or none.
package enum WorkerLauncher {
  private final class Connection: Sendable {
    let child: ChildProcess
    let socket: MessageSocket

    init(_ child: consuming ChildProcess, _ socket: consuming MessageSocket) {
      self.child = child
      self.socket = socket
    }
  }

  /// The longest a fork may take.
  private static let patience = Duration.seconds(10)
  private static let connection = Mutex<Connection?>(nil)

  static func adopt(_ child: consuming ChildProcess, socket: consuming MessageSocket) {
    let adopted = Connection(child, socket)
    connection.withLock { $0 = adopted }
    // The kernel would end it as well, and leave it for init to collect, which containers often lack.
    ProcessExit.before { WorkerLauncher.end() }
  }

  private static func end() { connection.withLock { $0 = nil } }

  /// The number of the launcher's process, while there is one.
  package static var processID: Int32? { connection.withLock { $0?.child.id } }

  /// Has a worker forked that gets the two descriptors.
  ///
  /// - Returns: The worker, or `nil` when there is no launcher, or none any more.
  static func start(socket: Int32, messages: Int32) -> ChildProcess? {
    let id: Int32? = connection.withLock { connection in
      guard let open = connection else { return nil }
      let id = try? ask(open, socket: socket, messages: messages)
      // One that does not answer is ended with the last reference.
      if id == nil { connection = nil }
      return id
    }
    return id.map { ChildProcess(adopting: $0) }
  }

  private static func ask(
    _ launcher: Connection, socket: Int32, messages: Int32
  ) throws -> Int32? {
    try launcher.socket.send([1], passing: socket)
    try launcher.socket.send([2], passing: messages)
    guard try Readiness.wait(for: [launcher.socket.descriptor.raw], timeout: patience)[0] else {
      return nil
    }
    return number(in: try launcher.socket.receive(limit: 5))
  }

  fileprivate static func message(of id: Int32) -> [UInt8] {
    var writer = WireWriter()
    writer.put(UInt32(bitPattern: id))
    return writer.bytes
  }

  private static func number(in message: [UInt8]) -> Int32? {
    var reader = WireReader(message)
    guard let number: UInt32 = try? reader.take(), reader.isAtEnd, number > 0 else { return nil }
    return Int32(exactly: number)
  }
}
