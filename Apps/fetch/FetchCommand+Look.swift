import CommandLineSupport
import NetworkCore
import ProgressReporting

// What looks at downloads and starts none.
extension FetchCommand {
  /// Says what would be done.
  func plan(
    _ items: [DownloadItem], _ settings: FetchSettings, _ session: NetworkSession
  ) async throws -> ExitStatus {
    let voice = FetchVoice(context)
    var status = ExitStatus.success
    for item in items {
      try context.cancellation.check()
      do {
        voice.planned(try await session.plan(item, options: settings.options))
      } catch let error as NetworkError {
        voice.failed(error, url: item.url)
        status = status.or(ExitStatus(UInt8(clamping: error.exitStatus)))
      }
    }
    return status
  }

  /// Lists or removes what interrupted downloads left; `nil` where neither is asked for.
  func tidy(_ settings: FetchSettings) async throws -> ExitStatus? {
    let sweeps = context.arguments.isSet(FetchCommand.sweep)
    guard sweeps || context.arguments.isSet(FetchCommand.parts) else { return nil }
    let age = context.arguments.duration(FetchCommand.sweep) ?? .zero
    let voice = FetchVoice(context)
    var status = ExitStatus.success
    for part in try await PartialDownload.list(in: settings.directory) {
      guard sweeps else {
        voice.found(part, "part")
        continue
      }
      guard part.age >= age, !part.isInUse else { continue }
      do {
        try await part.remove()
        voice.found(part, "swept")
      } catch let error as NetworkError {
        voice.failed(error, url: part.url)
        status = status.or(ExitStatus(UInt8(clamping: error.exitStatus)))
      }
    }
    return status
  }
}

extension FetchVoice {
  func planned(_ plan: DownloadPlan) {
    guard !isJSON else { return console.printJSON(json(plan)) }
    console.print("\(plan.url)")
    func say(_ what: String, _ text: String?) {
      guard let text else { return }
      console.print("  \(what)\(String(repeating: " ", count: 10 - what.count))\(text)")
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

  private func json(_ plan: DownloadPlan) -> CommandLineSupport.JSONValue {
    [
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

  func found(_ part: PartialDownload, _ event: String) {
    if isJSON {
      console.printJSON([
        "event": .init(event), "part": .init(part.path), "target": .init(part.target),
        "url": .init(part.url), "stored": .init(part.storedBytes),
        "total": part.totalBytes.map { .init($0) } ?? .null,
        "allocated": .init(part.allocatedBytes), "age": .double(part.age / .seconds(1)),
        "in_use": .bool(part.isInUse), "pid": part.processID.map { .init($0) } ?? .null,
      ])
      return
    }
    let amount = Quantity.describe(bytes: part.storedBytes)
    let total = part.totalBytes.map { " of \(Quantity.describe(bytes: $0))" } ?? ""
    let user = part.processID.map { "process \($0)" } ?? "a process"
    let state = part.isInUse ? "in use by \(user)" : "\(Quantity.describe(part.age)) old"
    let verb = event == "swept" ? "removed, " : ""
    console.print("\(part.path): \(verb)\(amount)\(total), \(state), \(part.url ?? "no URL known")")
  }
}
