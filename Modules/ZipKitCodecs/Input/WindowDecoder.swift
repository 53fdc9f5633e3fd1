internal import ZipKitCore

/// What a method's decoding came to.
enum StepOutcome {
  /// The window has no more room.
  case full
  /// The next step would need more input.
  case needsInput
  /// The stream is at its end; asked again, it is still there.
  case atEnd
}

/// A compression method that reads bits and copies from what it wrote.
protocol WindowMethod {
  /// The method's name in errors.
  static var name: String { get }
  /// The farthest distance a match may go back.
  static var reach: Int { get }

  init(_ coding: EntryCoding)

  /// Decodes until the window has no room, the input ends, or the stream does.
  mutating func decode(
    _ input: inout BitInput, _ window: inout HistoryWindow
  ) throws(DecodeError) -> StepOutcome
}

/// The frame of a decoder of our own: feeding, waiting, delivering.
final class WindowDecoder<Method: WindowMethod>: EntryDecoder {
  private var input = BitInput()
  private var window = HistoryWindow(reach: Method.reach)
  private var method: Method

  init(_ method: Method) { self.method = method }

  convenience init(_ coding: EntryCoding) { self.init(Method(coding)) }

  /// The store, the window and, with room to spare, the tables of codes.
  var memoryNeed: UInt64 { UInt64(BitInput.capacity) + window.memory + (64 << 10) }

  func reset(for coding: EntryCoding) throws(DecodeError) -> Bool {
    input.reset()
    window.reset()
    method = Method(coding)
    return true
  }

  func decode(
    _ source: RawSpan, isFinal: Bool, into output: inout OutputRawSpan
  ) throws(DecodeError) -> DecodeStep {
    input.begin(source)
    while true {
      window.deliver(into: &output)
      if window.isWaiting {
        return DecodeStep(consumed: input.finish(waits: false), isFinished: false)
      }
      let outcome = try method.decode(&input, &window)
      window.deliver(into: &output)
      if window.isWaiting || outcome == .full { continue }
      if outcome == .atEnd {
        return DecodeStep(consumed: input.finish(waits: false), isFinished: true)
      }
      // The store is larger than any step, so it is the input that is short.
      if isFinal && input.holdsAll(of: source) { throw .endsEarly(Method.name, at: input.offset) }
      return DecodeStep(consumed: input.finish(waits: true), isFinished: false)
    }
  }
}
