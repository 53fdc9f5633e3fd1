import ProgressReporting
import SystemIO

/// A file that stands under the name of a download, and may be the very one that is wanted.
struct ExistingFile: Sendable {
  var path: String
  var options: DownloadOptions
  var cancellation: WorkCancellation

  /// Compares it with the size and the checksums that the caller expects; blocks.
  ///
  /// - Returns: What was compared, for people; `nil` where the caller expects nothing.
  /// - Throws: ``NetworkError`` naming the file, or `CancellationError`.
  func verify() throws -> String? {
    guard options.expectedSize != nil || !options.checksums.isEmpty else { return nil }
    var expected = ExpectedDigests()
    expected.add(options.checksums, from: DownloadBook.caller)
    let (size, digests) = try read(expected.algorithms)
    if let wanted = options.expectedSize, wanted != size {
      throw error(.sizeDiffers(expected: wanted, found: size))
    }
    if let problem = expected.mismatch(digests) {
      // Who only wants a free name hears that it is taken.
      throw error(options.existing == .fail ? .targetExists(path: path) : problem)
    }
    return expected.items.isEmpty ? DownloadBook.lengthCheck : expected.summary
  }

  private func error(_ problem: TransferProblem) -> NetworkError {
    var error = NetworkError(problem).during(url: nil, phase: .verification)
    error.path = path
    return error
  }

  private func read(_ algorithms: Set<DigestAlgorithm>) throws -> (UInt64, [Checksum]) {
    do {
      let file = try FileDescriptor.open(path)
      // A size tells without a byte being read.
      guard !algorithms.isEmpty else { return (try file.status().size, []) }
      let digests = try DigestSet(algorithms)
      var size: UInt64 = 0
      var buffer = [UInt8](repeating: 0, count: 512 << 10)
      while true {
        try cancellation.check()
        let count = try unsafe buffer.withUnsafeMutableBytes { bytes in
          let count = try unsafe file.read(into: bytes)
          unsafe digests.update(UnsafeRawBufferPointer(rebasing: bytes.prefix(count)))
          return count
        }
        if count == 0 { return (size, try digests.finish()) }
        size += UInt64(count)
      }
    } catch let failure as SystemError {
      throw error(.file(.read, path: path, SystemCode(rawValue: failure.errno)))
    }
  }
}
