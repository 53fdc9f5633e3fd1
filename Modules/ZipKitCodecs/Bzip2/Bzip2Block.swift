/// One block of a bzip2 stream: first what its codes say, then, transformed back, its text.
@safe
final class Bzip2Block: @unchecked Sendable {
  // Safety: used by one thread at a time; whoever hands it on has locked and unlocked a mutex.

  /// Bytes of the largest block.
  static let capacity = 900_000

  // Safety: allocated with `capacity` bytes, freed in deinit; `count <= capacity`.
  let bytes: UnsafeMutablePointer<UInt8>
  /// Bytes in use.
  var count = 0
  /// The row of the sorted rotations that is the text.
  var origin = 0
  /// The checksum that the stream has for what comes out of this block.
  var declaredChecksum: UInt32 = 0

  init() { unsafe bytes = .allocate(capacity: Self.capacity) }

  deinit { unsafe bytes.deallocate() }
}
