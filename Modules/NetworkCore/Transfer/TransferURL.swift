/// Questions about URLs, answered by libcurl's parser.
package enum TransferURL {
  /// The scheme in small letters, or `nil` for a malformed URL.
  static func scheme(_ url: String) -> String? {
    CurlURLHandle(url)?.scheme
  }

  /// The host in small letters.
  static func host(_ url: String) -> String? { CurlURLHandle(url)?.host }

  /// The path, still percent-encoded.
  static func path(_ url: String) -> String? { CurlURLHandle(url)?.path }

  /// Whether it holds a user name.
  static func hasUserInfo(_ url: String) -> Bool { CurlURLHandle(url)?.user != nil }

  /// Whether scheme, host and port are the same, so that secrets for one are secrets for the other.
  package static func isSameOrigin(_ left: String, _ right: String) -> Bool {
    if left == right { return true }
    guard let left = origin(left), let right = origin(right) else { return false }
    return left == right
  }

  private static func origin(_ url: String) -> [String]? {
    guard let handle = CurlURLHandle(url), let scheme = handle.scheme, let host = handle.host
    else { return nil }
    return [scheme, host, handle.port ?? ""]
  }

  /// The URL that a redirect leads to.
  ///
  /// - Throws: `.badRedirectTarget`, `.redirectRefused` for a scheme other than http and https,
  ///   `.insecureRedirect` for one that leaves https unasked.
  static func resolve(
    _ target: String, from base: String, _ settings: TransferSettings
  ) throws(TransferProblem) -> String {
    guard let handle = CurlURLHandle(base), handle.set(target),
      let url = handle.url, let scheme = handle.scheme
    else { throw .badRedirectTarget(target) }
    guard ["http", "https"].contains(scheme) else {
      throw .redirectRefused(scheme: scheme)
    }
    if scheme == "http", settings.httpsOnly { throw .insecureRedirect }
    if scheme == "http", TransferURL.scheme(base) == "https", !settings.allowsDowngrade {
      throw .insecureRedirect
    }
    return url
  }
}
