internal import CLinux
import Glibc
import Synchronization

/// A POSIX thread of our own, for work that blocks.
///
/// Swift's cooperative pool has a thread a core; a blocked one is a core lost to every task.
package final class OwnedThread: Sendable {
  private final class Box: Sendable {
    let name: String
    let body: @Sendable () -> Void

    init(_ name: String, _ body: @escaping @Sendable () -> Void) {
      self.name = name
      self.body = body
    }

    func run() {
      // A thread names itself by one system call, another by a file below /proc.
      _ = unsafe clinux_name_thread(pthread_self(), name)
      body()
    }
  }

  private let handle: Mutex<pthread_t?>

  /// Starts a thread.
  ///
  /// - Parameters:
  ///   - name: Shown by `ps -T` and debuggers; cut to 15 bytes.
  ///   - stackSize: Bytes; 512 KiB unless said otherwise, or the C library's minimum if larger.
  ///   - body: What it does; the thread ends with it.
  /// - Throws: `EAGAIN` when the system has no thread left.
  package init(
    named name: String, stackSize: Int = 512 << 10, _ body: @escaping @Sendable () -> Void
  ) throws(SystemError) {
    var attributes = pthread_attr_t()
    unsafe pthread_attr_init(&attributes)
    defer { unsafe pthread_attr_destroy(&attributes) }
    unsafe pthread_attr_setstacksize(&attributes, max(stackSize, 64 << 10))
    // Safety: the box is retained here and released by the thread that it is given to.
    let box = unsafe Unmanaged.passRetained(Box(String(name.utf8.prefix(15)) ?? "courier", body))
    var thread = pthread_t()
    let status = unsafe pthread_create(
      &thread, &attributes,
      { argument in
        guard let argument = unsafe argument else { return nil }
        unsafe Unmanaged<Box>.fromOpaque(argument).takeRetainedValue().run()
        return nil
      }, box.toOpaque())
    guard status == 0 else {
      unsafe box.release()
      throw SystemError(errno: status, call: "pthread_create")
    }
    handle = Mutex(thread)
  }

  deinit {
    let thread = handle.withLock { $0.take() }
    if let thread { pthread_detach(thread) }
  }

  /// Waits for the end of the thread; blocks the caller, so not for the cooperative pool.
  package func join() {
    let thread = handle.withLock { $0.take() }
    if let thread { pthread_join(thread, nil) }
  }

  /// Runs blocking work on a thread of its own and waits for its result without blocking.
  ///
  /// - Parameters:
  ///   - name: Shown by `ps -T` and debuggers; cut to 15 bytes.
  ///   - stackSize: Bytes.
  ///   - abandonsWhenCancelled: Whether a cancelled task stops waiting, with `CancellationError`, while the
  ///     thread goes on; for work that nothing can stop.
  ///   - body: The work.
  /// - Returns: What the work returns.
  /// - Throws: What the work throws, or `EAGAIN` when the system has no thread left.
  package static func run<Value: Sendable>(
    named name: String, stackSize: Int = 512 << 10, abandonsWhenCancelled: Bool = false,
    _ body: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    let work = OneUse(body)
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        work.wait(continuation)
        do {
          _ = try OwnedThread(named: name, stackSize: stackSize) { work.run() }
        } catch {
          work.finish(.failure(error))
        }
      }
    } onCancel: {
      if abandonsWhenCancelled { work.finish(.failure(CancellationError())) }
    }
  }
}

/// Work that runs once, and whoever waits for it.
private final class OneUse<Value: Sendable>: Sendable {
  private struct State {
    var body: (@Sendable () throws -> Value)?
    var waiter: CheckedContinuation<Value, any Error>?
    /// An end that came before the wait began.
    var early: Result<Value, any Error>?
  }

  private let state: Mutex<State>

  init(_ body: @escaping @Sendable () throws -> Value) {
    state = Mutex(State(body: body))
  }

  func wait(_ continuation: CheckedContinuation<Value, any Error>) {
    let early = state.withLock { state in
      if state.early == nil { state.waiter = continuation }
      return state.early
    }
    if let early { continuation.resume(with: early) }
  }

  func run() {
    // What the work holds is let go of before anybody hears of its end: the process may exit then, and C
    // libraries be torn down.
    let result = Result { try state.withLock { $0.body.take() }.map { try $0() } }
    switch result {
    case .success(let value): if let value { finish(.success(value)) }
    case .failure(let error): finish(.failure(error))
    }
  }

  func finish(_ result: Result<Value, any Error>) {
    let waiter = state.withLock { state in
      let waiter = state.waiter.take()
      if waiter == nil, state.early == nil { state.early = result }
      return waiter
    }
    waiter?.resume(with: result)
  }
}
