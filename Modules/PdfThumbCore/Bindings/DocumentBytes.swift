internal import CPopplerGlib

/// The owner of one `GBytes`: a document's bytes, shared by the libraries that read it.
@safe
struct DocumentBytes: ~Copyable, @unchecked Sendable {
  private let raw: OpaquePointer
  /// The number of bytes.
  let count: Int
  // Safety: lives as long as the process; written to by the one owner that has it.
  /// Memory right behind the bytes that may be written to.
  @unsafe private(set) var room: UnsafeMutableRawBufferPointer?

  /// Copies the bytes.
  init(copying bytes: [UInt8]) {
    // Safety: g_bytes_new copies; it returns no null (glib aborts when memory runs out).
    unsafe raw = bytes.withUnsafeBytes { unsafe g_bytes_new($0.baseAddress, gsize($0.count)) }
    count = bytes.count
  }

  /// Copies the bytes.
  @unsafe
  init(copying bytes: UnsafeRawBufferPointer) {
    unsafe raw = g_bytes_new(bytes.baseAddress, gsize(bytes.count))
    count = bytes.count
  }

  /// Allocates `count` bytes and lets `fill` write them.
  ///
  /// - Throws: ``PDFError/Code/limitExceeded`` when the memory cannot be had; what `fill` throws.
  init(
    count: Int, fill: (UnsafeMutableRawBufferPointer) throws(PDFError) -> Void
  ) throws(PDFError) {
    guard count > 0 else {
      self.init(copying: [])
      return
    }
    guard let memory = unsafe g_try_malloc(gsize(count)) else {
      throw PDFError.tooManyBytes(UInt64(count), limit: 0)
    }
    do {
      try unsafe fill(UnsafeMutableRawBufferPointer(start: memory, count: count))
    } catch {
      unsafe g_free(memory)
      throw error
    }
    unsafe self.init(owning: g_bytes_new_take(memory, gsize(count)), count: count)
  }

  /// Uses memory that lives as long as the process, such as a mapping a worker never undoes.
  @unsafe
  init(immortal memory: UnsafeRawBufferPointer, room: UnsafeMutableRawBufferPointer? = nil) {
    unsafe raw = g_bytes_new_static(memory.baseAddress, gsize(memory.count))
    count = memory.count
    unsafe self.room = room
  }

  deinit {
    unsafe g_bytes_unref(raw)
  }

  /// Lends the C object for the time of the call.
  @unsafe
  func withHandle<R>(_ body: (OpaquePointer) -> R) -> R {
    unsafe body(raw)
  }

  /// Lends the bytes for the time of the call.
  func withBytes<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
    var size: gsize = 0
    let start = unsafe g_bytes_get_data(raw, &size)
    return unsafe body(UnsafeRawBufferPointer(start: start, count: Int(size)))
  }

  /// Another owner of the same bytes, but not of the room behind them.
  func share() -> DocumentBytes {
    unsafe DocumentBytes(owning: g_bytes_ref(raw), count: count)
  }

  @unsafe
  init(owning raw: OpaquePointer, count: Int) {
    unsafe self.raw = raw
    self.count = count
  }
}
