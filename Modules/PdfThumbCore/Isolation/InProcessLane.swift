internal import SystemIO

/// A thread that draws in this process; a document that crashes poppler crashes the program.
///
/// Made and used on its own thread.
final class InProcessLane {
  private let board: WorkBoard
  private let wake: WorkBoard.Wake
  private let engine = PDFWorkerEngine()
  private var file: DocumentFile?
  private var opened: OpenedDocument?

  init(_ board: WorkBoard, _ wake: WorkBoard.Wake) {
    self.board = board
    self.wake = wake
  }

  /// Works until the board closes.
  func run() {
    while !board.isClosed {
      if let file, !board.isOpen(file) { leave() }
      guard let job = board.take(for: file, isExtra: false) else {
        _ = try? Readiness.wait(for: [wake.signal.descriptor.raw], timeout: .seconds(60))
        wake.signal.lower()
        continue
      }
      board.noteIdle(false)
      work(job)
      board.noteIdle(true)
    }
  }

  private func leave() {
    if let file { board.note(lanes: -1, for: file) }
    (file, opened) = (nil, nil)
    engine.close()
  }

  private func work(_ job: WorkJob) {
    if file !== job.file {
      leave()
      do throws(PDFError) {
        opened = try engine.open(
          .descriptor(job.file.descriptor.raw, name: job.file.name), password: job.file.password)
        file = job.file
        board.note(lanes: 1, for: job.file)
      } catch {
        board.fail(job.file, error)
        return job.finish(.failure(error))
      }
    }
    do throws(PDFError) {
      job.finish(.success(try answer(job.order)))
    } catch {
      job.finish(.failure(error))
    }
  }

  private func answer(_ order: WorkJob.Order) throws(PDFError) -> WorkJob.Answer {
    switch order {
    case .open:
      guard let opened else { throw .workerWithoutDocument() }
      return .opened(opened)
    case .draw(let order): return .drawn(try draw(order))
    case .describe(let first, let count, let withBoxes):
      return .described(
        (first..<first + count).map { page in
          Result { () throws(PDFError) in try engine.geometry(of: page, withBoxes: withBoxes) }
        })
    case .outline: return .outline(try engine.outline())
    case .information: return .information(try engine.information())
    }
  }

  private func draw(_ order: DrawOrder) throws(PDFError) -> DrawnPage {
    let start = Environment.monotonicNow
    let settings = order.renderer.settings
    let geometry = try engine.geometry(of: order.page, withBoxes: settings.box != .crop)
    let size = try order.renderer.pixelSize(of: geometry, size: order.size)
    var report = DrawingReport()
    let picture = try Picture(size: size, format: settings.format) {
      (pixels) throws(PDFError) in
      report = try engine.draw(order.page, renderer: order.renderer, size: size, into: &pixels)
    }
    return DrawnPage(
      geometry: geometry, picture: picture, report: report,
      elapsed: Environment.monotonicNow - start)
  }
}
