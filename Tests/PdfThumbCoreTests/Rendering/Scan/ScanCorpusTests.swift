import PdfThumbCore
import SystemIO
import TestSupport
import Testing

/// Real scans, drawn both ways.
@Suite struct `Scans of the corpus` {
  /// The mean difference of a picture's bytes that still is the same picture: text of 300 dots an inch, averaged from
  /// other samples, comes to 2.
  static let tolerance = 2.5

  @Test(.enabled(if: Corpus.folder != nil, "\(Corpus.absence)"))
  func `a page put together from its images looks as the renderer draws it`() async throws {
    let pool = try WorkerPool(Probe.settings(workers: 2, pageTime: .seconds(20), memory: 1 << 30))
    // The renderer takes its time for the largest scans; pages that never end are not for it.
    let patient = try WorkerPool(
      Probe.settings(workers: 1, pageTime: .seconds(120), memory: 1 << 30))
    var taken = 0
    for path in Corpus.files(below: "pdfs", suffix: ".pdf") {
      guard let document = try? await pool.open(.path(path)) else { continue }
      for page in 0..<min(document.pageCount, path.contains("/bench/scan-") ? 12 : 2) {
        let quick = try? await document.draw(page)
        guard let quick, quick.report.source == .scan else { continue }
        taken += 1
        let slow = try await patient.open(.path(path)).draw(
          page, renderer: PageRenderer(settings: RenderSettings(takesShortcuts: false)))
        #expect(slow.report.source == .render)
        #expect(slow.picture.size == quick.picture.size)
        let difference = Self.difference(quick.picture, slow.picture)
        #expect(difference < Self.tolerance, "\(path) page \(page + 1)")
        if Environment["COURIER_SCAN_REPORT"] != nil {
          print("scan", difference, Path.name(of: path), page + 1)
        }
      }
    }
    #expect(taken >= 40)
  }

  static func difference(_ one: Picture, _ other: Picture) -> Double {
    let sum = zip(one.pixels, other.pixels).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
    return Double(sum) / Double(max(1, one.pixels.count))
  }
}
