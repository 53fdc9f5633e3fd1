import CommandLineSupport
import NetworkCore
import ProgressReporting

/// Says what happens to downloads: to people on stderr, to programs as JSON lines on stdout.
struct FetchVoice: Sendable {
  private typealias JSONValue = CommandLineSupport.JSONValue

  let console: Console
  let isJSON: Bool

  init(_ context: CommandContext) {
    console = context.console
    isJSON = context.settings.isJSON
  }

  func tell(_ event: DownloadEvent) {
    if isJSON { return console.printJSON(json(event)) }
    switch event {
    case .retrying(let error, let attempt, let wait):
      console.note(
        error.url ?? "", "\(error.message); attempt \(attempt + 1) follows in \(seconds(wait)) s")
    case .switched(let from, let to, let error):
      // Of bytes that are wrong people have just been told.
      let reason = error.category == .integrity ? "" : "\(error.message); "
      console.note(from, "\(reason)going on with \(to)")
    case .mending(let error, let bytes):
      let amount = Quantity.describe(bytes: bytes)
      console.note(error.url ?? "", "\(error.message); \(amount) are fetched again")
    case .kept(_, let part, let bytes):
      let amount = Quantity.describe(bytes: bytes)
      console.note(part, "\(amount) are kept; the same command goes on from there")
    default: break
    }
  }

  /// Tells programs once a second how far everything is, until the task is cancelled.
  func watch(_ meter: WorkMeter) -> Task<Void, Never>? {
    guard isJSON else { return nil }
    return Task {
      var rows = ProgressRows<ContinuousClock.Instant>()
      for await snapshot in meter.snapshots(every: .seconds(1)) {
        for row in rows.update(snapshot, at: .now) where row.unit == .bytes && row.completed > 0 {
          console.printJSON(row.json(named: "url"))
        }
      }
    }
  }

  func finished(_ report: DownloadReport) {
    if isJSON {
      console.printJSON([
        "event": "finished", "url": .init(report.url), "path": .init(report.path),
        "bytes": .init(report.byteCount), "resumed": .init(report.resumedBytes),
        "wire": .init(report.wireBytes), "requests": .init(report.requestCount),
        "connections": .init(report.connectionCount),
        "length_verified": .bool(report.isLengthVerified), "skipped": .bool(report.wasSkipped),
      ])
    } else if let result = result(report) {
      console.note(report.path, result)
    }
  }

  /// One line for people; what went to standard output speaks for itself.
  private func result(_ report: DownloadReport) -> String? {
    let check = report.check.map { $0 == "length" ? "" : ", \($0) matches" } ?? ""
    if report.wasSkipped { return "is there already" + check }
    let doubt =
      report.isLengthVerified ? "" : "; the server announced no length: its end was believed"
    if report.path == "-" { return doubt.isEmpty ? nil : String(doubt.dropFirst(2)) }
    let earlier = Quantity.describe(bytes: report.resumedBytes)
    return Quantity.describe(bytes: report.byteCount)
      + (report.resumedBytes > 0 ? ", \(earlier) of it from an earlier run" : "") + check + doubt
  }

  func failed(_ error: NetworkError, url: String?) {
    let url = error.url ?? url.map(NetworkError.shownURL)
    if isJSON { console.printJSON(json(error, url)) }
    // A stop that was asked for is no news.
    if error.code != .cancelled { console.error(error.path ?? url ?? "", error.message) }
  }

  private func json(_ event: DownloadEvent) -> JSONValue {
    switch event {
    case .started(let url): ["event": "started", "version": 1, "url": .init(url)]
    case .redirected(let from, let to, let status):
      [
        "event": "redirected", "url": .init(from), "to": .init(to), "status": .init(status),
      ]
    case .response(let url, let status, let total, let resumedAt, let path):
      [
        "event": "response", "url": .init(url), "status": .init(status),
        "total": total.map { .init($0) } ?? .null, "resumed_at": .init(resumedAt),
        "path": .init(path),
      ]
    case .segment(let url, let start, let end, let connections):
      [
        "event": "segment", "url": .init(url), "start": .init(start),
        "end": end.map { .init($0) } ?? .null, "connections": .init(connections),
      ]
    case .retrying(let error, let attempt, let wait):
      [
        "event": "retrying", "url": .init(error.url ?? ""), "attempt": .init(attempt),
        "wait": .double(wait / .seconds(1)), "code": .init(error.code.rawValue),
        "message": .init(error.message),
      ]
    case .verified(let url, let path, let check):
      ["event": "verified", "url": .init(url), "path": .init(path), "check": .init(check)]
    case .switched(let from, let to, let error):
      [
        "event": "switched", "url": .init(from), "to": .init(to),
        "code": .init(error.code.rawValue), "message": .init(error.message),
      ]
    case .mending(let error, let bytes):
      [
        "event": "mending", "url": .init(error.url ?? ""), "bytes": .init(bytes),
        "code": .init(error.code.rawValue), "message": .init(error.message),
      ]
    case .kept(let url, let part, let bytes):
      ["event": "kept", "url": .init(url), "part": .init(part), "bytes": .init(bytes)]
    }
  }

  private func json(_ error: NetworkError, _ url: String?) -> JSONValue {
    [
      "event": "failed", "url": .init(url), "code": .init(error.code.rawValue),
      "name": .init(error.code.description),
      "domain": error.code.entry.map { .init($0.domain.rawValue) } ?? .null,
      "curl": error.curlCode.map { .init($0.rawValue) } ?? .null,
      "errno": error.systemCode.map { .init($0.rawValue) } ?? .null,
      "status": error.httpStatus.map { .init($0) } ?? .null,
      "phase": error.phase.map { .init($0.rawValue) } ?? .null,
      "retryable": .bool(error.isRetryable), "message": .init(error.message),
    ]
  }

  private func seconds(_ duration: Duration) -> String {
    let tenths = Int(duration / .milliseconds(100))
    return "\(tenths / 10).\(tenths % 10)"
  }
}
