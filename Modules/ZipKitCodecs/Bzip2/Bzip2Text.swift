internal import ZipKitCore

/// Hands out the text of a block: every fourth byte in a row that is the same is followed by a count of more of them.
struct Bzip2Text {
  private static let runLength = 4

  let block: Bzip2Block
  /// The next byte to look at.
  private var place = 0
  /// Bytes up to here stand for themselves.
  private var plainEnd = 0
  /// Whether what follows them is a count.
  private var hasCount = false
  private var repeated: UInt8 = 0
  private var repeats = 0
  private var checksum: UInt32 = 0

  init(_ block: Bzip2Block) { self.block = block }

  /// Hands out as much as there is room for; true when all of it is out and its checksum held.
  mutating func deliver(into output: inout OutputRawSpan) throws(DecodeError) -> Bool {
    var isDone = false
    var failure: DecodeError?
    unsafe output.withUnsafeMutableBytes { target, used in
      let start = used
      // Safety: `used` stays within the target, and `place` within the block.
      while used < target.count {
        if repeats > 0 {
          let count = min(repeats, target.count - used)
          unsafe UnsafeMutableRawBufferPointer(rebasing: target[used..<(used + count)])
            .initializeMemory(as: UInt8.self, repeating: repeated)
          repeats -= count
          used += count
        } else if place < plainEnd {
          let count = min(plainEnd - place, target.count - used)
          unsafe UnsafeMutableRawBufferPointer(rebasing: target[used..<(used + count)])
            .copyMemory(from: UnsafeRawBufferPointer(start: block.bytes + place, count: count))
          place += count
          used += count
        } else if hasCount {
          guard place < block.count else {
            failure = .bzip2Codes()
            return
          }
          unsafe (repeated, repeats) = (block.bytes[place - 1], Int(block.bytes[place]))
          place += 1
          hasCount = false
        } else if place < block.count {
          (plainEnd, hasCount) = findRun()
        } else {
          break
        }
      }
      isDone = repeats == 0 && place == block.count && !hasCount
      let fresh = unsafe UnsafeRawBufferPointer(rebasing: target[start..<used])
      checksum = unsafe BlockChecksum.crc32(checksum, fresh.bytes)
    }
    if let failure { throw failure }
    if isDone, checksum != block.declaredChecksum {
      throw .bzip2Checksum(block.declaredChecksum, found: checksum)
    }
    return isDone
  }

  /// The end of the next four bytes that are the same, or of the block.
  private func findRun() -> (end: Int, isRun: Bool) {
    let bytes = unsafe UnsafeRawPointer(block.bytes)
    var at = place
    let (low, high): (UInt64, UInt64) = (0x0101_0101_0101_0101, 0x8080_8080_8080_8080)
    while at + Self.runLength <= block.count {
      // Of nine bytes, six may begin a run: a byte of `same` is zero where a byte is like the one behind it.
      while at + 9 <= block.count {
        let same =
          unsafe bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self)
          ^ bytes.loadUnaligned(fromByteOffset: at + 1, as: UInt64.self)
        let zeros = (same &- low) & ~same & high
        if zeros & zeros >> 8 & zeros >> 16 != 0 { break }
        at += 6
      }
      let end = min(at + 6, block.count - Self.runLength + 1)
      while at < end {
        let word = unsafe bytes.loadUnaligned(fromByteOffset: at, as: UInt32.self)
        if word == word << 8 | word & 0xFF { return (at + Self.runLength, true) }
        at += 1
      }
    }
    return (block.count, false)
  }
}
