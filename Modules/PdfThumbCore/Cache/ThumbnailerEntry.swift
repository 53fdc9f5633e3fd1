internal import SystemIO

/// The file by which a desktop learns of this program as a thumbnailer of PDFs.
package enum ThumbnailerEntry {
  /// Where the user's desktop looks for it; `nil` where neither XDG_DATA_HOME nor HOME is a directory.
  package static var path: String? {
    let data = Environment["XDG_DATA_HOME"] ?? Environment["HOME"].map { $0 + "/.local/share" }
    guard let data, Path.isAbsolute(data) else { return nil }
    return data + "/thumbnailers/courier-thumbs.thumbnailer"
  }

  /// What stands in it, with the program that runs now.
  package static var text: String {
    let own = try? FileSystem.linkTarget("exe", in: FileDescriptor.open("/proc/self"))
    let program = own.map { String(decoding: $0, as: UTF8.self) } ?? "thumbs"
    return """
      [Thumbnailer Entry]
      TryExec=\(program)
      Exec=\(program) --thumbnailer -s %s %u %o
      MimeType=application/pdf;application/x-pdf;image/pdf;

      """
  }
}
