internal import SystemIO

/// Runs blocking work of this module on a thread of its own, as ``ZipError`` in all its troubles.
enum ZipThread {
  /// Waits without blocking; throws what the work throws, or `no-thread`.
  static func run<Value: Sendable>(
    named name: String, _ body: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    do {
      return try await OwnedThread.run(named: name, body)
    } catch let error as SystemError {
      throw ZipError.noThread(error)
    }
  }
}
