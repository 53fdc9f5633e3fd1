/// Takes a gzip or deflate content coding off a body as it comes.
///
/// Unlike libcurl's own it insists on the trailer, and stops at bombs. Touched by one thread at a
/// time; its owner guards it.
package final class ContentDecoder: @unchecked Sendable {
  // Safety of Sendable: lives inside the mutex of the one receiver that owns it.

  /// More than this many bytes out are made only up to ``maximumRatio`` times what came in.
  package static let freeBytes: UInt64 = 64 << 20
  package static let maximumRatio: UInt64 = 200

  package let coding: String
  package private(set) var consumed: UInt64 = 0
  package private(set) var isComplete = false
  private var produced: UInt64 = 0
  private var handle: InflateHandle?
  private var buffer = [UInt8](repeating: 0, count: 128 << 10)

  /// Creates a decoder; `nil` for a coding that is not known.
  package init?(_ coding: String) {
    guard ["gzip", "x-gzip", "deflate"].contains(coding) else { return nil }
    self.coding = coding
  }

  /// Decodes some bytes and hands on what they become.
  package func decode(
    _ bytes: UnsafeRawBufferPointer,
    _ put: (UnsafeRawBufferPointer) throws(TransferProblem) -> Void
  ) throws(TransferProblem) {
    guard let first = unsafe bytes.first else { return }
    // "deflate" comes with zlib's wrapping and, from some servers, without.
    let isRaw = coding == "deflate" && first & 0x0F != 8
    handle = handle ?? InflateHandle(isRaw: isRaw)
    guard let handle else { throw .codingDamaged(coding, atEnd: false, offset: consumed) }
    var rest = unsafe bytes
    var hasMore = true
    while hasMore {
      if isComplete {
        // Another member of the gzip file.
        handle.reset()
        isComplete = false
      }
      let result = try unsafe inflate(rest, handle, put)
      consumed += UInt64(result.used)
      unsafe rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(result.used))
      switch result.step {
      case .needsRoom: continue
      case .ended:
        isComplete = true
        hasMore = unsafe !rest.isEmpty
      case .needsInput: return
      case .damaged(let atTrailer):
        throw .codingDamaged(coding, atEnd: atTrailer, offset: produced == 0 ? 0 : consumed)
      }
    }
  }

  private func inflate(
    _ bytes: UnsafeRawBufferPointer, _ handle: InflateHandle,
    _ put: (UnsafeRawBufferPointer) throws(TransferProblem) -> Void
  ) throws(TransferProblem) -> (step: InflateHandle.Step, used: Int, made: Int) {
    let result = unsafe buffer.withUnsafeMutableBytes { unsafe handle.step(bytes, into: $0) }
    produced += UInt64(result.made)
    let allowed = (consumed + UInt64(result.used)) * Self.maximumRatio
    guard produced <= max(Self.freeBytes, allowed) else { throw .expandsTooMuch(limit: allowed) }
    try unsafe buffer.withUnsafeBufferPointer { (plain) throws(TransferProblem) in
      try unsafe put(
        UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: plain.prefix(result.made))))
    }
    return result
  }
}
