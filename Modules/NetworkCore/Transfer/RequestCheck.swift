import SystemIO

// Problems are thrown inside the module and become a `NetworkError` at its edge.
extension TransferProblem: Error {}

/// Looks at a request before anything is sent.
enum RequestCheck {
  static let schemes: Set = ["http", "https", "ftp", "ftps", "file"]

  /// Checks URL and local files of a request.
  static func check(_ url: String, _ settings: TransferSettings) throws(TransferProblem) {
    guard let scheme = TransferURL.scheme(url) else { throw .badURL(url) }
    guard schemes.contains(scheme) else { throw .unsupportedScheme(scheme) }
    if settings.httpsOnly, scheme == "http" || scheme == "ftp" { throw .insecureURL }
    for file in [
      settings.certificateAuthorities, settings.clientCertificate, settings.clientKey,
    ] {
      try checkReadable(file)
    }
    if let file = settings.cookieFile { try checkCookies(file) }
    // libcurl answers a directory with an empty file.
    guard scheme == "file", let path = TransferURL.path(url) else { return }
    let plain = String(decoding: percentDecoded(Array(path.utf8)[...]), as: UTF8.self)
    guard let status = try? FileSystem.status(plain), status.kind == .directory else { return }
    throw .file(.read, path: plain, .isDirectory)
  }

  private static func checkReadable(_ path: String?) throws(TransferProblem) {
    guard let path else { return }
    do {
      _ = try FileDescriptor.open(path)
    } catch {
      throw .certificateFile(path: path, SystemCode(rawValue: error.errno))
    }
  }

  private static func checkCookies(_ path: String) throws(TransferProblem) {
    let bytes: [UInt8]
    do {
      bytes = try FileDescriptor.open(path).readToEnd(limit: 64 << 20)
    } catch {
      throw .file(.open, path: path, SystemCode(rawValue: error.errno))
    }
    do {
      try CookieFile.check(bytes)
    } catch {
      throw .cookieFile(path: path, error)
    }
  }
}
