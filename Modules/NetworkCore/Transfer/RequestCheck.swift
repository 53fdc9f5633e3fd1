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
    if let file = settings.cookieJar { try checkJar(file) }
    if scheme == "file", let path = TransferURL.path(url) { try checkSource(path) }
  }

  /// libcurl answers a directory with an empty file and does not say why a file cannot be opened.
  private static func checkSource(_ path: String) throws(TransferProblem) {
    let plain = String(decoding: percentDecoded(Array(path.utf8)[...]), as: UTF8.self)
    do throws(SystemError) {
      if try FileSystem.status(plain).kind == .directory {
        throw SystemError(errno: SystemCode.isDirectory.rawValue, call: "open")
      }
      // A pipe would hold us up until somebody writes.
      _ = try FileDescriptor.open(plain, [.readOnly, .nonBlocking])
    } catch {
      throw .source(path: plain, SystemCode(rawValue: error.errno))
    }
  }

  /// libcurl writes the jar when all is over, and is silent where that does not work.
  private static func checkJar(_ path: String) throws(TransferProblem) {
    do throws(SystemError) {
      if FileSystem.exists(path) {
        _ = try FileDescriptor.open(path, .writeOnly)
      } else {
        _ = try FileDescriptor.open(Path.parent(of: path), [.writeOnly, .temporary], mode: 0o600)
      }
    } catch {
      let system = SystemCode(rawValue: error.errno)
      // Some file systems have no files without a name.
      if system == .notSupported, isWritable(path) { return }
      throw .file(.create, path: path, system)
    }
  }

  private static func isWritable(_ path: String) -> Bool {
    guard let file = try? FileDescriptor.open(path, [.writeOnly, .create], mode: 0o600) else {
      return false
    }
    _ = consume file
    return (try? FileSystem.unlink(path)) != nil
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
