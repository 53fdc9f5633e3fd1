internal import ZipKitCore

/// Methods 93 and 20 over libzstd: one frame, or several one after the other.
final class ZstdDecoder: EntryDecoder {
  private let handle: ZstdHandle
  private var compressedSize: UInt64
  private var consumed: UInt64 = 0
  private var isBetweenFrames = false
  /// Up to four bytes behind a frame: they may begin another one, however the input is cut.
  private var magic: [UInt8] = []
  private let windowLog: Int32

  init(_ coding: EntryCoding) throws(DecodeError) {
    // The decoder needs the window and about 300 KiB of tables and block buffers.
    let forWindow = coding.memoryLimit / 4 * 3
    let log = forWindow == 0 ? 0 : Int32(63 - forWindow.leadingZeroBitCount)
    guard log >= ZstdHandle.smallestWindowLog else {
      throw .memory("Zstandard", need: 1 << 20, limit: coding.memoryLimit)
    }
    windowLog = min(log, ZstdHandle.largestWindowLog)
    handle = try ZstdHandle(windowLog: windowLog)
    compressedSize = coding.compressedSize
  }

  var memoryNeed: UInt64 { handle.size }

  func reset(for coding: EntryCoding) throws(DecodeError) -> Bool {
    handle.reset()
    compressedSize = coding.compressedSize
    consumed = 0
    isBetweenFrames = false
    magic = []
    return true
  }

  func decode(
    _ input: RawSpan, isFinal: Bool, into output: inout OutputRawSpan
  ) throws(DecodeError) -> DecodeStep {
    var used = 0
    while true {
      if isBetweenFrames {
        // Frames may follow each other, but what follows the entry is not ours.
        while consumed < compressedSize, used < input.byteCount, magic.count < 4,
          mayBeginFrame
        {
          magic.append(input.byte(at: used))
          used += 1
          consumed += 1
        }
        guard mayBeginFrame, magic.count == 4 else {
          let isFinished = !mayBeginFrame || isFinal || consumed >= compressedSize
          return DecodeStep(consumed: used, isFinished: isFinished)
        }
        guard case .more = unsafe handle.step(magic.span.bytes, into: &output).outcome else {
          return DecodeStep(consumed: used, isFinished: true)
        }
        isBetweenFrames = false
        magic = []
      }
      let before = output.byteCount
      let (outcome, count) = handle.step(input.extracting(used...), into: &output)
      used += count
      consumed += UInt64(count)
      switch outcome {
      case .failed(let error): throw error
      case .endOfFrame: isBetweenFrames = true
      case .more:
        let isStuck = count == 0 && output.byteCount == before
        if isStuck || output.freeCapacity == 0 || used == input.byteCount {
          return DecodeStep(consumed: used, isFinished: false)
        }
      }
    }
  }

  /// Whether ``magic`` can be the beginning of a frame or of a skippable frame (RFC 8878, 3.1).
  private var mayBeginFrame: Bool {
    let frame: [ClosedRange<UInt8>] = [0x28...0x28, 0xB5...0xB5, 0x2F...0x2F, 0xFD...0xFD]
    let skippable: [ClosedRange<UInt8>] = [0x50...0x5F, 0x2A...0x2A, 0x4D...0x4D, 0x18...0x18]
    return [frame, skippable].contains { ranges in
      zip(ranges, magic).allSatisfy { $0.contains($1) }
    }
  }
}
