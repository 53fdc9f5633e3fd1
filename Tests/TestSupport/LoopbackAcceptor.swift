import Glibc
import Synchronization
import SystemIO

/// Accepts connections on a free port of loopback, each served on a thread of its own; all end with this object.
final class LoopbackAcceptor: Sendable {
  private struct State {
    var connections: [Int32] = []
    var count = 0
    var isStopped = false
  }

  private final class Shared: Sendable {
    let state = Mutex(State())
  }

  let port: UInt16
  private let listener: Int32
  private let shared = Shared()

  /// Starts to listen.
  ///
  /// - Parameters:
  ///   - name: What the threads are called.
  ///   - serve: Serves a connection, which is closed afterwards.
  /// - Throws: A system error where there is no port.
  init(named name: String, _ serve: @escaping @Sendable (Int32) -> Void) throws {
    (listener, port) = try Loopback.listen()
    let (listener, shared) = (listener, shared)
    _ = try OwnedThread(named: name) {
      while true {
        let connection = accept(listener, nil, nil)
        guard connection >= 0 else { break }
        let isWanted = shared.state.withLock { state in
          state.count += 1
          if !state.isStopped { state.connections.append(connection) }
          return !state.isStopped
        }
        guard isWanted else {
          Glibc.close(connection)
          break
        }
        _ = try? OwnedThread(named: name) {
          serve(connection)
          shared.state.withLock { $0.connections.removeAll { $0 == connection } }
          Glibc.close(connection)
        }
      }
      // Whoever else closed it would leave this thread with a number that is the next server's socket.
      Glibc.close(listener)
    }
  }

  deinit {
    shared.state.withLock { state in
      state.isStopped = true
      for connection in state.connections { shutdown(connection, Int32(SHUT_RDWR)) }
    }
    // The thread wakes up with an error, now or when it accepts next.
    shutdown(listener, Int32(SHUT_RDWR))
  }

  /// How many connections were made so far.
  var connectionCount: Int { shared.state.withLock { $0.count } }
}
