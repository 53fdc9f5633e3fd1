internal import CLibCurl

/// One `CURLU *`: libcurl's own reading of a URL, so that we never read one differently.
@safe
struct CurlURLHandle: ~Copyable {
  private let pointer: OpaquePointer

  /// Parses a URL; `nil` when it is malformed.
  init?(_ url: String) {
    guard let handle = unsafe curl_url() else { return nil }
    guard unsafe curl_url_set(handle, CURLUPART_URL, url, Self.flags) == CURLUE_OK else {
      unsafe curl_url_cleanup(handle)
      return nil
    }
    unsafe pointer = unsafe handle
  }

  private static let flags = UInt32(
    CURLU_NON_SUPPORT_SCHEME | CURLU_URLENCODE | CURLU_DEFAULT_SCHEME)

  deinit {
    unsafe curl_url_cleanup(pointer)
  }

  /// Replaces the URL by another, which may be relative to it.
  func set(_ url: String) -> Bool {
    unsafe curl_url_set(pointer, CURLUPART_URL, url, Self.flags) == CURLUE_OK
  }

  /// The whole, normalised.
  var url: String? { part(CURLUPART_URL) }
  /// The scheme in small letters.
  var scheme: String? { part(CURLUPART_SCHEME)?.lowercased() }
  /// The host in small letters.
  var host: String? { part(CURLUPART_HOST)?.lowercased() }
  /// The port, also where it is the scheme's own.
  var port: String? { part(CURLUPART_PORT, flags: UInt32(CURLU_DEFAULT_PORT)) }
  /// The user name.
  var user: String? { part(CURLUPART_USER) }
  /// The path, percent-encoded.
  var path: String? { part(CURLUPART_PATH) }

  private func part(_ part: CURLUPart, flags: UInt32 = 0) -> String? {
    var text: UnsafeMutablePointer<CChar>?
    guard unsafe curl_url_get(pointer, part, &text, flags) == CURLUE_OK,
      let text = unsafe text
    else { return nil }
    defer { unsafe curl_free(text) }
    return unsafe String(cString: text)
  }
}
