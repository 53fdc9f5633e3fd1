import SystemIO
import TestSupport
import Testing

@Suite(
  "thumbs --html in a browser", .enabled(if: Browser.isAvailable, "there is no /usr/bin/chromium"))
struct BrowserTests {
  let folder: TemporaryDirectory
  static let pageCount = 200

  init() async throws {
    folder = try TemporaryDirectory()
    var builder = PDFBuilder(
      pages: (0..<Self.pageCount).map { page in
        .filled(page == 0 ? "1 0 0" : "0 0.5 0", width: 12, height: 80)
      })
    builder.labels = "0 << /S /r >> 4 << /S /D >>"
    builder.flaw = .missingPage(3)
    let path = try folder.write("d.pdf", builder.build())
    let ended = try await BuiltProgram.run("thumbs", ["--html", folder.path("web"), path])
    #expect(ended.status == 1, "\(ended.errors)")
  }

  private func browse(_ body: @escaping @Sendable (Browser) throws -> Void) async throws {
    let url = "file://" + folder.path("web/index.html")
    try await OwnedThread.run(named: "browser") {
      let browser = try Browser(url, width: 1000, height: 700)
      defer { browser.close() }
      try browser.waitUntil("document.readyState === 'complete' && document.querySelector('nav')")
      try body(browser)
    }
  }

  private static let last = "document.querySelector('nav a:last-of-type')"
  private static let view = "document.getElementById('view')"

  @Test func `a document is leafed through`() async throws {
    try await browse { browser in
      try checkStrip(browser)
      try checkKeys(browser)
    }
  }

  /// The strip lies below the page and fetches what comes into view.
  private func checkStrip(_ browser: Browser) throws {
    let places = "document.querySelectorAll('nav a')"
    #expect(try browser.value("\(places).length") == "\(Self.pageCount)")
    #expect(
      try browser.value(
        """
        (() => { const strip = document.querySelector('nav').getBoundingClientRect()
          return strip.bottom === innerHeight && strip.left === 0 && strip.width === innerWidth
            && strip.height < 200 && document.querySelector('main').getBoundingClientRect().bottom
            <= strip.top })()
        """) == "true")
    // Near pictures come, far ones wait as white places at half opacity.
    try browser.waitUntil("\(places)[0].classList.contains('loaded')")
    let opacity = "getComputedStyle(%).opacity"
    #expect(
      try browser.value(opacity.replacing("%", with: "\(places)[0]")) == "1")
    #expect(try browser.value(opacity.replacing("%", with: "\(places)[190]")) == "0.5")
    #expect(
      try browser.value(
        "performance.getEntriesByType('resource').filter(e => e.name.includes('thumb-')).length < 150"
      ) == "true")
    let size =
      "(r => r.width + 'x' + r.height)(\(places)[190].getBoundingClientRect())"
    #expect(try browser.value(size) == "12x80")
    // It is fetched as it comes into view.
    _ = try browser.value("\(places)[190].scrollIntoView()")
    try browser.waitUntil("\(places)[190].classList.contains('loaded')")
    #expect(
      try browser.value(
        "performance.getEntriesByType('resource').every(e => e.name.startsWith('file:'))")
        == "true")
  }

  /// Clicks and keys go to pages.
  private func checkKeys(_ browser: Browser) throws {
    try browser.waitUntil("\(Self.view).src.endsWith('1/view-1.jpg')")
    #expect(
      try browser.value("document.getElementById('caption').textContent").hasSuffix(
        ", page i (1)"))
    _ = try browser.value("document.getElementById('d1p5').scrollIntoView()")
    let place = "document.getElementById('d1p5').getBoundingClientRect()"
    let x = try #require(Double(try browser.value("\(place).left + 6")))
    let y = try #require(Double(try browser.value("\(place).top + 20")))
    try browser.click(x: Int(x), y: Int(y))
    try browser.waitUntil("\(Self.view).src.endsWith('1/view-5.jpg') && \(Self.view).complete")
    #expect(
      try browser.value("document.querySelector('nav a[aria-current]').id + location.hash")
        == "d1p5#d1p5")
    #expect(try browser.value("\(Self.view).naturalHeight") == "1600")
    for (key, code, page) in [
      ("ArrowRight", 39, 6), ("ArrowLeft", 37, 5), ("PageDown", 34, 15), ("PageUp", 33, 5),
      ("Home", 36, 1),
    ] {
      try browser.press(key, code: code)
      try browser.waitUntil("\(Self.view).src.endsWith('1/view-\(page).jpg')")
    }
    // The last page is the one that poppler misses.
    try browser.press("End", code: 35)
    try browser.waitUntil("!document.getElementById('missing').hidden")
    #expect(try browser.value("\(Self.last).hasAttribute('aria-current')") == "true")
    #expect(
      try browser.value("\(Self.last).getBoundingClientRect().right <= innerWidth") == "true")
    #expect(try browser.value("\(Self.view).hasAttribute('src')") == "false")
  }
}
