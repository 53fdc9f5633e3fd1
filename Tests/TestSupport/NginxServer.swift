import Glibc
import SystemIO

/// Debian's nginx with a configuration of its own, on a free port, stopped when this value's life
/// ends.
package final class NginxServer: Sendable {
  /// Where the server looks for files.
  package let root: TemporaryDirectory
  package let port: UInt16
  private let isSecure: Bool
  private let work: TemporaryDirectory
  private let child: ChildProcess

  /// Where the program is, or `nil` where it is not installed.
  package static let program: String? = ["/usr/sbin/nginx", "/usr/local/sbin/nginx"].first {
    FileSystem.exists($0)
  }

  /// Starts a server.
  ///
  /// - Parameters:
  ///   - location: Lines for `location / { … }`, such as `limit_rate 1m;`.
  ///   - identity: Makes it speak TLS, and HTTP/2 with those who can.
  /// - Throws: A system error where it does not start.
  package init(location: String = "", identity: ServerIdentity? = nil) throws {
    guard let program = Self.program else {
      throw SystemError(errno: ENOENT, call: "nginx")
    }
    (root, work) = (try TemporaryDirectory(), try TemporaryDirectory())
    port = try Loopback.closedPort()
    // nginx drops its rights when root starts it.
    for directory in [root, work] { unsafe chmod(directory.path, 0o777) }
    let w = work.path
    isSecure = identity != nil
    var secure = ""
    if let identity {
      try work.write("certificate", identity.pem())
      try work.write("key", identity.keyPEM())
      secure = "ssl_certificate \(w)/certificate; ssl_certificate_key \(w)/key;"
    }
    let kind = isSecure ? " ssl http2" : ""
    let configuration = try work.write(
      "nginx.conf",
      text: """
        worker_processes 1; daemon off; master_process off; pid \(w)/pid; error_log \(w)/errors;
        events { worker_connections 256; }
        http {
          log_format plain '$request_method $uri $status $body_bytes_sent $http_range $server_protocol';
          sendfile on; access_log \(w)/access plain;
          client_body_temp_path \(w)/a; proxy_temp_path \(w)/b; fastcgi_temp_path \(w)/c;
          uwsgi_temp_path \(w)/d; scgi_temp_path \(w)/e;
          server { listen 127.0.0.1:\(port)\(kind); \(secure) root \(root.path); location / { \(location) } }
        }
        """)
    let nothing = try FileDescriptor.open("/dev/null", [.readWrite])
    child = try ChildProcess(
      path: program, arguments: ["nginx", "-c", configuration, "-e", "\(w)/errors"],
      environment: ["PATH=/usr/bin:/bin"], descriptors: [nothing.raw, nothing.raw, nothing.raw])
    guard Loopback.isServed(port, by: child) else {
      throw SystemError(errno: ETIMEDOUT, call: "nginx")
    }
  }

  /// The URL of a file below the root.
  package func url(_ name: String) -> String {
    "http\(isSecure ? "s" : "")://127.0.0.1:\(port)/\(name)"
  }

  /// What was served: method, path, status, bytes and range of each request.
  package var log: [String] {
    let bytes = (try? work.read("access")) ?? []
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  /// Body bytes of all responses.
  package var servedBytes: Int {
    log.reduce(0) { $0 + (Int($1.split(separator: " ").dropFirst(3).first ?? "") ?? 0) }
  }
}
