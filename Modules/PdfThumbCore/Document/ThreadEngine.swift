internal import Synchronization
internal import SystemIO

/// Poppler on threads of this process: quick to start, and exposed to whatever a document does to it.
///
/// Each thread has the document open for itself. The first picture is drawn alone, for poppler 22.12 sets up
/// its colour profiles at the first drawing without a lock.
final class ThreadEngine: PageEngine {
  /// An open document that wanders from thread to thread, in one hand at a time.
  private final class Seat: Sendable {
    let document: Mutex<PDFDocument>
    init(_ document: consuming PDFDocument) { self.document = Mutex(document) }
  }

  private struct State {
    var idle: [Seat] = []
    var busy = 0
    var isWarm = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  let name: String
  let pageCount: Int
  let capacity: Int
  private let bytes: DocumentBytes
  private let state: Mutex<State>

  /// Poppler recurses through nested objects on the stack.
  private static let stackSize = 16 << 20

  init(
    _ document: consuming PDFDocument, capacity: Int
  ) {
    name = document.name
    pageCount = document.pageCount
    bytes = document.bytes.share()
    self.capacity = max(1, capacity)
    state = Mutex(State(idle: [Seat(document)]))
  }

  /// Opens a document on a thread of its own.
  static func open(
    _ source: PDFSource, password: String?, capacity: Int
  ) async throws -> ThreadEngine {
    try await OwnedThread.run(named: "pdf-open", stackSize: stackSize) {
      ThreadEngine(try PDFDocument(source, password: password), capacity: capacity)
    }
  }

  func geometry(
    of pages: Range<Int>, withBoxes: Bool
  ) async throws -> [Result<PageGeometry, PDFError>] {
    try await use { document in
      var found: [Result<PageGeometry, PDFError>] = []
      for page in pages {
        do throws(PDFError) {
          found.append(.success(try document.geometry(of: page, withBoxes: withBoxes)))
        } catch {
          found.append(.failure(error))
        }
      }
      return found
    }
  }

  func outline() async throws -> [OutlineEntry] {
    try await use { $0.outline() }
  }

  func information() async throws -> DocumentInformation {
    try await use { $0.information() }
  }

  func draw(_ page: Int, size: ThumbnailSize, renderer: PageRenderer) async throws -> DrawnPage {
    try await use { document in
      let geometry = try document.geometry(of: page, withBoxes: renderer.settings.box != .crop)
      let pixels: PixelSize
      do throws(PDFError) {
        pixels = try renderer.pixelSize(of: geometry, size: size)
      } catch {
        throw error.about(document.name)
      }
      let drawn = try renderer.picture(of: page, in: &document, size: pixels)
      return DrawnPage(picture: drawn.picture, report: drawn.report, page: geometry)
    }
  }

  private func use<Value: Sendable>(
    _ body: @escaping @Sendable (inout PDFDocument) throws -> Value
  ) async throws -> Value {
    await enter()
    guard !Task.isCancelled else {
      leave()
      throw CancellationError()
    }
    return try await OwnedThread.run(
      named: "pdf-page", stackSize: Self.stackSize, abandonsWhenCancelled: true
    ) { [self] in
      // Poppler cannot be stopped: a caller that gives up leaves the thread its place.
      defer { leave() }
      let seat = try takeSeat()
      defer { state.withLock { $0.idle.append(seat) } }
      return try seat.document.withLock { document in try body(&document) }
    }
  }

  private func takeSeat() throws -> Seat {
    if let seat = state.withLock({ $0.idle.popLast() }) { return seat }
    return Seat(try PDFDocument(bytes: bytes.share(), name: name, password: nil))
  }

  private func enter() async {
    await withCheckedContinuation { continuation in
      let mayGo = state.withLock { state in
        guard state.busy < (state.isWarm ? capacity : 1) else {
          state.waiting.append(continuation)
          return false
        }
        state.busy += 1
        return true
      }
      if mayGo { continuation.resume() }
    }
  }

  private func leave() {
    let next = state.withLock { state in
      state.isWarm = true
      state.busy -= 1
      let count = min(capacity - state.busy, state.waiting.count)
      let next = Array(state.waiting.prefix(count))
      state.waiting.removeFirst(count)
      state.busy += count
      return next
    }
    for continuation in next { continuation.resume() }
  }
}
