internal import Synchronization
internal import SystemIO

/// Buffers that go round between a thread that fills them and one that empties them.
///
/// How many there are bounds the memory, and how far one thread gets ahead of the other.
final class BufferRing: Sendable {
  private struct State {
    var full: [(bytes: [UInt8], count: Int)] = []
    var empty: [[UInt8]]
    var isEnded = false
    var failure: ZipError?
  }

  private let state: Mutex<State>
  private let signal = ThreadSignal()

  /// Makes a ring; buffers are empty arrays at first, for the filling thread to make large.
  init(count: Int) {
    state = Mutex(State(empty: Array(repeating: [], count: count)))
  }

  /// Waits for a buffer to fill; nil when nothing is wanted any more.
  func takeEmpty() -> [UInt8]? {
    signal.wait(until: {
      state.withLock { state -> [UInt8]?? in
        if state.isEnded { return .some(nil) }
        return state.empty.popLast().map { .some($0) }
      }
    })
  }

  /// Hands over a buffer whose first `count` bytes count.
  func putFull(_ bytes: consuming [UInt8], count: Int) {
    let bytes = bytes
    state.withLock { $0.full.append((bytes, count)) }
    signal.notify()
  }

  /// Waits for a filled buffer; nil behind the last one.
  ///
  /// - Throws: What the ring was ended with, behind the last buffer.
  func takeFull() throws(ZipError) -> (bytes: [UInt8], count: Int)? {
    typealias Found = (taken: (bytes: [UInt8], count: Int)?, failure: ZipError?)
    let found = signal.wait(until: {
      state.withLock { state -> Found? in
        if !state.full.isEmpty { return (state.full.removeFirst(), nil) }
        return state.isEnded ? (nil, state.failure) : nil
      }
    })
    if let failure = found.failure { throw failure }
    return found.taken
  }

  /// Gives a buffer back.
  func putEmpty(_ bytes: consuming [UInt8]) {
    let bytes = bytes
    state.withLock { $0.empty.append(bytes) }
    signal.notify()
  }

  /// Says that nothing more is filled, or wanted; the first reason counts.
  func end(_ failure: ZipError? = nil) {
    state.withLock { state in
      state.isEnded = true
      if state.failure == nil { state.failure = failure }
    }
    signal.notify()
  }

  /// What the ring was ended with.
  var failure: ZipError? { state.withLock { $0.failure } }
}
