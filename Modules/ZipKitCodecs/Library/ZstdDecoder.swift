internal import ZipKitCore

/// Methods 93 and 20 over libzstd: one frame, or several one after the other.
final class ZstdDecoder: EntryDecoder {
  private let handle: ZstdHandle
  private var compressedSize: UInt64
  private var consumed: UInt64 = 0
  /// Whether a frame was begun.
  private var hasFrame = false
  private var isBetweenFrames = true
  /// Up to four bytes that may begin a frame, however the input is cut.
  private var magic: [UInt8] = []
  private var frame = ZstdFrame()
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
    hasFrame = false
    isBetweenFrames = true
    magic = []
    frame = ZstdFrame()
    return true
  }

  func decode(
    _ input: RawSpan, isFinal: Bool, into output: inout OutputRawSpan
  ) throws(DecodeError) -> DecodeStep {
    var used = 0
    while true {
      if isBetweenFrames, !takesWhole(input.extracting(used...)) {
        used += gather(input.extracting(used...))
        // libzstd would take frames of its first versions, too, which no archive may hold.
        let isFrame = Self.mayBeginFrame(magic)
        guard isFrame || hasFrame else { throw .zstdMagic(magic) }
        guard isFrame, magic.count == 4,
          case .more = unsafe handle.step(magic.span.bytes, into: &output).outcome
        else {
          let isOver = !isFrame || magic.count == 4 || isFinal || consumed >= compressedSize
          return DecodeStep(consumed: used, isFinished: hasFrame && isOver)
        }
        unsafe frame.add(magic.span.bytes, holding: 0)
        magic = []
      }
      (hasFrame, isBetweenFrames) = (true, false)
      let before = output.byteCount
      let (outcome, count) = handle.step(input.extracting(used...), into: &output)
      frame.add(
        input.extracting(used..<used + count), holding: UInt64(output.byteCount - before))
      used += count
      consumed += UInt64(count)
      switch outcome {
      case .failed(let error): throw error
      case .endOfFrame:
        // The library looks after this, but not where a frame's last block is empty and it comes in pieces.
        if let declared = frame.declaredSize, declared != frame.size {
          throw .zstdSize(declared, frame.size)
        }
        frame = ZstdFrame()
        isBetweenFrames = true
      case .more:
        let isStuck = count == 0 && output.byteCount == before
        if isStuck || output.freeCapacity == 0 || used == input.byteCount {
          return DecodeStep(consumed: used, isFinished: false)
        }
      }
    }
  }

  /// Whether the input begins a frame and holds enough to say so: the library is quicker when it sees a frame whole.
  private func takesWhole(_ input: RawSpan) -> Bool {
    guard !hasFrame, magic.isEmpty, input.byteCount >= 4 else { return false }
    return Self.mayBeginFrame((0..<4).map { input.byte(at: $0) })
  }

  /// Takes bytes that may begin a frame, but none from behind the entry; returns how many.
  private func gather(_ input: RawSpan) -> Int {
    var count = 0
    while !hasFrame || consumed < compressedSize, count < input.byteCount, magic.count < 4,
      Self.mayBeginFrame(magic)
    {
      magic.append(input.byte(at: count))
      count += 1
      consumed += 1
    }
    return count
  }

  /// Whether bytes can be the beginning of a frame or of a skippable frame (RFC 8878, 3.1).
  private static func mayBeginFrame(_ bytes: [UInt8]) -> Bool {
    let frame: [ClosedRange<UInt8>] = [0x28...0x28, 0xB5...0xB5, 0x2F...0x2F, 0xFD...0xFD]
    let skippable: [ClosedRange<UInt8>] = [0x50...0x5F, 0x2A...0x2A, 0x4D...0x4D, 0x18...0x18]
    return [frame, skippable].contains { ranges in
      zip(ranges, bytes).allSatisfy { $0.contains($1) }
    }
  }
}
