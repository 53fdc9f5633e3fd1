internal import CIsal

/// ISA-L's inflating, one stream after another.
///
/// It takes a third of the time that zlib takes. The checksum at a stream's end is not looked at, for poppler does not
/// either: what it draws are the bytes before that.
@safe
struct Inflater: ~Copyable {
  // Safety: allocated by the initialiser and freed by `deinit`; ISA-L keeps no pointers between calls that it follows.
  private let state: OpaquePointer
  /// What is left of the stream; whoever begins with one keeps it alive.
  private var rest = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
  private var chunk = [UInt8](repeating: 0, count: 1 << 16)
  /// Whether the stream came to its end.
  private(set) var isFinished = true

  /// Allocates its state, or returns `nil` when there is no memory.
  init?() {
    guard let state = unsafe cisal_inflate_new() else { return nil }
    unsafe self.state = state
  }

  deinit { unsafe cisal_inflate_free(state) }

  /// Begins with a zlib stream (RFC 1950).
  ///
  /// - Parameter packed: The stream, which outlives the reading of it; bytes behind its end do not matter.
  /// - Returns: Whether it looks like one.
  @unsafe
  mutating func begin(_ packed: UnsafeRawBufferPointer) -> Bool {
    guard packed.count > 2 else { return false }
    let (first, second) = unsafe (packed[0], packed[1])
    // Deflate with a window it may have, a check of these two bytes, and no dictionary.
    guard first & 15 == 8, first <= 0x78, (UInt16(first) << 8 | UInt16(second)) % 31 == 0,
      second & 0x20 == 0
    else { return false }
    unsafe cisal_inflate_reset(state)
    unsafe rest = UnsafeRawBufferPointer(rebasing: packed[2...])
    isFinished = false
    return true
  }

  /// Fills a buffer of less than 4 GiB with the next bytes.
  ///
  /// - Returns: The bytes written; fewer than there is room for at the end, and where the stream is damaged.
  mutating func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    var written = 0
    while !isFinished, written < buffer.count {
      var (consumed, produced, finished): (UInt32, UInt32, Int32) = (0, 0, 0)
      let status = unsafe cisal_inflate_step(
        state, rest.baseAddress?.assumingMemoryBound(to: UInt8.self), UInt32(clamping: rest.count),
        buffer.baseAddress?.advanced(by: written).assumingMemoryBound(to: UInt8.self),
        UInt32(clamping: buffer.count - written), 0, &consumed, &produced, &finished)
      unsafe rest = UnsafeRawBufferPointer(rebasing: rest[Int(consumed)...])
      written += Int(produced)
      isFinished = finished != 0
      if status < 0 || (consumed == 0 && produced == 0) { break }
    }
    return written
  }

  /// Adds the bytes of a zlib stream to others.
  ///
  /// - Parameters:
  ///   - packed: The stream; bytes behind its end do not matter.
  ///   - bytes: What is added to; as it was when there is an error.
  ///   - limit: The most bytes that are added.
  /// - Returns: Whether the stream is whole and its bytes are no more than that.
  mutating func expand(
    _ packed: UnsafeRawBufferPointer, into bytes: inout [UInt8], limit: Int
  ) -> Bool {
    let start = bytes.count
    guard unsafe begin(packed) else { return false }
    var chunk: [UInt8] = []
    swap(&chunk, &self.chunk)
    defer { swap(&chunk, &self.chunk) }
    while !isFinished {
      let count = unsafe chunk.withUnsafeMutableBytes { unsafe read(into: $0) }
      unsafe chunk.withUnsafeBytes { unsafe bytes.append(contentsOf: $0[..<count]) }
      guard bytes.count - start <= limit, isFinished || count == chunk.count else {
        bytes.removeLast(bytes.count - start)
        return false
      }
    }
    return true
  }
}
