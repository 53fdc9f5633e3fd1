import SystemIO
import TestSupport
import Testing

/// A server with a good file, a folder, and `fetch` between them.
struct FetchWorld {
  let folder: TemporaryDirectory
  let server: FaultServer
  /// What the server has under every path that the script does not answer itself.
  let body: [UInt8]

  init(
    _ body: [UInt8] = Array("the file\n".utf8),
    script: @escaping @Sendable (FaultServer.Request) -> [FaultServer.Step]? = { _ in nil }
  ) throws {
    folder = try TemporaryDirectory()
    self.body = body
    server = try FaultServer { script($0) ?? Self.serve(body, $0) }
  }

  /// Serves a body with ranges and a strong tag, as a good server does.
  static func serve(_ body: [UInt8], _ request: FaultServer.Request) -> [FaultServer.Step] {
    let fields = "ETag: \"v1\"\nAccept-Ranges: bytes\n"
    let isSame = request["if-range"].map { $0 == "\"v1\"" } ?? true
    guard let range = request.range, isSame, range.first < body.count else {
      return [.text("HTTP/1.1 200 OK\nContent-Length: \(body.count)\n\(fields)\n"), .send(body)]
    }
    let last = min(range.last ?? body.count - 1, body.count - 1)
    let length = last - range.first + 1
    return [
      .text(
        "HTTP/1.1 206 Partial\nContent-Range: bytes \(range.first)-\(last)/\(body.count)\n"
          + "Content-Length: \(length)\n\(fields)\n"), .send(Array(body[range.first...last])),
    ]
  }

  /// The head and the first bytes of the body, and then nothing.
  static func stuck(_ body: [UInt8], after count: Int) -> [FaultServer.Step] {
    [
      .text(
        "HTTP/1.1 200 OK\nContent-Length: \(body.count)\nETag: \"v1\"\nAccept-Ranges: bytes\n\n"),
      .send(Array(body.prefix(count))), .hang,
    ]
  }

  /// Runs `fetch`, which says nothing of its progress unless it is told to: whether it would depends on how long it takes.
  func run(_ arguments: String...) async throws -> BuiltProgram.Outcome {
    try await BuiltProgram.run("fetch", ["--progress", "none"] + arguments)
  }

  /// The names in the folder, sorted.
  var names: [String] { get throws { try FileSystem.names(in: folder.path).sorted() } }
}

/// Bytes that differ at every offset.
func pattern(_ count: Int) -> [UInt8] {
  (0..<count).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 11) }
}

/// The lines of an output.
func lines(_ text: String) -> [String] { text.split(separator: "\n").map(String.init) }

/// The value that stands under a name in a line of JSON, as it stands there.
func field(_ name: String, _ line: String) -> String? {
  guard let start = line.firstRange(of: "\"\(name)\":")?.upperBound else { return nil }
  let rest = line[start...]
  guard rest.first == "\"" else { return String(rest.prefix { $0 != "," && $0 != "}" }) }
  return String(rest.dropFirst().prefix { $0 != "\"" })
}

/// The names of a JSON line's fields, in their order.
func fieldNames(_ line: String) -> [String] {
  line.matches(of: /[{,]"([a-z_]+)":/).map { String($0.1) }
}
