internal import CFontconfig

/// Where this process's fonts come from.
package enum FontPlaces {
  /// Reads the configuration and the caches of all fonts, as the first page with text would.
  ///
  /// - Returns: The files and directories that fontconfig may open later.
  package static func load() -> [String] {
    guard FcInit() != 0 else { return [] }
    return unsafe paths(FcConfigGetFontDirs(nil)) + paths(FcConfigGetCacheDirs(nil))
      + paths(FcConfigGetConfigFiles(nil))
  }

  /// Whether a font is there that has the letters of a language, as in `zh-cn`; `nil`: any font.
  static func hasFont(language: String?) -> Bool {
    guard let pattern = unsafe FcPatternCreate() else { return true }
    defer { unsafe FcPatternDestroy(pattern) }
    if let language {
      guard let languages = unsafe FcLangSetCreate() else { return true }
      defer { unsafe FcLangSetDestroy(languages) }
      // Safety: the pattern copies the set; C strings live for their call.
      unsafe language.withCString { text in
        unsafe text.withMemoryRebound(to: FcChar8.self, capacity: language.utf8.count + 1) {
          _ = unsafe FcLangSetAdd(languages, $0)
        }
      }
      guard unsafe FcPatternAddLangSet(pattern, FC_LANG, languages) != 0 else { return true }
    }
    guard let set = unsafe FcFontList(nil, pattern, nil) else { return true }
    defer { unsafe FcFontSetDestroy(set) }
    return unsafe set.pointee.nfont > 0
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
