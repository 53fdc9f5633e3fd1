public import ZipKitCore

extension NameEncoding {
  /// A character set by a name that iconv knows, such as `CP866`, `GBK` or `ISO-8859-1`.
  ///
  /// Conversions may run on any number of threads.
  /// - Parameter charset: The name, in upper or lower case, as `iconv -l` lists it.
  /// - Returns: nil when the C library does not know the name.
  public static func charset(_ charset: String) -> NameEncoding? {
    guard IconvHandle(from: charset) != nil else { return nil }
    return NameEncoding(name: charset.uppercased()) { bytes in
      guard let handle = IconvHandle(from: charset) else { return nil }
      return handle.convert(bytes)
    }
  }
}
