import SystemIO

/// What a request for a file asked for.
package struct RangeAsk: Equatable, Sendable {
  /// The first byte asked for.
  package var start: UInt64 = 0
  /// The byte after the last one asked for; `nil`: up to the end.
  package var end: UInt64?
  /// Whether a `Range` was sent at all.
  package var isRanged = false
  /// Whether `If-Range` went with it.
  package var isConditional = false

  package init(
    start: UInt64 = 0, end: UInt64? = nil, isRanged: Bool = false, isConditional: Bool = false
  ) {
    self.start = start
    self.end = end
    self.isRanged = isRanged
    self.isConditional = isConditional
  }
}

/// What a response head means for a download.
package enum ResponseVerdict: Equatable, Sendable {
  /// The body is wanted.
  package struct Body: Equatable, Sendable {
    /// Where its first byte belongs.
    package var start: UInt64
    /// The byte after its last, where the head says so.
    package var end: UInt64?
    /// What identifies the file, as this response has it.
    package var version: FileVersion
    /// Whether everything stored before belongs to another version.
    package var startsOver = false
    /// The content coding to take off, or `nil`.
    package var coding: String?

    package init(
      start: UInt64, end: UInt64?, version: FileVersion, startsOver: Bool = false,
      coding: String? = nil
    ) {
      self.start = start
      self.end = end
      self.version = version
      self.startsOver = startsOver
      self.coding = coding
    }
  }

  case body(Body)
  /// All bytes are there already.
  case complete
  /// What is stored cannot be used; the file has to be asked for from its first byte.
  case startOver(TransferProblem)
  /// The server holds on to `If-Range` in a way that never matches: ask without it and compare.
  case askWithoutCondition
  /// The file is elsewhere.
  case redirect(String)
  case failure(TransferProblem)
}

/// Decides, without touching anything, what a response head means for a download.
///
/// Sources: RFC 9110 sections 13.1.5, 14 and 15.
package enum ResponseRule {
  /// Judges a final response head.
  ///
  /// - Parameters:
  ///   - head: The head.
  ///   - ask: What was asked for.
  ///   - known: What identifies the bytes stored so far; empty when there are none.
  ///   - stored: How many bytes are stored.
  ///   - decodes: Whether a content coding is to be taken off.
  /// - Returns: What to do.
  package static func judge(
    _ head: ResponseHead, ask: RangeAsk, known: FileVersion, stored: UInt64, decodes: Bool
  ) -> ResponseVerdict {
    do {
      switch head.status {
      case 200: return try whole(head, ask, known, stored, decodes)
      case 206: return try partial(head, ask, known)
      case 301, 302, 303, 307, 308: return redirect(head)
      case 412 where stored > 0: return .startOver(.validatorChanged(from: tag(known), to: "412"))
      case 416 where ask.isRanged: return unsatisfiable(head, ask, known, stored)
      case 304: return .failure(.status(304, retryAfter: nil))
      default: return .failure(refusal(head))
      }
    } catch {
      return .failure(error)
    }
  }

  private static func whole(
    _ head: ResponseHead, _ ask: RangeAsk, _ known: FileVersion, _ stored: UInt64, _ decodes: Bool
  ) throws(TransferProblem) -> ResponseVerdict {
    let framing = try ResponseFraming(head)
    var length: UInt64?
    if case .length(let value) = framing { length = value }
    var version = FileVersion(head, total: length)
    let coding = try coding(head, decodes)
    if coding != nil { version.total = nil }
    if ask.isConditional, stored > 0, version.isSame(as: known) { return .askWithoutCondition }
    return .body(
      .init(
        start: 0, end: length, version: version, startsOver: stored > 0, coding: coding))
  }

  private static func partial(
    _ head: ResponseHead, _ ask: RangeAsk, _ known: FileVersion
  ) throws(TransferProblem) -> ResponseVerdict {
    guard ask.isRanged else { return .startOver(.partialUnasked) }
    let framing = try ResponseFraming(head)
    if head["content-type"]?.lowercased().hasPrefix("multipart/byteranges") == true {
      return .startOver(.multipartRanges)
    }
    guard let text = head["content-range"] else { return .startOver(.contentRangeMissing) }
    guard case .part(let first, let last, let total)? = try? ContentRange(text), last < .max else {
      return .startOver(.badContentRange(text))
    }
    let range = first..<(last + 1)
    guard range.lowerBound == ask.start else {
      return .startOver(.rangeDiffers(requested: ask.start, found: range.lowerBound))
    }
    if let end = ask.end, range.upperBound > end {
      return .startOver(.rangeDiffers(requested: end, found: range.upperBound))
    }
    if let before = known.total, let total, before != total {
      return .startOver(.totalChanged(from: before, to: total))
    }
    if case .length(let length) = framing, length > range.upperBound - range.lowerBound {
      return .startOver(.badContentRange("\(text) with \(length) bytes"))
    }
    let version = FileVersion(head, total: total ?? known.total)
    if let change = version.change(from: known) { return .startOver(change) }
    return .body(.init(start: range.lowerBound, end: range.upperBound, version: version))
  }

  private static func unsatisfiable(
    _ head: ResponseHead, _ ask: RangeAsk, _ known: FileVersion, _ stored: UInt64
  ) -> ResponseVerdict {
    if let change = FileVersion(head, total: nil).change(from: known) { return .startOver(change) }
    var total: UInt64?
    if let text = head["content-range"], case .unsatisfied(let size)? = try? ContentRange(text) {
      total = size
    }
    // As many bytes as are stored, but of a larger file before: there may be holes between them.
    if let total, total == stored, total == known.total ?? total { return .complete }
    return .startOver(.rangeNotSatisfiable(offset: ask.start, total: total))
  }

  private static func redirect(_ head: ResponseHead) -> ResponseVerdict {
    guard let target = head["location"], !target.isEmpty else {
      return .failure(.redirectWithoutTarget(status: head.status))
    }
    return .redirect(target)
  }

  private static func refusal(_ head: ResponseHead) -> TransferProblem {
    if head.status == 101 { return .badHeader("HTTP/\(head.version) 101") }
    if [401, 407].contains(head.status), let problem = unknownChallenge(head) { return problem }
    let now = head["date"].flatMap { try? HTTPDate($0) } ?? .now
    let wait = head["retry-after"].flatMap { try? RetryAfter.parse($0, now: now) }
    return .status(head.status, retryAfter: wait)
  }

  /// A challenge none of whose schemes is spoken here.
  private static func unknownChallenge(_ head: ResponseHead) -> TransferProblem? {
    let field = head.status == 401 ? "www-authenticate" : "proxy-authenticate"
    let offered = head.values(of: field).compactMap { $0.split(separator: " ").first }
      .map { String($0) }
    let spoken: Set = ["basic", "digest", "bearer", "negotiate", "ntlm"]
    guard !offered.isEmpty, !offered.contains(where: { spoken.contains($0.lowercased()) }) else {
      return nil
    }
    return .noCommonAuthentication(status: head.status, offered: offered)
  }

  private static func coding(
    _ head: ResponseHead, _ decodes: Bool
  ) throws(TransferProblem) -> String? {
    let codings = head.values(of: "content-encoding").flatMap { $0.split(separator: ",") }
      .map { $0.trimmingBlanks().lowercased() }.filter { $0 != "identity" && !$0.isEmpty }
    guard decodes, let coding = codings.first else { return nil }
    guard codings.count == 1, ["gzip", "x-gzip", "deflate"].contains(coding) else {
      throw .unknownCoding(codings.joined(separator: ", "))
    }
    // Servers label archives that are gzip by nature; taking that off would break the file.
    let type = head["content-type"]?.lowercased() ?? ""
    return type.contains("gzip") || type.contains("x-tgz") || type.contains("compressed-tar")
      ? nil : coding
  }

  private static func tag(_ version: FileVersion) -> String {
    version.entityTag ?? version.lastModified ?? "the version stored"
  }
}

extension FileVersion {
  /// What a response says about the file.
  package init(_ head: ResponseHead, total: UInt64?) {
    self.init(
      entityTag: head["etag"], lastModified: head["last-modified"], date: head["date"],
      total: total)
  }

  /// Whether two responses speak of the same bytes for all that they tell.
  package func isSame(as other: FileVersion) -> Bool {
    total == other.total && entityTag == other.entityTag && lastModified == other.lastModified
      && (entityTag != nil || lastModified != nil)
  }

  /// This version with what an earlier answer told of the same bytes.
  ///
  /// An answer may leave validators out. The earlier `Date` stays: it decides whether `Last-Modified` was
  /// a strong validator when the bytes stored first came.
  package func completed(by known: FileVersion) -> FileVersion {
    var result = self
    result.entityTag = entityTag ?? known.entityTag
    result.total = total ?? known.total
    if lastModified == nil || lastModified == known.lastModified {
      (result.lastModified, result.date) = (known.lastModified, known.date)
    }
    return result
  }

  /// How this differs from an earlier version in a way that means other bytes.
  package func change(from known: FileVersion) -> TransferProblem? {
    guard known.validators.compare(with: validators) == .different else { return nil }
    return .validatorChanged(
      from: known.entityTag ?? known.lastModified ?? "",
      to: entityTag ?? lastModified ?? "")
  }

  /// The value for `If-Range`: a strong entity tag, or a date that is surely strong.
  ///
  /// Source: RFC 9110 sections 8.8.2.2 and 13.1.5.
  package var rangeCondition: String? { validators.ifRange }

  private var validators: Validators {
    Validators(entityTag: entityTag, lastModified: lastModified, date: date)
  }
}

extension HTTPDate {
  /// This machine's clock.
  package static var now: HTTPDate { HTTPDate(secondsSinceEpoch: FileTime.now.seconds) }
}
