internal import Dialogue
internal import NetworkCore
internal import RemoteZip
internal import ZipKitCore

// NetworkCore has one of its own, which it reads manifests into.
typealias JSONValue = Dialogue.JSONValue

// What happens, as programs read it: an object each, `event` first.
extension JSONValue {
  init(_ event: DownloadEvent) {
    self =
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
      case .left(let url, let path, let code):
        [
          "event": "left", "url": .init(url), "path": .init(path), "errno": .init(code.rawValue),
          "message": .init("expected to remove it, found: \(code)"),
        ]
      }
  }

  init(_ report: DownloadReport) {
    self = [
      "event": "finished", "url": .init(report.url), "path": .init(report.path),
      "bytes": .init(report.byteCount), "resumed": .init(report.resumedBytes),
      "wire": .init(report.wireBytes), "requests": .init(report.requestCount),
      "connections": .init(report.connectionCount),
      "length_verified": .bool(report.isLengthVerified), "skipped": .bool(report.wasSkipped),
    ]
  }

  init(_ error: NetworkError, url: String?) {
    self = [
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

  init(_ plan: DownloadPlan) {
    self = [
      "event": "planned", "version": 1, "url": .init(plan.url),
      "redirects": .array(plan.redirects.map { .string($0) }),
      "action": .init(plan.action.rawValue), "reason": .init(plan.reason),
      "path": .init(plan.path), "part": .init(plan.part), "stored": .init(plan.storedBytes),
      "range": .init(plan.range), "if_range": .init(plan.condition),
      "status": plan.status.map { .init($0) } ?? .null,
      "total": plan.totalBytes.map { .init($0) } ?? .null, "ranges": .bool(plan.takesRanges),
      "etag": .init(plan.entityTag), "last_modified": .init(plan.lastModified),
      "checks": .array(plan.checks.map { .string($0) }),
    ]
  }

  init(_ part: PartialDownload, event: String) {
    self = [
      "event": .init(event), "part": .init(part.path), "target": .init(part.target),
      "url": .init(part.url), "stored": .init(part.storedBytes),
      "total": part.totalBytes.map { .init($0) } ?? .null,
      "allocated": .init(part.allocatedBytes), "age": .double(part.age / .seconds(1)),
      "in_use": .bool(part.isInUse), "pid": part.processID.map { .init($0) } ?? .null,
    ]
  }

  init(_ failure: DeliveryReport.Failure, reason: String) {
    self = [
      "event": "entry-failed", "name": .init(failure.name), "message": .init(reason),
      "rule": failure.problems.first.map { .init($0.code.id) } ?? .null,
    ]
  }

  init(_ report: DeliveryReport, directory: String) {
    self = [
      "event": "extracted", "url": .init(report.download.url), "directory": .init(directory),
      "files": .init(report.extraction.count(of: .done)),
      "links": .init(report.extraction.count(of: .link)),
      "failed": .init(report.failures.count), "bytes": .init(report.extraction.bytes),
    ]
  }
}
