/// A table of fixed length that nobody else holds, so that writing to it never has to find that out.
@safe
struct PpmdTable<Element: BitwiseCopyable>: ~Copyable {
  // Safety: allocated with `count` elements, all initialised, freed in deinit; places are checked.
  private let elements: UnsafeMutablePointer<Element>
  let count: Int

  init(repeating element: Element, count: Int) {
    self.count = count
    unsafe elements = .allocate(capacity: count)
    unsafe elements.initialize(repeating: element, count: count)
  }

  deinit { unsafe elements.deallocate() }

  @inline(__always)
  subscript(_ place: Int) -> Element {
    get {
      precondition(UInt(bitPattern: place) < UInt(bitPattern: count), "a place is in the table")
      return unsafe elements[place]
    }
    nonmutating set {
      precondition(UInt(bitPattern: place) < UInt(bitPattern: count), "a place is in the table")
      unsafe elements[place] = newValue
    }
  }

  /// Sets all elements.
  func fill(_ element: Element) { unsafe elements.update(repeating: element, count: count) }
}

/// Marks of bytes.
@safe
struct PpmdMarks: ~Copyable {
  // Safety: allocated with an element for each byte, all initialised, freed in deinit.
  private let marks: UnsafeMutablePointer<UInt32>

  init() {
    unsafe marks = .allocate(capacity: 256)
    unsafe marks.initialize(repeating: 0, count: 256)
  }

  deinit { unsafe marks.deallocate() }

  @inline(__always)
  subscript(_ byte: UInt8) -> UInt32 {
    get { unsafe marks[Int(byte)] }
    nonmutating set { unsafe marks[Int(byte)] = newValue }
  }

  func clear() { unsafe marks.update(repeating: 0, count: 256) }
}

/// The bytes and frequencies of a table of symbols, for as long as the memory they are in is not moved: a look, not more.
@safe
struct PpmdHeads {
  private static let stride = 6

  // Safety: the arena checks that all of the table is within it, and outlives the look.
  private let first: UnsafeRawPointer

  @unsafe
  init(_ first: UnsafeRawPointer) { unsafe self.first = unsafe first }

  /// The byte of a symbol and, above it, its frequency.
  @inline(__always)
  subscript(_ index: Int) -> UInt16 {
    unsafe first.loadUnaligned(fromByteOffset: index &* Self.stride, as: UInt16.self)
  }
}
