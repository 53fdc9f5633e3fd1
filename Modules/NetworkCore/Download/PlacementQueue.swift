import Synchronization
import SystemIO

/// Brings finished files to the disk and gives them their names, many with one wait for the disk.
///
/// No file gets its name before its data is synced. While the disk works on one group the next gathers,
/// so that a single file waits for nobody and thousands of small ones share few syncs. Each file system
/// has a queue of its own.
final class PlacementQueue: Sendable {
  private struct Job: Sendable {
    var book: DownloadBook
    var total: UInt64
    var completion: @Sendable (Result<String, TransferProblem>) -> Void
  }

  /// From so many files on, syncing the file system as a whole is less work than file by file.
  private static let groupThreshold = 4

  /// What waits, by device; an empty list is a queue that a thread works on.
  private let queues = Mutex<[UInt64: [Job]]>([:])

  /// Places the file of a download that is whole; returns its path.
  ///
  /// - Throws: `TransferProblem`, or `SystemError` when the system has no thread left.
  func place(_ book: DownloadBook, total: UInt64) async throws -> String {
    // A device has no name to get.
    guard let part = book.openPlace?.part else { return try book.giveName() }
    let device = part.device
    return try await withCheckedThrowingContinuation { continuation in
      let job = Job(book: book, total: total) { continuation.resume(with: $0) }
      guard add(job, device) else { return }
      do throws(SystemError) {
        try SpareThreads.shared.start { [self] in serve(device) }
      } catch {
        // What gathered behind it meanwhile cannot be placed either.
        for job in close(device) {
          job.completion(.failure(.file(.sync, path: "", SystemCode(rawValue: error.errno))))
        }
      }
    }
  }

  /// Returns whether a thread is needed.
  private func add(_ job: Job, _ device: UInt64) -> Bool {
    queues.withLock { queues in
      let isNew = queues[device] == nil
      queues[device, default: []].append(job)
      return isNew
    }
  }

  private func close(_ device: UInt64) -> [Job] {
    queues.withLock { $0.removeValue(forKey: device) ?? [] }
  }

  private func take(_ device: UInt64) -> [Job] {
    queues.withLock { queues in
      let jobs = queues[device] ?? []
      queues[device] = jobs.isEmpty ? nil : []
      return jobs
    }
  }

  private func serve(_ device: UInt64) {
    while true {
      let jobs = take(device)
      guard !jobs.isEmpty else { return }
      place(jobs)
    }
  }

  private func place(_ jobs: [Job]) {
    let sealed = each(jobs) { job throws(TransferProblem) in try job.book.seal(total: job.total) }
    var synced = sealed.map(\.job)
    if synced.count < Self.groupThreshold || !syncTogether(synced) {
      synced = each(synced) { job throws(TransferProblem) in try job.book.sync() }.map(\.job)
    }
    let named = each(synced) { job throws(TransferProblem) in try job.book.giveName() }
    // The names are as durable as the data before anybody hears of them.
    for directory in Set(named.map { Path.parent(of: $0.value) }) {
      // The data is safe under its old name; a directory that cannot be synced is no reason to fail.
      try? FileDescriptor.open(directory, [.directory]).sync()
    }
    for (job, path) in named { job.completion(.success(path)) }
  }

  /// Does a step for each; those that it does not work for are told and left out.
  private func each<Value>(
    _ jobs: [Job], _ step: (Job) throws(TransferProblem) -> Value
  ) -> [(job: Job, value: Value)] {
    jobs.compactMap { job in
      do throws(TransferProblem) {
        return (job, try step(job))
      } catch {
        job.completion(.failure(error))
        return nil
      }
    }
  }

  /// One call for all; when it does not work, syncing one by one tells whose data is lost.
  private func syncTogether(_ jobs: [Job]) -> Bool {
    guard let part = jobs.first?.book.openPlace?.part else { return false }
    return (try? part.syncFileSystem()) != nil
  }
}
