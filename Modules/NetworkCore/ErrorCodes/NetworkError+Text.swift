// All wording of the module's errors. A message is a clause in small letters without a full stop that
// says what was expected and what was found; nothing in it may be a secret.

extension TransferProblem {
  var text: String {
    switch self {
    case .badURL(let url): "expected a URL, found '\(URLRedaction.redact(url))'"
    case .unsupportedScheme(let scheme):
      "expected http, https, ftp, ftps or file as scheme, found '\(scheme)'"
    case .insecureURL: "expected an https URL, as plain connections are not allowed"
    case .inputFile(_, let error), .cookieFile(_, let error): error.description
    case .certificateFile(_, let system):
      "expected a readable certificate file" + found(system)
    case .digestUnavailable(let algorithm):
      "expected \(algorithm.rawValue) from libcrypto, found it unavailable or without memory"
    case .file(let operation, _, let system): operation.text + found(system)
    case .source(_, let system): "expected a file that can be read" + found(system)
    case .targetExists: "expected a free name, found a file that exists already"
    case .targetIsNotAFile: "expected the name of a file, found a directory, link or device"
    case .partInUse(_, let process, _):
      "expected a part that nobody works on, found "
        + (process.map { "process \($0)" } ?? "a process") + " writing it"
    case .partOfAnother(_, let url):
      "expected no part or one of this URL, found "
        + (url.map { "one of '\(shown($0))'" } ?? "a file of which no journal tells")
        + "; remove it, or save under another name"
    case .partMissing: "expected the part that the resume data names, found none with a journal"
    case .partChanged:
      "expected the part that the resume data names, found one of another URL or another version"
    case .resumeData(let error): error.description
    case .noSpace(_, let needed, let available):
      "expected room for \(needed) bytes, found \(available) free"
    default: limitText ?? statusText ?? framingText ?? contentText
    }
  }

  private var limitText: String? {
    switch self {
    case .tooLarge(let limit, let found): "expected at most \(limit) bytes, found \(found)"
    case .lengthOverflow(let text):
      "expected a length of at most \(UInt64.max) bytes, found '\(shown(text))'"
    case .headerTooLarge(let limit): "expected a header of at most \(limit) bytes, found more"
    case .tooManyHeaderFields(let limit): "expected at most \(limit) header lines, found more"
    case .expandsTooMuch(let limit): "expected at most \(limit) bytes after decoding, found more"
    case .timedOut(let phase, let limit): phase.timeoutText(seconds(limit))
    case .cancelled: "cancelled"
    default: nil
    }
  }

  private var statusText: String? {
    switch self {
    case .redirectRefused(let scheme):
      "expected a redirect to http or https, found one to '\(shown(scheme))'"
    case .redirectWithoutTarget(let status):
      "expected a redirect target with status \(status), found none"
    case .badRedirectTarget(let target):
      "expected a URL as redirect target, found '\(shown(URLRedaction.redact(target)))'"
    case .insecureRedirect: "expected to stay on https, found a redirect to a plain connection"
    case .tooManyRedirects(let limit): "expected at most \(limit) redirects, found more"
    case .status(let status, let wait):
      "expected the file, found status \(statusText(status))"
        + (wait.map { "; the server asks to wait \(seconds($0))" } ?? "")
    case .waitTooLong(let status, let wait, let budget):
      "expected to be let in within \(seconds(budget)), found status \(statusText(status)) "
        + "with a wait of \(seconds(wait))"
    case .credentialsRefused(let status):
      "expected the credentials to be accepted, found status \(statusText(status)) again"
    case .noCommonAuthentication(let status, let offered):
      "expected a known way of authentication, found status \(statusText(status)) offering "
        + (offered.isEmpty ? "none" : shown(offered.joined(separator: ", ")))
    default: nil
    }
  }

  private var framingText: String? {
    switch self {
    case .headerIncomplete:
      "expected a whole header, found the connection closed inside it"
    case .badHeader(let line): "expected a header line, found '\(shown(line))'"
    case .badContentLength(let value):
      "expected digits as Content-Length, found '\(shown(value))'"
    case .conflictingLengths(let first, let second):
      "expected one Content-Length, found '\(shown(first))' and '\(shown(second))'"
    case .truncated(let received, let expected):
      "expected \(expected) bytes, found the connection closed after \(received)"
    case .surplus(let expected): "expected \(expected) bytes, found more"
    case .closedWithoutNotice(let received):
      "expected the end of the TLS stream to be announced, found it cut after \(received) bytes"
    case .lengthUnknown: "expected the length to be announced, found none"
    default: nil
    }
  }

  private var contentText: String {
    switch self {
    case .rangeIgnored(let offset):
      "expected the file from byte \(offset) on, found the server giving all of it"
    case .rangeNotSatisfiable(let offset, let total):
      "expected the file from byte \(offset) on, found that it has "
        + (total.map { "\($0) bytes" } ?? "fewer bytes")
    case .contentRangeMissing: "expected a Content-Range with status 206, found none"
    case .badContentRange(let value):
      "expected 'bytes FIRST-LAST/TOTAL' as Content-Range, found '\(shown(value))'"
    case .rangeDiffers(let requested, let found):
      "expected a range from byte \(requested) on, found one from \(found)"
    case .partialUnasked: "expected the whole file, found a part that was not asked for"
    case .multipartRanges: "expected one range, found several in a multipart body"
    case .totalChanged(let old, let new):
      "expected a file of \(old) bytes as before, found \(new): it changed on the server"
    case .validatorChanged(let old, let new):
      "expected the file to be \(shown(old)) still, found \(shown(new)): it changed on the server"
    case .unknownCoding(let name): "expected gzip or no content coding, found '\(shown(name))'"
    case .codingDamaged(let name, let atEnd, let offset):
      atEnd
        ? "expected \(shown(name)) data to end with a right trailer, found it cut or wrong"
        : "expected \(shown(name)) data, found damage at byte \(offset)"
    case .overlapDiffers(let offset):
      "expected the bytes around \(offset) as they were before, found others"
    case .checksum(let algorithm, let expected, let found, let source, let senders):
      "expected \(algorithm) \(shown(expected)) from \(shown(source)), found \(found)"
        + sentBy(senders)
    case .pieces(let count, let all, let first, let senders):
      "expected \(all) pieces as their checksums say, found \(count) others, "
        + "the first at byte \(first)" + sentBy(senders)
    case .sizeDiffers(let expected, let found): "expected \(expected) bytes in all, found \(found)"
    default: code.entry?.meaning ?? code.description
    }
  }

  private func sentBy(_ senders: [String]) -> String {
    guard !senders.isEmpty else { return "" }
    return " in what " + senders.map { shown($0) }.joined(separator: " and ") + " sent"
  }

  private func found(_ system: SystemCode?) -> String {
    system.map { ", found \($0.meaning ?? $0.name)" } ?? ", found none"
  }

  private func statusText(_ status: Int) -> String {
    HTTPStatusMapping.phrase(status).map { "\(status) (\($0))" } ?? "\(status)"
  }
}

extension FileOperation {
  fileprivate var text: String {
    switch self {
    case .create: "expected to create the file"
    case .open: "expected to open the file"
    case .read: "expected to read the file"
    case .write: "expected to write the file"
    case .sync: "expected the data to reach the disk"
    case .close: "expected to close the file"
    case .remove: "expected to remove the file"
    case .move: "expected to move the file to its name"
    }
  }
}

extension TransferPhase {
  fileprivate func timeoutText(_ limit: String) -> String {
    switch self {
    case .preparation: "expected to be ready within \(limit), found it was not"
    case .resolve: "expected an address within \(limit), found none"
    case .connect: "expected a connection within \(limit), found none"
    case .proxy: "expected the proxy's consent within \(limit), found none"
    case .tls: "expected the TLS handshake within \(limit), found it unfinished"
    case .firstByte: "expected an answer within \(limit), found none"
    case .header: "expected the header within \(limit), found it unfinished"
    case .body, .stall: "expected data within \(limit), found the transfer standing still"
    case .total: "expected the whole transfer within \(limit), found it unfinished"
    case .verification: "expected the check within \(limit), found it unfinished"
    case .placement: "expected the file in place within \(limit), found it was not"
    }
  }
}

extension TransferEvidence {
  /// The message of a verdict: the meaning of the number and what was found.
  func text(_ verdict: Verdict) -> String {
    let meaning = verdict.code.entry?.meaning ?? verdict.code.description
    switch verdict.detail {
    case .none: return meaning
    case .system:
      let place = phase == .proxy ? " at the proxy" : ""
      return meaning + (systemCode.map { ": \($0.meaning ?? $0.name)" } ?? "") + place
    case .resolver: return meaning + (resolverCode.map { ": \($0.meaning ?? $0.name)" } ?? "")
    case .certificate:
      let proxyResult = proxyCertificateResult.flatMap { $0.rawValue == 0 ? nil : $0 }
      let result = proxyResult ?? certificateResult
      return meaning + (result.map { ": \($0.meaning ?? $0.name)" } ?? "")
    case .hostNameMismatch:
      return meaning + ": the certificate is for another host name"
    case .plainHTTP:
      return meaning + ": the port seems to speak plain HTTP"
    case .perhapsTLS:
      return meaning + ": no answer came; the port may speak TLS, which https would do"
    case .bytes:
      guard let bodyAnnounced else { return meaning }
      return "expected \(bodyAnnounced) bytes, found the connection closed after \(bodyReceived)"
    case .curlText:
      let text = URLRedaction.redactText(errorText).trimmed
      if !text.isEmpty { return "\(meaning): \(shown(text))" }
      guard let entry = CurlCodeTable.entry(for: curlCode) else { return "\(meaning): \(curlCode)" }
      return "\(meaning): \(entry.meaning)"
    }
  }
}

extension NetworkError: CustomStringConvertible {
  /// One line: the subject, the message, the names of the number.
  public var description: String {
    let subject = (path ?? url).map { "\(shown($0)): " } ?? ""
    return "\(subject)\(message) (\(code), \(code.rawValue))"
  }

  /// Several lines: the description and everything else that is known.
  public var detailedDescription: String {
    var lines = [description]
    func add(_ label: String, _ value: String?) {
      if let value { lines.append("  \(label): \(value)") }
    }
    add("url", path == nil ? nil : url)
    add("phase", phase?.rawValue)
    add("attempt", attempt > 1 ? "\(attempt)" : nil)
    add("at byte", byteOffset.map { "\($0)" })
    add("http status", httpStatus.map { "\($0)" })
    add("ftp reply", ftpReply.map { "\($0)" })
    add("curl", curlCode.map { "\($0.rawValue) \($0)" })
    add("curl says", curlMessage.map(shown))
    add("errno", systemCode.map { "\($0.rawValue) \($0)" })
    add("resolver", resolverCode.map { "\($0.rawValue) \($0)" })
    add("certificate", certificateResult.map { "\($0.rawValue) \($0)" })
    add("proxy", proxyCode.map { "\($0.rawValue) \($0.name)" })
    add("retry", retry.rawValue)
    add("server asks to wait", retryAfter.map(seconds))
    add("advice", code.entry?.advice)
    add("cause", cause?.detailedDescription.split(separator: "\n").joined(separator: "\n  "))
    return lines.joined(separator: "\n")
  }
}

/// Text from outside, cut and without line ends, for use inside a message.
func shown(_ text: String) -> String {
  var result = ""
  for scalar in text.unicodeScalars {
    if result.unicodeScalars.count >= 200 { return result + "…" }
    result.unicodeScalars.append(
      scalar.properties.generalCategory == .control ? "\u{FFFD}" : scalar)
  }
  return result
}

/// A duration in seconds, with milliseconds only where they matter.
func seconds(_ duration: Duration) -> String {
  let (whole, fraction) = duration.components
  let milliseconds = fraction / 1_000_000_000_000_000
  guard whole < 10, milliseconds != 0 else { return "\(whole) s" }
  let digits = "\(milliseconds)"
  return "\(whole).\(String(repeating: "0", count: max(0, 3 - digits.count)))\(digits) s"
}

extension String {
  /// Without white space at either end.
  var trimmed: String {
    guard let first = firstIndex(where: { !$0.isWhitespace }),
      let last = lastIndex(where: { !$0.isWhitespace })
    else { return "" }
    return String(self[first...last])
  }
}
