/// How a fax-coded image was coded (ISO 32000-1, table 11).
struct FaxParameters: Equatable {
  /// Below 0 two-dimensional coding (group 4), 0 one-dimensional, above 0 mixed.
  var k = 0
  /// The pixels of a row.
  var columns = 1728
  /// Whether each row begins at a whole byte.
  var isByteAligned = false
}

/// Reads fax-coded rows (ITU-T T.4 and T.6) and tells where each changes colour.
///
/// A row that is not as the recommendations say ends it, for what a damaged one should look like is the renderer's
/// to decide.
struct FaxDecoder {
  private let parameters: FaxParameters
  private let columns: Int32
  private let white = FaxCodes.white
  private let black = FaxCodes.black
  private let modes = FaxCodes.modes
  private var reader: BitReader
  private var current: [Int32] = []
  private var reference: [Int32] = []

  /// - Parameters:
  ///   - bytes: The coded rows; they outlive the decoder.
  ///   - parameters: At least 1 and at most 1,000,000 columns.
  @unsafe
  init(_ bytes: UnsafeRawBufferPointer, _ parameters: FaxParameters) {
    self.parameters = parameters
    columns = Int32(clamping: min(max(1, parameters.columns), 1_000_000))
    reader = unsafe BitReader(bytes)
  }

  /// Decodes rows in order.
  ///
  /// - Parameters:
  ///   - count: The number of rows.
  ///   - row: Gets where each row changes, first from white to black.
  /// - Returns: Whether all rows were there and sound.
  mutating func decode(rows count: Int, _ row: (Span<Int32>) -> Void) -> Bool {
    for _ in 0..<count {
      guard nextRow() else { return false }
      row(current.span)
      swap(&current, &reference)
    }
    return true
  }

  private mutating func nextRow() -> Bool {
    current.removeAll(keepingCapacity: true)
    if parameters.isByteAligned { reader.align() }
    if parameters.k >= 0 { reader.skipEndOfLine() }
    let isTwoDimensional: Bool
    if parameters.k > 0 {
      isTwoDimensional = reader.peek(1) == 0
      reader.skip(1)
    } else {
      isTwoDimensional = parameters.k < 0
    }
    return (isTwoDimensional ? readTwoDimensional() : readOneDimensional()) && !reader.isExhausted
  }

  private mutating func readOneDimensional() -> Bool {
    var position: Int32 = 0
    var isBlack = false
    while position < columns {
      guard let run = run(isBlack) else { return false }
      position += run
      guard position <= columns else { return false }
      current.append(position)
      isBlack.toggle()
    }
    return true
  }

  private mutating func readTwoDimensional() -> Bool {
    // a0, the place coding has come to; before the first pixel at first (T.6, 2.2.1).
    var position: Int32 = -1
    var isBlack = false
    var index = 0
    while position < columns {
      let entry = modes[reader.peek(FaxCodes.modeBits)]
      guard entry.bits > 0 else { return false }
      reader.skip(Int(entry.bits))
      // b1, the first change of the row above behind a0 to the colour that a0 has not.
      index = index & ~1 | (isBlack ? 1 : 0)
      while index >= 2, change(index - 2) > position { index -= 2 }
      while change(index) <= position, change(index) < columns { index += 2 }
      switch entry.value {
      case FaxCodes.Mode.pass: position = change(index + 1)
      case FaxCodes.Mode.horizontal:
        guard let first = run(isBlack), let second = run(!isBlack) else { return false }
        let start = max(0, position) + first
        position = start + second
        guard position <= columns else { return false }
        current.append(start)
        current.append(position)
      case let distance:
        let next = change(index) + Int32(distance)
        guard next <= columns, next > position || (next == 0 && position <= 0) else { return false }
        position = next
        current.append(next)
        isBlack.toggle()
      }
    }
    return true
  }

  /// Where the row above changes; at its end beyond the last change.
  private func change(_ index: Int) -> Int32 {
    index < reference.count ? reference[index] : columns
  }

  /// A run of one colour, made of any number of make-up codes and an ending one.
  private mutating func run(_ isBlack: Bool) -> Int32? {
    var total: Int32 = 0
    while true {
      let bits = reader.peek(FaxCodes.runBits)
      let entry = isBlack ? black[bits] : white[bits]
      guard entry.bits > 0 else { return nil }
      reader.skip(Int(entry.bits))
      total += Int32(entry.value)
      guard total <= columns else { return nil }
      if entry.value < 64 { return total }
    }
  }
}

/// Bits of memory, the highest of each byte first; zeros beyond its end.
@safe
struct BitReader {
  // Safety: whoever makes the reader keeps the bytes; every index is compared with their count.
  private let bytes: UnsafeRawBufferPointer
  private var position = 0
  private var buffer: UInt64 = 0
  private var count = 0

  @unsafe
  init(_ bytes: UnsafeRawBufferPointer) { unsafe self.bytes = bytes }

  /// Whether more bits were taken than there are.
  var isExhausted: Bool { unsafe position * 8 - count > bytes.count * 8 }

  /// The next bits, at most 24, without taking them.
  mutating func peek(_ wanted: Int) -> Int {
    if count < wanted { fill() }
    return Int(truncatingIfNeeded: buffer &>> UInt64(64 &- wanted))
  }

  /// Takes bits, at most as many as were looked at.
  mutating func skip(_ taken: Int) {
    buffer &<<= UInt64(taken)
    count &-= taken
  }

  /// Goes to the next whole byte.
  mutating func align() { skip(count & 7) }

  /// Passes over filling zeros and the code for the end of a line, where that comes next.
  mutating func skipEndOfLine() {
    var ahead = self
    var zeros = 0
    while ahead.peek(1) == 0, zeros < 4096, !ahead.isExhausted {
      ahead.skip(1)
      zeros += 1
    }
    guard zeros >= 11, !ahead.isExhausted else { return }
    ahead.skip(1)
    self = ahead
  }

  private mutating func fill() {
    while count <= 56 {
      let byte = unsafe position < bytes.count ? UInt64(bytes[position]) : 0
      buffer |= byte &<< UInt64(56 &- count)
      position &+= 1
      count &+= 8
    }
  }
}
