internal import CPopplerGlib

/// File URIs as glib writes them, which is how every desktop program names a file's thumbnail.
enum FileURI {
  /// The URI of a path, made absolute without following links (`g_filename_to_uri`).
  static func uri(of path: String) -> String? {
    guard let absolute = unsafe g_canonicalize_filename(path, nil) else { return nil }
    defer { unsafe g_free(absolute) }
    return unsafe string(taking: g_filename_to_uri(absolute, nil, nil))
  }

  /// The path of a `file:` URI, or `nil` when it is none of this machine (`g_filename_from_uri`).
  static func path(of uri: String) -> String? {
    var host: UnsafeMutablePointer<CChar>?
    let path = unsafe string(taking: g_filename_from_uri(uri, &host, nil))
    guard let host = unsafe string(taking: host), !host.isEmpty else { return path }
    let isOwn = unsafe host == "localhost" || host == String(cString: g_get_host_name())
    return isOwn ? path : nil
  }

  /// The MD5 sum of a text in lower-case hexadecimal digits.
  static func md5(_ text: String) -> String {
    unsafe string(taking: g_compute_checksum_for_string(G_CHECKSUM_MD5, text, -1)) ?? ""
  }
}
