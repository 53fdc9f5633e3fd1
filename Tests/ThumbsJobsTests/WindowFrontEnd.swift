import Dialogue
import PdfThumbCore
import ProgressReporting
import Synchronization
import ThumbsJobs

/// A front end that keeps what it hears: no terminal, no process of its own.
final class WindowFrontEnd: FrontEnd {
  private struct State {
    var messages: [Message] = []
    var bytes: [UInt8] = []
    var progress: WorkSnapshot?
  }

  let cancellation = WorkCancellation()
  private let state = Mutex(State())
  /// Called with each message, as a window would act on one.
  private let act: @Sendable (Message, WorkCancellation) -> Void

  init(_ act: @escaping @Sendable (Message, WorkCancellation) -> Void = { _, _ in }) {
    self.act = act
  }

  var messages: [Message] { state.withLock { $0.messages } }
  var bytes: [UInt8] { state.withLock { $0.bytes } }
  /// How far the work was at its end.
  var progress: WorkSnapshot? { state.withLock { $0.progress } }

  /// What was told for programs, one line each.
  var records: [String] {
    messages.compactMap { if case .record(let value, _) = $0 { value.text } else { nil } }
  }

  func shown(_ text: String) -> String { "<\(text)>" }

  func tell(_ message: Message) {
    state.withLock { $0.messages.append(message) }
    act(message, cancellation)
  }

  func write(_ bytes: RawSpan) throws {
    let copy = unsafe bytes.withUnsafeBytes { unsafe Array($0) }
    state.withLock { $0.bytes += copy }
  }

  func answer(to question: String) throws -> String? { nil }

  func secret(for question: String) async throws -> [UInt8]? { nil }

  func withProgress<Result>(
    _ meter: WorkMeter, _ work: () async throws -> Result
  ) async throws -> Result {
    defer { state.withLock { $0.progress = meter.snapshot() } }
    return try await work()
  }
}

/// Files that are kept in memory, or refused.
final class MemoryStore: ResultStore {
  private let files = Mutex<[String: [UInt8]]>([:])
  private let refused: @Sendable (String) -> Bool

  init(refusing refused: @escaping @Sendable (String) -> Bool = { _ in false }) {
    self.refused = refused
  }

  var names: [String] { files.withLock { $0.keys.sorted() } }

  subscript(name: String) -> [UInt8]? { files.withLock { $0[name] } }

  func text(_ name: String) -> String { String(decoding: self[name] ?? [], as: UTF8.self) }

  func write(_ bytes: [UInt8], to path: String) throws(PDFError) {
    guard !refused(path) else { throw PDFError(code: .writeFailed, message: "expected room") }
    files.withLock { $0[path] = bytes }
  }
}
