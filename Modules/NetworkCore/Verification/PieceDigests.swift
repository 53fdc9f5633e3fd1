/// Compares the pieces of a file with their digests as the bytes go by in order; used by one thread at a time.
final class PieceDigests {
  private let pieces: PieceChecksums
  private var digest: RunningDigest?
  private var index = 0
  /// Bytes that the present piece still takes.
  private var room: UInt64
  private(set) var bad: [Int] = []

  init(_ pieces: PieceChecksums) {
    self.pieces = pieces
    room = pieces.length
  }

  /// Takes the next bytes; those behind the last piece are passed over.
  func update(_ bytes: UnsafeRawBufferPointer) throws(NetworkError) {
    var rest = unsafe bytes[...]
    while unsafe !rest.isEmpty, index < pieces.checksums.count {
      if digest == nil { digest = try RunningDigest(pieces.checksums[index].algorithm) }
      let count = unsafe Int(min(room, UInt64(rest.count)))
      unsafe digest?.update(UnsafeRawBufferPointer(rebasing: rest.prefix(count)))
      unsafe rest = unsafe rest.dropFirst(count)
      room -= UInt64(count)
      if room == 0 { try endPiece() }
    }
  }

  private func endPiece() throws(NetworkError) {
    guard let ended = digest.take() else { return }
    if try ended.finish() != pieces.checksums[index] { bad.append(index) }
    index += 1
    room = pieces.length
  }

  /// Ends the last piece.
  ///
  /// - Returns: The pieces that are not what they should be.
  /// - Throws: ``NetworkErrorCode/unknown`` when libcrypto has no memory.
  func finish() throws(NetworkError) -> [Int] {
    try endPiece()
    return bad
  }
}
