extension RawSpan {
  /// One byte; the index is checked.
  @inline(__always)
  func byte(at index: Int) -> UInt8 {
    // Safety: any byte is a UInt8, and `unsafeLoad` checks the offset.
    unsafe unsafeLoad(fromByteOffset: index, as: UInt8.self)
  }
}
