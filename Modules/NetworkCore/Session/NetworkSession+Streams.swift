extension NetworkSession {
  /// Requests a URL and returns its body as a stream, once the head has come.
  ///
  /// Redirects are followed. A status that does not bring the content is an error. There are no
  /// retries: the reader has seen bytes that cannot be taken back.
  /// - Parameters:
  ///   - url: What to request.
  ///   - range: The bytes wanted, or `nil` for all. The server must send exactly these.
  ///   - ifRange: A strong entity tag that the range must belong to, or `nil`.
  ///   - settings: How the request is made.
  /// - Returns: The head and the body to come.
  /// - Throws: ``NetworkError`` or `CancellationError`.
  public func bytes(
    from url: String, range: Range<UInt64>? = nil, ifRange: String? = nil,
    settings: TransferSettings = TransferSettings()
  ) async throws -> ByteStream {
    try await bytes(
      from: url, range: range, ifRange: ifRange, settings: settings, secretsFor: url)
  }

  /// As ``bytes(from:range:ifRange:settings:)``; the settings' secrets are for the origin of another URL.
  private func bytes(
    from url: String, range: Range<UInt64>?, ifRange: String?, settings: TransferSettings,
    secretsFor owner: String
  ) async throws -> ByteStream {
    do {
      try RequestCheck.check(url, settings)
    } catch {
      throw NetworkError(error).during(url: url)
    }
    var current = url
    for _ in 0...settings.redirectLimit {
      var request = TransferRequest(url: current, settings: settings)
      request.sendsSecrets = TransferURL.isSameOrigin(current, owner)
      if let range, !range.isEmpty {
        request.range = "\(range.lowerBound)-\(range.upperBound - 1)"
        if let ifRange { request.fields.append(.init(name: "If-Range", value: ifRange)) }
      }
      switch try await open(request, range) {
      case .stream(let stream): return stream
      case .redirect(let target):
        do {
          current = try TransferURL.resolve(target, from: current, settings)
        } catch {
          throw NetworkError(error).during(url: current)
        }
      }
    }
    throw NetworkError(.tooManyRedirects(limit: settings.redirectLimit)).during(url: current)
  }

  private enum Opened {
    case stream(ByteStream)
    case redirect(String)
  }

  private func open(_ request: TransferRequest, _ range: Range<UInt64>?) async throws -> Opened {
    let ask = RangeAsk(
      start: range?.lowerBound ?? 0, end: range?.upperBound,
      isRanged: range.map { !$0.isEmpty } ?? false)
    let judge: @Sendable (ResponseHead) -> ResponseVerdict = { head in
      ResponseRule.judge(head, ask: ask, known: FileVersion(), stored: 0, decodes: false)
    }
    let receiver = StreamReceiver(loop) { head in
      if case .body = judge(head) { true } else { false }
    }
    let source = ByteStream.Source(receiver, url: request.url, settings: request.settings)
    receiver.start(request)
    guard let head = await receiver.head() else {
      try Task.checkCancellation()
      if request.url.lowercased().hasPrefix("http") { _ = try await source.next() }
      return .stream(stream(ResponseHead(version: "2", status: 200), request, source))
    }
    switch judge(head) {
    case .body(let body) where body.start == ask.start && (!ask.isRanged || head.status == 206):
      return .stream(stream(head, request, source))
    case .redirect(let target): return .redirect(target)
    case .failure(let problem), .startOver(let problem):
      throw NetworkError(problem).during(url: request.url)
    default:
      throw NetworkError(.rangeIgnored(offset: ask.start)).during(url: request.url)
    }
  }

  private func stream(
    _ head: ResponseHead, _ request: TransferRequest, _ source: ByteStream.Source
  ) -> ByteStream {
    ByteStream(head: head, url: URLRedaction.redact(request.url), source: source)
  }

  /// Reads a whole body into memory.
  ///
  /// - Parameters:
  ///   - url: What to request.
  ///   - range: The bytes wanted, or `nil` for all.
  ///   - limit: The most bytes; 64 MiB.
  ///   - settings: How the request is made.
  /// - Returns: The bytes.
  /// - Throws: ``NetworkError``, ``NetworkErrorCode/dataLengthExceedsMaximum`` for a longer body, or
  ///   `CancellationError`.
  public func read(
    _ url: String, range: Range<UInt64>? = nil, limit: UInt64 = 64 << 20,
    settings: TransferSettings = TransferSettings()
  ) async throws -> [UInt8] {
    try await collect(bytes(from: url, range: range, settings: settings), limit: limit)
  }

  /// As ``read(_:range:limit:settings:)``; the settings' secrets are for the origin of another URL.
  func read(
    _ url: String, limit: UInt64, settings: TransferSettings, secretsFor owner: String
  ) async throws -> [UInt8] {
    let stream = try await bytes(
      from: url, range: nil, ifRange: nil, settings: settings, secretsFor: owner)
    return try await collect(stream, limit: limit)
  }

  private func collect(_ stream: ByteStream, limit: UInt64) async throws -> [UInt8] {
    var result: [UInt8] = []
    for try await chunk in stream {
      guard UInt64(result.count + chunk.count) <= limit else {
        throw NetworkError(.tooLarge(limit: limit, found: UInt64(result.count + chunk.count)))
          .during(url: stream.url)
      }
      result += chunk
    }
    return result
  }

  /// Reads a body as text.
  ///
  /// ISO 8859-1 where the response says so, else UTF-8 with damaged sequences replaced.
  /// - Parameters:
  ///   - url: What to request.
  ///   - limit: The most bytes; 64 MiB.
  ///   - settings: How the request is made.
  /// - Returns: The text.
  /// - Throws: ``NetworkError`` or `CancellationError`.
  public func string(
    from url: String, limit: UInt64 = 64 << 20, settings: TransferSettings = TransferSettings()
  ) async throws -> String {
    let stream = try await bytes(from: url, settings: settings)
    let body = try await collect(stream, limit: limit)
    let type = stream.head["content-type"]?.lowercased() ?? ""
    guard type.contains("charset=iso-8859-1") || type.contains("charset=us-ascii") else {
      return String(decoding: body, as: UTF8.self)
    }
    return String(String.UnicodeScalarView(body.map { Unicode.Scalar($0) }))
  }

  /// Reads a body as text and calls back on the main actor, exactly one of the two closures.
  ///
  /// - Parameters:
  ///   - url: What to request.
  ///   - settings: How the request is made.
  ///   - success: Gets the text.
  ///   - failure: Gets the reason; ``NetworkErrorCode/cancelled`` after a cancel.
  /// - Returns: A handle to cancel with.
  @discardableResult
  public func string(
    from url: String, settings: TransferSettings = TransferSettings(),
    success: @escaping @MainActor @Sendable (String) -> Void,
    failure: @escaping @MainActor @Sendable (NetworkError) -> Void
  ) -> NetworkTask {
    NetworkTask(
      Task {
        do {
          let text = try await string(from: url, settings: settings)
          await success(text)
        } catch {
          await failure(NetworkError(ending: error, url: url))
        }
      })
  }
}

/// Work that was started and can be cancelled.
public struct NetworkTask: Sendable {
  private let task: Task<Void, Never>

  init(_ task: Task<Void, Never>) { self.task = task }

  /// Ends the work; its failure closure is called with ``NetworkErrorCode/cancelled``.
  public func cancel() { task.cancel() }

  /// Waits until the closure has been called.
  public func wait() async { await task.value }
}

extension NetworkError {
  /// Any error that a call of this module threw.
  init(ending error: any Error, url: String) {
    switch error {
    case let error as NetworkError: self = error
    case let problem as TransferProblem: self = NetworkError(problem).during(url: url)
    default: self = NetworkError(.cancelled).during(url: url)
    }
  }
}
