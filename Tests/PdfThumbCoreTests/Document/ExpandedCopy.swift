import PdfThumbCore
import Synchronization

/// Documents drawn from copies of themselves whose streams are expanded.
enum ExpandedCopy {
  /// Makes a copy and lets the document be drawn from it, where there is one; returns its bytes.
  static func make(of document: inout PDFDocument) throws -> [UInt8] {
    var file: [UInt8] = []
    _ = unsafe document.expand { bytes in
      unsafe file = Array(bytes)
      return true
    }
    guard !file.isEmpty else { return [] }
    try unsafe document.adopt(immortal: immortal(file))
    return file
  }

  // Safety: addresses of memory that is never freed; remembered, so that it counts as kept and not as lost.
  private static let kept = Mutex<[UInt]>([])

  /// Copies bytes to where they stay for ever, as documents demand that are drawn from them.
  static func immortal(_ bytes: [UInt8]) -> UnsafeRawBufferPointer {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 16)
    unsafe memory.copyBytes(from: bytes)
    let address = UInt(bitPattern: memory.baseAddress)
    kept.withLock { $0.append(address) }
    return UnsafeRawBufferPointer(memory)
  }
}
