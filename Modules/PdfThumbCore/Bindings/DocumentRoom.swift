internal import CPopplerGlib
internal import Glibc

/// Memory of a fixed size that a document and what is added behind it are written to.
///
/// It takes no memory before it is written to. Bytes lent as a document stay as they are as long as nobody writes to
/// their places.
@safe
final class DocumentRoom: @unchecked Sendable {
  // Safety: mapped by the initialiser and unmapped by `deinit`, or immortal; documents made of it hold a reference.
  private let base: UnsafeMutableRawPointer
  /// The number of bytes there is room for.
  let count: Int
  private let isBorrowed: Bool

  /// Reserves room, or returns `nil` when there is none.
  init?(count: Int) {
    guard count > 0,
      let base = unsafe mmap(
        nil, count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0),
      unsafe base != MAP_FAILED
    else { return nil }
    unsafe self.base = base
    self.count = count
    isBorrowed = false
  }

  /// Takes the room that a document has behind it, the document itself included; `nil` where it has less than that.
  init?(of bytes: borrowing DocumentBytes, behind least: Int) {
    guard let room = unsafe bytes.room, room.count >= least, let end = room.baseAddress
    else { return nil }
    unsafe base = end - bytes.count
    count = bytes.count + room.count
    isBorrowed = true
  }

  deinit { if !isBorrowed { unsafe munmap(base, count) } }

  /// Copies bytes in; `false` when they do not fit there.
  func store(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> Bool {
    guard offset >= 0, offset <= count, bytes.count <= count - offset else { return false }
    guard let start = bytes.baseAddress else { return true }
    unsafe (base + offset).copyMemory(from: start, byteCount: bytes.count)
    return true
  }

  /// The first bytes as a document, which keeps the room for as long as it lives.
  func document(count: Int) -> DocumentBytes? {
    guard (1...self.count).contains(count) else { return nil }
    let reference = unsafe Unmanaged.passRetained(self).toOpaque()
    let bytes = unsafe g_bytes_new_with_free_func(
      base, gsize(count),
      { reference in
        guard let reference = unsafe reference else { return }
        unsafe Unmanaged<DocumentRoom>.fromOpaque(reference).release()
      }, reference)
    guard let bytes = unsafe bytes else { return nil }
    return unsafe DocumentBytes(owning: bytes, count: count)
  }
}
