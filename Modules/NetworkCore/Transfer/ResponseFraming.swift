/// How a response marks the end of its body.
///
/// Source: RFC 9112 section 6. Stricter than libcurl, which takes `1000x` for 1000, ignores lengths
/// beyond 64 bits, and believes the last of two lengths.
enum ResponseFraming: Equatable, Sendable {
  /// `Content-Length`.
  case length(UInt64)
  /// `Transfer-Encoding: chunked`, whose last chunk libcurl insists on.
  case chunked
  /// HTTP/2's end of stream.
  case stream
  /// The end of the connection.
  case close

  /// Reads the fields that frame a body.
  init(_ head: ResponseHead) throws(TransferProblem) {
    let codings = head.values(of: "transfer-encoding").flatMap { $0.split(separator: ",") }
      .map { $0.trimmingBlanks().lowercased() }.filter { $0 != "identity" }
    guard codings.allSatisfy({ $0 == "chunked" }) else {
      throw .badHeader("Transfer-Encoding: \(codings.joined(separator: ", "))")
    }
    // RFC 9112 section 6.3: chunked overrides a length.
    guard codings.isEmpty else {
      self = .chunked
      return
    }
    let length: UInt64?
    do {
      length = try ContentLength.parse(head.values(of: "content-length"))
    } catch {
      throw error.problem ?? .badContentLength(head["content-length"] ?? "")
    }
    if let length {
      self = .length(length)
    } else {
      self = head.version.hasPrefix("1") ? .close : .stream
    }
  }
}
