import CommandLineSupport
import PdfThumbCore
import ProgressReporting
import SystemIO

/// The command `thumbs`.
struct ThumbsCommand {
  let context: CommandContext

  init(_ context: CommandContext) { self.context = context }

  func run() async throws -> ExitStatus {
    let settings = try ThumbsSettings(context.arguments)
    let password = try password(settings)
    // A signal throws the switch; whatever waits for a page hears of it as the cancellation of its task.
    let task = Task { try await run(settings, password: password) }
    let registration = context.cancellation.onCancel { task.cancel() }
    defer { registration.cancel() }
    return try await task.value
  }

  private func run(_ settings: ThumbsSettings, password: String?) async throws -> ExitStatus {
    if settings.installsThumbnailer { return try DesktopJob.install(context.console) }
    let pool = settings.isIsolated ? try WorkerPool(settings.limits) : nil
    let desktop = DesktopJob(context: context, settings: settings, password: password, pool: pool)
    if settings.isThumbnailer { return try await desktop.thumbnail() }
    if settings.usesCache { return try await desktop.fillCache() }
    let meter = WorkMeter(
      "Drawing", total: UInt64(settings.files.count), unit: .items,
      cancellation: context.cancellation)
    var names = PictureNames(output: settings.output, format: settings.format)
    var collection = try PageCollection(settings: settings, context: context)
    var tally = Tally()
    return try await context.withProgress(meter) {
      for file in settings.files {
        try context.cancellation.check()
        let job = DocumentJob(
          context: context, settings: settings, file: file, password: password, meter: meter,
          pool: pool)
        tally.add(try await job.run(&names, &collection))
      }
      do throws(PDFError) {
        try collection.write()
      } catch {
        let result = settings.sheet ?? settings.sprite ?? settings.html ?? ""
        context.console.error(result, error.clause)
        tally.loseResult()
      }
      meter.finish()
      return tally.status
    }
  }

  private func password(_ settings: ThumbsSettings) throws -> String? {
    if let variable = settings.passwordVariable {
      guard let password = Environment[variable] else {
        throw CommandFailure(
          variable, "expected a password in this variable, found it unset", status: .usage)
      }
      return password
    }
    guard let path = settings.passwordFile else { return nil }
    do {
      let file = try FileDescriptor.open(path)
      let bytes = try file.readToEnd(limit: 1 << 16)
      return String(decoding: bytes.prefix { $0 != 10 && $0 != 13 }, as: UTF8.self)
    } catch {
      throw CommandFailure(
        path, "expected a file with a password: \(error.reason)", status: .usage)
    }
  }
}

/// What became of all documents together.
struct Tally {
  private var drawn = 0
  private var missing = 0
  private var openings: [ExitStatus] = []

  mutating func add(_ result: DocumentJob.Result) {
    drawn += result.drawn
    missing += result.missing
    if let opening = result.opening { openings.append(opening) }
  }

  /// A sheet, strip or web page could not be written.
  mutating func loseResult() { missing += 1 }

  /// Documents that did not open decide where nothing else went right.
  var status: ExitStatus {
    if missing == 0, openings.isEmpty { return .success }
    if drawn > 0 { return .incomplete }
    guard let first = openings.first else { return .nothing }
    return openings.allSatisfy { $0 == first } && missing == 0 ? first : .nothing
  }
}
