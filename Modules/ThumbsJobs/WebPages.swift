internal import PdfThumbCore
internal import SystemIO
internal import ThumbViewer

/// The folder of a page to browse, and below it a folder of pictures for each document.
struct WebPages {
  let directory: String
  /// The format of thumbnails.
  private let format: PictureFormat
  private let store: any ResultStore
  private var documents: [ViewerDocument] = []

  init(directory: String, format: PictureFormat, store: any ResultStore) {
    self.directory = directory
    self.format = format
    self.store = store
  }

  mutating func begin(_ title: String) { documents.append(ViewerDocument(title: title)) }

  mutating func add(_ thumbnail: Thumbnail) throws(PDFError) {
    let address = address("thumb", thumbnail.page.index, format.fileExtension)
    try store.write(thumbnail.file, to: Path.join(directory, address))
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
    try store.write(view.file, to: Path.join(directory, address))
    let document = documents.indices.last
    guard let document,
      let page = documents[document].pages.lastIndex(where: { $0.number == view.page.index + 1 })
    else { return }
    documents[document].pages[page].view = address
  }

  func write() throws(PDFError) {
    guard documents.contains(where: { !$0.pages.isEmpty }) else { return }
    try store.write(
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
