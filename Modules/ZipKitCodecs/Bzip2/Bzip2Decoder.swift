internal import ZipKitCore

/// Method 12: bzip2, as described by the format's published specification and read by libbz2.
///
/// Reading the codes of a block and sorting its rotations back take about as long; with threads, the next
/// blocks are read while those before them are sorted. What comes out, and when, is the same either way.
final class Bzip2Decoder: EntryDecoder {
  private static let mostHelpers = 8

  private var reader = Bzip2Reader()
  private var transform: Bzip2Transform?
  private var threads: Bzip2Threads?
  private let helpers: Int
  /// Blocks that nothing is in.
  private var free: [Bzip2Block] = []
  private var madeCount = 0
  /// Without threads, blocks that were read.
  private var ready: [Bzip2Block] = []
  private var filling: Bzip2Block?
  private var given = 0
  private var text: Bzip2Text?
  /// How the stream ended: with a checksum, or by damage.
  private var end: Result<UInt32, DecodeError>?
  private var checksum: UInt32 = 0

  init(_ coding: EntryCoding) {
    helpers = coding.threads > 1 ? min(coding.threads - 1, Self.mostHelpers) : 0
  }

  deinit { threads?.stop() }

  /// A block each for the reading and the handing out, a block and a transform for each of those between.
  var memoryNeed: UInt64 {
    let between = max(helpers, 1)
    return UInt64(
      (between + 2) * Bzip2Block.capacity + between * Bzip2Transform.memory + 2 * HighBits.capacity)
  }

  func reset(for coding: EntryCoding) throws(DecodeError) -> Bool {
    guard helpers == 0, coding.threads <= 1 else { return false }
    reader.reset()
    free += ready
    if let filling { free.append(filling) }
    if let text { free.append(text.block) }
    ready = []
    (filling, text, end) = (nil, nil, nil)
    (given, checksum) = (0, 0)
    return true
  }

  func decode(
    _ input: RawSpan, isFinal: Bool, into output: inout OutputRawSpan
  ) throws(DecodeError) -> DecodeStep {
    reader.bits.begin()
    var used = 0
    while true {
      if text != nil {
        guard try deliver(into: &output) else {
          return DecodeStep(consumed: used - reader.bits.giveBack(), isFinished: false)
        }
        continue
      }
      if end == nil, let block = blockToFill() {
        if read(block) { continue }
        let taken = reader.bits.take(input.extracting(used...))
        used += taken
        if taken > 0 { continue }
        guard isFinal else { return DecodeStep(consumed: used, isFinished: false) }
      }
      if given > 0 {
        text = Bzip2Text(takeBlock())
        continue
      }
      guard let end else { return DecodeStep(consumed: used, isFinished: false) }
      let declared = try end.get()
      guard declared == checksum else { throw .bzip2Checksum(declared, found: checksum) }
      return DecodeStep(consumed: used - reader.bits.giveBack(), isFinished: true)
    }
  }

  private func deliver(into output: inout OutputRawSpan) throws(DecodeError) -> Bool {
    guard var current = text.take() else { return true }
    guard try current.deliver(into: &output) else {
      text = current
      return false
    }
    checksum = (checksum << 1 | checksum >> 31) ^ current.block.declaredChecksum
    free.append(current.block)
    return true
  }

  /// Reads on into a block; false when that needs more input.
  private func read(_ block: Bzip2Block) -> Bool {
    do throws(DecodeError) {
      switch try reader.read(into: block) {
      case .needsInput:
        filling = block
        return false
      case .block: giveBlock(block)
      case .end(let declared):
        free.append(block)
        end = .success(declared)
      }
    } catch {
      // The blocks before are handed out first.
      free.append(block)
      end = .failure(error)
    }
    return true
  }

  // MARK: Blocks

  private func blockToFill() -> Bzip2Block? {
    if let block = filling.take() ?? free.popLast() { return block }
    guard madeCount < (helpers == 0 ? 1 : helpers + 2) else { return nil }
    madeCount += 1
    return Bzip2Block()
  }

  private func giveBlock(_ block: Bzip2Block) {
    given += 1
    if helpers > 0, threads == nil { threads = Bzip2Threads(count: helpers) }
    if let threads { threads.give(block) } else { ready.append(block) }
  }

  private func takeBlock() -> Bzip2Block {
    given -= 1
    if let threads { return threads.take() }
    let block = ready.removeFirst()
    if transform == nil { transform = Bzip2Transform() }
    transform?.invert(block)
    return block
  }
}
