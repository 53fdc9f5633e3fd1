/// Waits until something is so, however slow the machine is, and gives up after a minute.
///
/// - Returns: Whether it came to be so.
package func eventually(_ isSo: () async throws -> Bool) async throws -> Bool {
  let limit = ContinuousClock.now + .seconds(60)
  while try await !isSo() {
    guard ContinuousClock.now < limit else { return false }
    try await Task.sleep(for: .milliseconds(5))
  }
  return true
}
