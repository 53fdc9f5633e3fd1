internal import Dialogue
internal import PdfThumbCore
internal import TerminalPictures

/// Pages shown in rows of a terminal as they are drawn.
struct TerminalPages {
  let front: any FrontEnd
  var painter: TerminalPainter
  /// Whether a document's name stands above its pages.
  let namesDocuments: Bool

  func begin(_ title: String) {
    if namesDocuments { front.result(front.shown(title)) }
  }

  mutating func add(_ thumbnail: Thumbnail) throws {
    let number = "\(thumbnail.page.index + 1)"
    let label = thumbnail.page.label
    try write(
      painter.add(thumbnail.picture, caption: label == number ? number : "\(number) \(label)"))
  }

  mutating func end() throws { try write(painter.finish()) }

  private func write(_ bytes: [UInt8]) throws {
    if !bytes.isEmpty { try unsafe front.write(bytes.span.bytes) }
  }
}
