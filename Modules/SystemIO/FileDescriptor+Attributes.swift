internal import CLinux
import Glibc

// MARK: - Extended attributes

extension FileDescriptor {
  /// Sets an extended attribute, in place of one with its name.
  ///
  /// The corresponding C function is `fsetxattr`.
  /// - Throws: `EOPNOTSUPP` where the file system keeps none, `ENOSPC` and `E2BIG` where it has no room.
  package func setAttribute(_ name: String, _ value: [UInt8]) throws(SystemError) {
    try unsafe value.withUnsafeBytes { (bytes) -> Result<Void, SystemError> in
      Result { () throws(SystemError) in
        try systemCall("fsetxattr", path: name) {
          unsafe clinux_set_attribute(raw, name, bytes.baseAddress, bytes.count)
        }
      }
    }.get()
  }

  /// The value of an extended attribute, or `nil` where the file has none of that name.
  ///
  /// The corresponding C function is `fgetxattr`.
  package func attribute(_ name: String) throws(SystemError) -> [UInt8]? {
    // What the kernel allows for one value.
    var value = [UInt8](repeating: 0, count: 64 << 10)
    let count = value.count
    do {
      let size = try unsafe value.withUnsafeMutableBytes { (bytes) -> Result<Int, SystemError> in
        Result { () throws(SystemError) in
          try systemCall("fgetxattr", path: name) {
            unsafe clinux_get_attribute(raw, name, bytes.baseAddress, count)
          }
        }
      }.get()
      return Array(value[..<size])
    } catch  where error.errno == ENODATA {
      return nil
    }
  }
}
