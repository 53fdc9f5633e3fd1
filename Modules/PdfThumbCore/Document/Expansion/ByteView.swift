/// Bytes read by their place; outside of them there are zeros, which PDF takes for white space.
@safe
struct ByteView {
  // Safety: whoever makes a view keeps the bytes alive for as long as it is used.
  private let raw: UnsafeRawBufferPointer

  @unsafe
  init(_ raw: UnsafeRawBufferPointer) { unsafe self.raw = raw }

  var count: Int { unsafe raw.count }

  @inline(__always)
  subscript(place: Int) -> UInt8 {
    unsafe UInt(bitPattern: place) < UInt(bitPattern: raw.count) ? raw[place] : 0
  }

  /// The bytes of a range, as far as they are there.
  subscript(range: Range<Int>) -> [UInt8] {
    unsafe Array(raw[range.clamped(to: 0..<raw.count)])
  }

  /// Whether the same bytes stand at a place.
  func has(_ word: StaticString, at place: Int) -> Bool {
    guard place >= 0, place <= count - word.utf8CodeUnitCount else { return false }
    for index in 0..<word.utf8CodeUnitCount
    where unsafe word.utf8Start[index] != raw[place + index] { return false }
    return true
  }

  /// Whether a range holds these bytes and no others.
  func equals(_ word: StaticString, in range: Range<Int>) -> Bool {
    range.count == word.utf8CodeUnitCount && has(word, at: range.lowerBound)
  }

  /// Lends the bytes of a range that lies within.
  func withBytes<R>(of range: Range<Int>, _ body: (UnsafeRawBufferPointer) -> R) -> R {
    unsafe body(UnsafeRawBufferPointer(rebasing: raw[range.clamped(to: 0..<raw.count)]))
  }
}
