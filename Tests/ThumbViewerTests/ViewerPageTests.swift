import Testing
import ThumbViewer

@Suite("The viewer's page")
struct ViewerPageTests {
  func page(_ number: Int, label: String? = nil, isMissing: Bool = false) -> ViewerDocument.Page {
    .init(
      number: number, label: label ?? "\(number)", width: 57, height: 80,
      thumbnail: isMissing ? nil : "1/thumb-\(number).png",
      view: isMissing ? nil : "1/view-\(number).jpg")
  }

  @Test func `holds a place of the right size for each page, in order`() {
    let html = ViewerPage.html([.init(title: "a", pages: [page(1), page(2)])])
    let places = html.split(separator: "<a ").dropFirst()
    #expect(places.count == 2)
    #expect(places.allSatisfy { $0.contains("style=\"width:57px;height:80px\"") })
    #expect(places.first?.contains("href=\"#d1p1\"") == true)
    #expect(places.last?.contains("data-view=\"1/view-2.jpg\"") == true)
  }

  @Test func `names pages of several documents apart`() {
    let html = ViewerPage.html([
      .init(title: "a", pages: [page(1)]), .init(title: "b", pages: [page(1)]),
    ])
    #expect(html.contains("id=\"d1p1\""))
    #expect(html.contains("id=\"d2p1\""))
    #expect(html.contains("<title>2 documents</title>"))
  }

  @Test func `lets no title or label out of its place`() {
    let html = ViewerPage.html([
      .init(title: "\"><script>alert(1)</script>", pages: [page(1, label: "'\"<&")])
    ])
    #expect(!html.contains("<script>alert"))
    #expect(html.contains("&quot;&gt;&lt;script&gt;alert(1)"))
    #expect(html.contains("&#39;&quot;&lt;&amp; (1)"))
  }

  @Test func `keeps the place of a page that could not be drawn`() {
    let html = ViewerPage.html([.init(title: "a", pages: [page(1, isMissing: true)])])
    #expect(html.contains("id=\"d1p1\""))
    #expect(!html.contains("data-view"))
    #expect(!html.contains("src=\"1/"))
  }

  @Test func `asks for nothing beyond the pictures it names`() {
    let html = ViewerPage.html([.init(title: "a", pages: [page(1)])])
    #expect(!html.contains("http:") && !html.contains("https:"))
    #expect(html.contains("default-src 'none'"))
  }
}
