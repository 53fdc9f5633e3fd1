import PdfThumbCore

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
    // Never freed, as the document demands.
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: file.count, alignment: 16)
    unsafe memory.copyBytes(from: file)
    try unsafe document.adopt(immortal: UnsafeRawBufferPointer(memory))
    return file
  }
}
