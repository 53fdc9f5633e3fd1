package import PdfThumbCore

/// Where the files of a run go.
package protocol ResultStore: Sendable {
  /// Keeps a file, whole or not at all.
  ///
  /// - Throws: ``PDFError/Code/writeFailed``.
  func write(_ bytes: [UInt8], to path: String) throws(PDFError)
}

/// Files on disk.
package struct DiskStore: ResultStore {
  package init() {}

  package func write(_ bytes: [UInt8], to path: String) throws(PDFError) {
    try ResultFile.write(bytes, to: path)
  }
}
