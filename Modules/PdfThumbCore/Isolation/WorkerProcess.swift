internal import SystemIO

/// The parent's end of one worker process.
///
/// Everything it hears is judged before it is believed. Used by one thread at a time; the process
/// ends at the latest with this value.
struct WorkerProcess: ~Copyable, Sendable {
  /// What happened while waiting.
  enum Event: Sendable, Equatable {
    case reply(WireReply)
    case messages([UInt8])
    case woken
    case timeUp
    /// The worker closed its socket, or said something that no worker says.
    case lost(WireViolation?)
  }

  private let child: ChildProcess
  private let socket: MessageSocket
  private let output: FileDescriptor
  private var outputEnded = false

  /// Starts a worker; it warms up while the caller goes on.
  ///
  /// The kernel ends it when the calling thread ends, or the program for one that is forked, so that is a thread
  /// that lives as long as workers are used.
  static func start(_ origin: WorkerOrigin) throws(SystemError) -> WorkerProcess {
    let sockets = try MessageSocket.pair()
    let pipe = try FileDescriptor.pipe()
    if origin.mayFork,
      let child = WorkerLauncher.start(
        socket: sockets.far.descriptor.raw, messages: pipe.write.raw)
    {
      return WorkerProcess(
        child: child, socket: sockets.keepingNear(), output: pipe.keepingRead())
    }
    let nothing = try FileDescriptor.open("/dev/null", .readWrite)
    let child = try ChildProcess(
      path: origin.path,
      arguments: ["thumbnail-worker", ThumbnailWorker.argument, "\(Environment.processID)"],
      environment: environment(),
      descriptors: [
        nothing.raw, nothing.raw, pipe.write.raw, sockets.far.descriptor.raw,
      ])
    return WorkerProcess(
      child: child, socket: sockets.keepingNear(), output: pipe.keepingRead())
  }

  private init(
    child: consuming ChildProcess, socket: consuming MessageSocket,
    output: consuming FileDescriptor
  ) {
    self.child = child
    self.socket = socket
    self.output = output
  }

  /// What the worker needs to find fonts and libraries; nothing secret goes along.
  static let variables = [
    "HOME", "LANG", "LANGUAGE", "LC_ALL", "LC_CTYPE", "LD_LIBRARY_PATH", "LLVM_PROFILE_FILE",
    "FONTCONFIG_FILE", "FONTCONFIG_PATH", "FONTCONFIG_SYSROOT", "XDG_CACHE_HOME",
    "XDG_CONFIG_HOME", "XDG_DATA_HOME", "ASAN_OPTIONS", "TSAN_OPTIONS",
  ]

  private static func environment() -> [String] {
    let kept = variables.compactMap { name in Environment[name].map { "\(name)=\($0)" } }
    // The runtime's tracer of crashes would be a new process.
    return kept + ["SWIFT_BACKTRACE=enable=no", "TZ=UTC"]
  }

  /// Sends a request; one that does not go out at once means that the worker is stuck.
  func send(_ request: WireRequest, passing descriptor: Int32 = -1) throws(SystemError) {
    try socket.send(request.bytes, passing: descriptor, wait: false)
  }

  /// Waits for the next event, a reply before others.
  mutating func next(
    wake: Int32, timeout: Duration?
  ) throws(SystemError) -> Event {
    let ready = try Readiness.wait(
      for: [socket.descriptor.raw, outputEnded ? -1 : output.raw, wake], timeout: timeout)
    if ready[1] {
      let bytes = try readOutput()
      if !bytes.isEmpty { return .messages(bytes) }
    }
    if ready[0] { return receive() }
    return ready[2] ? .woken : .timeUp
  }

  private func receive() -> Event {
    guard let bytes = try? socket.receive(limit: WireReply.byteCount + 1), !bytes.isEmpty else {
      return .lost(nil)
    }
    do {
      return .reply(try WireReply(bytes))
    } catch {
      return .lost(error)
    }
  }

  private mutating func readOutput() throws(SystemError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 16 << 10)
    let count = try unsafe bytes.withUnsafeMutableBufferPointer {
      (buffer) throws(SystemError) -> Int in
      try unsafe output.read(into: UnsafeMutableRawBufferPointer(buffer))
    }
    if count == 0 { outputEnded = true }
    bytes.removeSubrange(count...)
    return bytes
  }

  /// What is left of its messages after its end, at most one buffer.
  private mutating func rest() -> [UInt8] {
    guard !outputEnded,
      let ready = try? Readiness.wait(for: [output.raw], timeout: .zero), ready[0]
    else { return [] }
    return (try? readOutput()) ?? []
  }

  /// Ends it and tells how it had ended, with what it said last.
  ///
  /// - Parameter grace: A worker that closed its socket is about to end by itself, and its own
  ///   reason says more than `SIGKILL`; how long to wait for that.
  /// - Returns: Its end, and messages not read yet.
  consuming func end(grace: Duration) -> (result: ChildProcess.Result, lastMessages: [UInt8]) {
    let lastMessages = rest()
    return (child.endAfter(grace: grace), lastMessages)
  }

  var processorTime: Duration? { child.processorTime }
  var residentMemory: UInt64? { child.residentMemory }

  /// Lets it have that much more address space than it has now.
  func limitAddressSpace(toGrowBy count: UInt64) { child.limitAddressSpace(toGrowBy: count) }

  /// Lets the kernel end it when it has used that much more processor time.
  func limitProcessorTime(toGrowBy time: Duration) {
    guard let used = child.processorTime else { return }
    child.limitProcessorTime(toSeconds: UInt64(clamping: (used + time).components.seconds + 2))
  }
}
