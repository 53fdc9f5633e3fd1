internal import ProgressReporting
internal import SystemIO

/// Where the pieces of a large entry go: a file that bears a temporary name.
final class FileSink {
  private let descriptor: FileDescriptor
  private let isSparse: Bool
  private let state: RunState
  private var converter: LineEndConverter?
  private var offset: UInt64 = 0

  /// Writes through somebody else's descriptor, which must outlive this.
  init(
    _ file: borrowing FileDescriptor, isSparse: Bool, convertsText: Bool, state: RunState
  ) {
    descriptor = FileDescriptor(borrowing: file.raw)
    self.isSparse = isSparse && !convertsText
    converter = convertsText ? LineEndConverter() : nil
    self.state = state
  }

  /// Writes a piece, counts it, and looks whether to go on.
  func write(_ bytes: RawSpan) throws(ZipError) {
    if state.isStopped { throw .cancelled() }
    try state.spend(UInt64(bytes.byteCount))
    do {
      if let converted = converter?.convert(bytes) {
        try descriptor.write(converted)
        state.meter.advance(by: UInt64(bytes.byteCount))
        return
      }
      let raw = descriptor.raw
      try unsafe bytes.withUnsafeBytes { (buffer) throws(SystemError) in
        let descriptor = FileDescriptor(borrowing: raw)
        if isSparse {
          try unsafe SparseWriter.write(buffer, to: descriptor, at: offset)
        } else {
          try unsafe descriptor.write(buffer)
        }
      }
    } catch {
      throw .placing(error)
    }
    offset += UInt64(bytes.byteCount)
    state.meter.advance(by: UInt64(bytes.byteCount))
  }
}
