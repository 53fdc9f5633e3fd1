internal import CFontconfig

/// Where this process's fonts come from.
enum FontPlaces {
  /// Reads the configuration and the caches of all fonts, as the first page with text would.
  ///
  /// - Returns: The files and directories that fontconfig may open later.
  static func load() -> [String] {
    guard FcInit() != 0 else { return [] }
    return unsafe paths(FcConfigGetFontDirs(nil)) + paths(FcConfigGetCacheDirs(nil))
      + paths(FcConfigGetConfigFiles(nil))
  }

  /// Copies a list and frees it.
  @unsafe
  private static func paths(_ list: OpaquePointer?) -> [String] {
    guard let list = unsafe list else { return [] }
    defer { unsafe FcStrListDone(list) }
    var found: [String] = []
    while let text = unsafe FcStrListNext(list) {
      unsafe found.append(String(cString: text))
    }
    return found
  }
}
