internal import SystemIO

/// Result files: whole or not there at all.
package enum ResultFile {
  /// Writes a file, making the directories that it lacks.
  package static func write(_ bytes: [UInt8], to path: String) throws(PDFError) {
    do {
      let parent = Path.parent(of: path)
      if !FileSystem.exists(parent) { try FileSystem.makeDirectories(parent) }
      try FileSystem.place(bytes, at: path)
    } catch {
      throw PDFError(
        code: .writeFailed, message: "expected to write the file '\(path)'", cause: error.reason)
    }
  }
}
