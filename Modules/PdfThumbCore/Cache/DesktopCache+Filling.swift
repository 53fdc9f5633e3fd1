extension DesktopCache {
  /// Sees that the cache holds a picture of a document, and remembers documents that have none.
  ///
  /// - Parameters:
  ///   - file: The path of the document.
  ///   - size: The size of the picture.
  ///   - draw: Draws the first page and counts the pages; not called where the cache has an answer.
  /// - Returns: The path of the picture, and whether it was drawn now.
  /// - Throws: ``PDFError``, also the one remembered from an earlier try, or what `draw` throws.
  public func fill(
    _ file: String, size: Size,
    draw: () async throws -> (picture: Picture, pageCount: Int)
  ) async throws -> (path: String, isNew: Bool) {
    guard let original = original(file) else {
      throw PDFError(
        code: .unreadable, message: "expected a readable file outside the cache, found none")
    }
    if thumbnail(of: original, size: size) != nil { return (path(of: original, size: size), false) }
    if let code = failure(of: original) {
      throw PDFError(code: code, message: "expected a document that was not found bad lately")
    }
    do {
      let (picture, count) = try await draw()
      return (try store(picture, of: original, size: size, pageCount: count), true)
    } catch let error as PDFError {
      note(error, of: original)
      throw error
    }
  }
}
