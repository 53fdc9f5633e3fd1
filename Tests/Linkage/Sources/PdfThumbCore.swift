import PdfThumbCore

do {
  _ = try PDFDocument(.bytes(Array("no PDF".utf8)))
  preconditionFailure("six letters are no PDF")
} catch {
  precondition(error.code == .notAPDF)
}
