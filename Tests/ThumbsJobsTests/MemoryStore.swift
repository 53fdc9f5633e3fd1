import PdfThumbCore
import Synchronization
import ThumbsJobs

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
