// Checked little-endian loads: nil where the span is too short. Offsets come from counting, lengths
// from the archive; neither can trap.
extension RawSpan {
  @inline(__always)
  func byte(at offset: Int) -> UInt8? {
    guard offset >= 0, offset < byteCount else { return nil }
    return unsafe unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt8.self)
  }

  @inline(__always)
  func uint16(at offset: Int) -> UInt16? { load(at: offset) }

  @inline(__always)
  func uint32(at offset: Int) -> UInt32? { load(at: offset) }

  @inline(__always)
  func uint64(at offset: Int) -> UInt64? { load(at: offset) }

  @inline(__always)
  private func load<Value: FixedWidthInteger & BitwiseCopyable>(at offset: Int) -> Value? {
    let size = MemoryLayout<Value>.size
    guard offset >= 0, byteCount >= size, offset <= byteCount - size else { return nil }
    // Safety: the bounds were checked on the line above.
    return Value(
      littleEndian: unsafe unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: Value.self))
  }

  /// The range of bytes at an offset, or nil where it is not wholly inside; for `extracting(_:)`.
  @inline(__always)
  func range(at offset: Int, count: Int) -> Range<Int>? {
    guard offset >= 0, count >= 0, offset <= byteCount, count <= byteCount - offset else {
      return nil
    }
    return offset..<(offset + count)
  }

  /// A copy of the bytes.
  func array() -> [UInt8] {
    // Safety: the buffer is used inside the closure only.
    unsafe withUnsafeBytes { unsafe Array($0) }
  }

  /// Whether the same bytes stand here.
  func elementsEqual(_ other: RawSpan) -> Bool {
    guard byteCount == other.byteCount else { return false }
    return unsafe withUnsafeBytes { left in
      unsafe other.withUnsafeBytes { right in unsafe left.elementsEqual(right) }
    }
  }
}

extension UInt64 {
  /// The sum, or nil when it does not fit.
  @inline(__always)
  func adding(_ other: UInt64) -> UInt64? {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? nil : sum
  }
}
