internal import Dialogue
internal import NetworkCore
internal import ProgressReporting
internal import RemoteZip
internal import ZipKitCore

/// Says what happens to downloads: to people in sentences, or to programs in records.
struct FetchVoice: Sendable {
  let frontEnd: any FrontEnd
  let isJSON: Bool

  init(_ frontEnd: any FrontEnd, isJSON: Bool) {
    self.frontEnd = frontEnd
    self.isJSON = isJSON
  }

  func tell(_ event: DownloadEvent) {
    if isJSON { return frontEnd.record(.init(event)) }
    switch event {
    case .retrying(let error, let attempt, let wait):
      frontEnd.note(
        error.url ?? "", "\(error.message); attempt \(attempt + 1) follows in \(seconds(wait)) s")
    case .switched(let from, let to, let error):
      // Of bytes that are wrong people have just been told.
      let reason = error.category == .integrity ? "" : "\(error.message); "
      frontEnd.note(from, "\(reason)going on with \(to)")
    case .mending(let error, let bytes):
      let amount = Quantity.describe(bytes: bytes)
      frontEnd.note(error.url ?? "", "\(error.message); \(amount) are fetched again")
    case .kept(_, let part, let bytes):
      let amount = Quantity.describe(bytes: bytes)
      frontEnd.note(part, "\(amount) are kept; the same command goes on from there")
    case .left(_, let path, let code):
      frontEnd.warning(path, "expected to remove it, found: \(code)")
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
          frontEnd.record(row.json(named: "url"))
        }
      }
    }
  }

  func finished(_ report: DownloadReport) {
    if isJSON {
      frontEnd.record(.init(report))
    } else if let result = result(report) {
      frontEnd.note(report.path, result)
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
    if isJSON { frontEnd.record(.init(error, url: url)) }
    // A stop that was asked for is no news.
    if error.code != .cancelled { frontEnd.error(error.path ?? url ?? "", error.message) }
  }

  private func seconds(_ duration: Duration) -> String {
    let tenths = Int(duration / .milliseconds(100))
    return "\(tenths / 10).\(tenths % 10)"
  }

  // MARK: Plans and parts

  func planned(_ plan: DownloadPlan) {
    guard !isJSON else { return frontEnd.record(.init(plan)) }
    frontEnd.result(frontEnd.shown(plan.url))
    func say(_ what: String, _ text: String?) {
      guard let text else { return }
      let gap = String(repeating: " ", count: 10 - what.count)
      frontEnd.result("  \(what)\(gap)\(frontEnd.shown(text))")
    }
    for redirect in plan.redirects { say("redirect", redirect) }
    let ranges = plan.takesRanges ? "gives ranges" : "gives the whole file only"
    say(
      "server",
      plan.status.map { status in
        let size = plan.totalBytes.map { Quantity.describe(bytes: $0) } ?? "size not told"
        return ["\(status)", size, ranges, plan.entityTag ?? plan.lastModified].compactMap { $0 }
          .joined(separator: ", ")
      })
    if plan.action != .leave {
      let condition = plan.condition.map { ", if it is still \($0)" } ?? ""
      say("request", "GET " + (plan.range.map { $0 + condition } ?? "of the whole file"))
    }
    let detour = plan.part.map { ", as \($0) until it is whole" } ?? ""
    say(plan.action == .leave ? "leave" : "write", plan.path + detour)
    say("compare", plan.checks.isEmpty ? nil : plan.checks.joined(separator: ", "))
    say("because", plan.reason)
  }

  /// Tells of a part; `event` is `part` for one that stays, `swept` for one that is gone.
  func found(_ part: PartialDownload, _ event: String) {
    if isJSON { return frontEnd.record(.init(part, event: event)) }
    let amount = Quantity.describe(bytes: part.storedBytes)
    let total = part.totalBytes.map { " of \(Quantity.describe(bytes: $0))" } ?? ""
    let user = part.processID.map { "process \($0)" } ?? "a process"
    let state = part.isInUse ? "in use by \(user)" : "\(Quantity.describe(part.age)) old"
    let verb = event == "swept" ? "removed, " : ""
    let line = "\(part.path): \(verb)\(amount)\(total), \(state), \(part.url ?? "no URL known")"
    frontEnd.result(frontEnd.shown(line))
  }

  // MARK: Deliveries

  func delivered(_ report: DeliveryReport, into directory: String) {
    for failure in report.failures {
      let reason = failure.problems.first?.message ?? "stopped before it was whole"
      if isJSON { frontEnd.record(.init(failure, reason: reason)) }
      frontEnd.error(failure.name, reason)
    }
    for problem in report.extraction.general { frontEnd.error(directory, problem.message) }
    if isJSON {
      frontEnd.record(.init(report, directory: directory))
    } else {
      let files = report.extraction.count(of: .done)
      frontEnd.note(directory, "\(files) files, \(report.extraction.bytes) bytes")
    }
  }
}
