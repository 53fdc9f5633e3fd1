// Calls that read as URLSession's do, so that code which downloads through it changes its session and no more.
public import Foundation
public import FoundationNetworking
public import NetworkCore

/// The calls of `URLSession` that fetch something, with its argument labels, results and errors.
///
/// What differs: a status that does not bring the content (404, 500) is an error, not a response; the file is
/// whole and checked, or there is an error; retries go on where the transfer broke off; URLs in responses and
/// errors hold no secrets. Delegates, uploads, caches and methods other than GET are not there.
///
/// Errors are `URLError`, as `NetworkError.nsError` describes them, cancellation included.
extension NetworkSession {
  /// Downloads to a file in the temporary directory, which is the caller's from then on.
  ///
  /// - Parameters:
  ///   - url: What to download.
  ///   - options: How it is done.
  /// - Returns: Where the file is, and the response.
  /// - Throws: `URLError`; under `NSURLSessionDownloadTaskResumeData` its `userInfo` has the `Data` to go
  ///   on with, where something came and stays.
  public func download(
    from url: URL, options: DownloadOptions = DownloadOptions()
  ) async throws -> (URL, URLResponse) {
    try await download(for: URLRequest(url: url), options: options)
  }

  /// Downloads to a file in the temporary directory, which is the caller's from then on.
  ///
  /// - Parameters:
  ///   - request: What to download, with its header fields and time-out; a `GET` without a body.
  ///   - options: How it is done.
  /// - Returns: Where the file is, and the response.
  /// - Throws: As ``download(from:options:)``.
  public func download(
    for request: URLRequest, options: DownloadOptions = DownloadOptions()
  ) async throws -> (URL, URLResponse) {
    var options = options
    let url = try options.transfer.take(request)
    let name = "courier-\(UUID().uuidString).download"
    let path = FileManager.default.temporaryDirectory.appendingPathComponent(name).path
    return try await finish(
      downloadTask(url.absoluteString, to: .file(path), options: options), url)
  }

  /// Goes on with a download that broke off or was cancelled, also one of another process.
  ///
  /// - Parameters:
  ///   - resumeData: What the error had under `NSURLSessionDownloadTaskResumeData`, or the bytes of a
  ///     `ResumeData`.
  ///   - options: How it is done.
  /// - Returns: Where the file is, and the response.
  /// - Throws: As ``download(from:options:)``.
  public func download(
    resumeFrom resumeData: Data, options: DownloadOptions = DownloadOptions()
  ) async throws -> (URL, URLResponse) {
    do {
      let data = try ResumeData([UInt8](resumeData))
      guard let url = URL(string: data.url) else { throw URLError(.badURL) }
      return try await finish(downloadTask(resuming: data, options: options), url)
    } catch {
      throw URLError(error)
    }
  }

  private func finish(_ task: DownloadTask, _ url: URL) async throws -> (URL, URLResponse) {
    do {
      let report = try await withTaskCancellationHandler {
        try await task.result()
      } onCancel: {
        task.cancel()
      }
      let response = URLResponse.make(report.head, report.url, for: url, report.byteCount)
      return (URL(fileURLWithPath: report.path), response)
    } catch {
      throw URLError(error, resumeData: await task.resumeData().map { Data($0.bytes) })
    }
  }

  /// Reads a body into memory.
  ///
  /// - Parameters:
  ///   - url: What to read.
  ///   - settings: How the request is made.
  /// - Returns: The body and the response.
  /// - Throws: `URLError`.
  public func data(
    from url: URL, settings: TransferSettings = TransferSettings()
  ) async throws -> (Data, URLResponse) {
    try await data(for: URLRequest(url: url), settings: settings)
  }

  /// Reads a body into memory.
  ///
  /// - Parameters:
  ///   - request: What to read, with its header fields and time-out; a `GET` without a body.
  ///   - settings: How the request is made.
  /// - Returns: The body and the response.
  /// - Throws: `URLError`.
  public func data(
    for request: URLRequest, settings: TransferSettings = TransferSettings()
  ) async throws -> (Data, URLResponse) {
    let (stream, response) = try await open(request, settings)
    var data = Data()
    do {
      for try await chunk in stream { data.append(contentsOf: chunk) }
    } catch {
      throw URLError(error)
    }
    return (data, response)
  }

  /// Reads a body byte by byte as it comes; the server waits while the reader is busy.
  ///
  /// - Parameters:
  ///   - url: What to read.
  ///   - settings: How the request is made.
  /// - Returns: The bytes to come and the response.
  /// - Throws: `URLError`, as does reading the bytes.
  public func bytes(
    from url: URL, settings: TransferSettings = TransferSettings()
  ) async throws -> (AsyncBytes, URLResponse) {
    try await bytes(for: URLRequest(url: url), settings: settings)
  }

  /// Reads a body byte by byte as it comes; the server waits while the reader is busy.
  ///
  /// - Parameters:
  ///   - request: What to read, with its header fields and time-out; a `GET` without a body.
  ///   - settings: How the request is made.
  /// - Returns: The bytes to come and the response.
  /// - Throws: `URLError`, as does reading the bytes.
  public func bytes(
    for request: URLRequest, settings: TransferSettings = TransferSettings()
  ) async throws -> (AsyncBytes, URLResponse) {
    let (stream, response) = try await open(request, settings)
    return (AsyncBytes(stream), response)
  }

  private func open(
    _ request: URLRequest, _ settings: TransferSettings
  ) async throws -> (ByteStream, URLResponse) {
    var settings = settings
    let url = try settings.take(request)
    do {
      let stream = try await bytes(from: url.absoluteString, settings: settings)
      return (stream, .make(stream.head, stream.url, for: url, stream.length))
    } catch {
      throw URLError(error)
    }
  }

  /// The bytes of a body, one by one.
  public struct AsyncBytes: AsyncSequence, Sendable {
    /// A byte.
    public typealias Element = UInt8

    private let stream: ByteStream

    init(_ stream: ByteStream) { self.stream = stream }

    /// Makes the one reader.
    public func makeAsyncIterator() -> Iterator { Iterator(stream.makeAsyncIterator()) }

    /// Reads byte after byte.
    public struct Iterator: AsyncIteratorProtocol {
      private var chunks: ByteStream.Iterator
      private var chunk: ArraySlice<UInt8> = []

      init(_ chunks: ByteStream.Iterator) { self.chunks = chunks }

      /// The next byte, or `nil` at the end of a body that came whole.
      ///
      /// - Throws: `URLError` when it did not, or was cancelled.
      public mutating func next() async throws -> UInt8? {
        if let byte = chunk.popFirst() { return byte }
        do {
          guard let next = try await chunks.next() else { return nil }
          chunk = next[...]
        } catch {
          throw URLError(error)
        }
        return chunk.popFirst()
      }
    }
  }
}

extension TransferSettings {
  /// Takes over what a request says.
  ///
  /// - Returns: Its URL.
  fileprivate mutating func take(_ request: URLRequest) throws(URLError) -> URL {
    guard let url = request.url else { throw URLError(.badURL) }
    // Nothing of a request is left out without a word.
    guard (request.httpMethod ?? "GET").uppercased() == "GET", request.httpBody == nil,
      request.httpBodyStream == nil
    else { throw URLError(.unsupportedURL) }
    for (name, value) in (request.allHTTPHeaderFields ?? [:]).sorted(by: { $0.key < $1.key }) {
      fields.append(.init(name: name, value: value))
    }
    // URLRequest's own default is as patient as ours.
    if request.timeoutInterval != 60 {
      responseTimeout = .seconds(request.timeoutInterval)
      stallTimeout = .seconds(request.timeoutInterval)
    }
    return url
  }
}

extension URLResponse {
  /// The response behind a head.
  ///
  /// Its URL is the one asked for where no redirect led elsewhere, else the last one without secrets.
  fileprivate static func make(
    _ head: ResponseHead?, _ last: String, for asked: URL, _ length: UInt64?
  ) -> URLResponse {
    let isAsked = NetworkError.shownURL(asked.absoluteString) == last
    let url = isAsked ? asked : URL(string: last) ?? asked
    var fields: [String: String] = [:]
    for field in head?.fields ?? [] {
      fields[field.name] = fields[field.name].map { "\($0), \(field.value)" } ?? field.value
    }
    if let head, url.scheme?.hasPrefix("http") == true,
      let response = HTTPURLResponse(
        url: url, statusCode: head.status, httpVersion: "HTTP/\(head.version)", headerFields: fields
      )
    {
      return response
    }
    return URLResponse(
      url: url, mimeType: nil, expectedContentLength: length.map { Int(clamping: $0) } ?? -1,
      textEncodingName: nil)
  }
}

extension URLError {
  /// Any error of NetworkCore, as URLSession would throw it.
  fileprivate init(_ error: any Error, resumeData: Data? = nil) {
    if let error = error as? URLError {
      self = error
      return
    }
    let error = error as? NetworkError ?? NetworkError(code: .cancelled, message: "cancelled")
    let base = error.nsError
    var info = base.userInfo
    info["NSURLSessionDownloadTaskResumeData"] = resumeData
    self.init(_nsError: NSError(domain: NSURLErrorDomain, code: base.code, userInfo: info))
  }
}
