import Glibc

extension FileSystem {
  /// Writes a small file under a temporary name beside the target and gives it its name when it is whole.
  ///
  /// - Parameters:
  ///   - bytes: What the file holds.
  ///   - path: The target; what stood there before is replaced in one step. A device or pipe is
  ///     written to as it is.
  ///   - mode: The permissions, before the process's mask.
  /// - Throws: The first call that did not work; the temporary file is gone then.
  package static func place(
    _ bytes: [UInt8], at path: String, mode: UInt32 = 0o666
  ) throws(SystemError) {
    if let kind = try? status(path).kind, kind != .regular, kind != .directory {
      let file = try FileDescriptor.open(path, [.writeOnly])
      try file.write(bytes)
      return try file.close()
    }
    let number = UInt32.random(in: .min ... .max)
    // Counted in bytes, as the file system does.
    let stem = String(decoding: Path.name(of: path).utf8.prefix(100), as: UTF8.self)
    let temporary = Path.join(Path.parent(of: path), ".\(stem).\(number)~")
    let file = try FileDescriptor.open(temporary, [.writeOnly, .create, .exclusive], mode: mode)
    do {
      try file.write(bytes)
      try file.close()
      try rename(temporary, to: path)
    } catch {
      try? unlink(temporary)
      throw error
    }
  }
}
