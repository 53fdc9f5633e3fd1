import PdfThumbCore
import SystemIO
import ThumbViewer

/// The folder of `--html`: a page, and below it a folder of pictures for each document.
struct WebPages {
  let directory: String
  private var documents: [ViewerDocument] = []

  init(directory: String) { self.directory = directory }

  mutating func begin(_ title: String) { documents.append(ViewerDocument(title: title)) }

  mutating func add(_ thumbnail: Thumbnail, format: PictureFormat) throws(PDFError) {
    let address = address("thumb", thumbnail.page.index, format.fileExtension)
    try ResultFile.write(thumbnail.file, to: Path.join(directory, address))
    append(
      .init(
        number: thumbnail.page.index + 1, label: thumbnail.page.label,
        width: thumbnail.picture.size.width, height: thumbnail.picture.size.height,
        thumbnail: address, view: nil))
  }

  /// The size of a page that could not be drawn is that of a letter 80 pixels high.
  mutating func addMissing(_ page: Int) {
    append(
      .init(
        number: page + 1, label: "\(page + 1)", width: 62, height: 80, thumbnail: nil, view: nil))
  }

  func hasThumbnail(of page: Int) -> Bool {
    documents.last?.pages.contains { $0.number == page + 1 && $0.thumbnail != nil } ?? false
  }

  mutating func addView(_ view: Thumbnail) throws(PDFError) {
    let address = address("view", view.page.index, PictureFormat.jpeg.fileExtension)
    try ResultFile.write(view.file, to: Path.join(directory, address))
    let document = documents.indices.last
    guard let document,
      let page = documents[document].pages.lastIndex(where: { $0.number == view.page.index + 1 })
    else { return }
    documents[document].pages[page].view = address
  }

  func write() throws(PDFError) {
    guard documents.contains(where: { !$0.pages.isEmpty }) else { return }
    try ResultFile.write(
      Array(ViewerPage.html(documents).utf8), to: Path.join(directory, "index.html"))
  }

  private mutating func append(_ page: ViewerDocument.Page) {
    guard let last = documents.indices.last else { return }
    documents[last].pages.append(page)
  }

  private func address(_ kind: String, _ page: Int, _ ext: String) -> String {
    "\(documents.count)/\(kind)-\(page + 1).\(ext)"
  }
}
