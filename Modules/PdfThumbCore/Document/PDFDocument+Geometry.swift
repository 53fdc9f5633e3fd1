extension PDFDocument {
  /// The size and label of a page, without drawing it; about 0.1 ms.
  ///
  /// - Parameters:
  ///   - page: The page, counted from 0.
  ///   - withBoxes: Whether ``PageGeometry/boxes`` is filled in, which reads the structure a second time.
  /// - Returns: The size as shown, and the label.
  /// - Throws: ``PDFError/Code/pageOutOfRange`` or ``PDFError/Code/pageMissing``.
  public mutating func geometry(of page: Int, withBoxes: Bool = false) throws(PDFError)
    -> PageGeometry
  {
    try check(page: page)
    let handle = try openPage(page)
    let size = handle.size()
    let boxes = withBoxes ? structure.boxes(of: page) : nil
    // Poppler 22.12 knows nothing of user units (ISO 32000-1, 14.11.2).
    let unit = boxes?.userUnit ?? structure.userUnit(of: page)
    return PageGeometry(
      index: page, width: size.width * unit, height: size.height * unit,
      label: handle.label() ?? "\(page + 1)", boxes: boxes)
  }

  /// Whether the document's table of objects is damaged, or its tree of pages as far as the first 1000 pages say, so
  /// that it had to be rebuilt.
  ///
  /// Poppler does that in silence; the structure is read a second time to know.
  public mutating func isRepaired() -> Bool {
    widen()
    if hasRebuiltTable() { return true }
    for page in 0..<min(pageCount, 1000) where (try? openPage(page)) != nil {
      if isRebuilt(page) { return true }
    }
    return false
  }

  /// Whether a page is there only because the table of objects or the tree of pages was rebuilt.
  mutating func isRepaired(_ page: Int) -> Bool { hasRebuiltTable() || isRebuilt(page) }

  private mutating func hasRebuiltTable() -> Bool { original?.isRepaired ?? structure.isRepaired() }

  /// The outline in reading order, at most 10,000 entries and 32 levels deep.
  public mutating func outline() -> [OutlineEntry] {
    widen()
    return handle.outline(limit: 10_000)
  }

  /// What the document says of itself.
  public mutating func information() -> DocumentInformation {
    widen()
    let said = handle.information()
    return DocumentInformation(
      title: said.title, author: said.author, version: original?.version ?? said.version,
      isLinearized: original?.isLinearized ?? handle.isLinearized(),
      isEncrypted: original?.isEncrypted ?? (wasLocked || structure.isEncrypted()),
      isRepaired: isRepaired(), missingFonts: structure.missingFonts(pages: min(pageCount, 1000)))
  }
}

/// What a document says of itself.
public struct DocumentInformation: Sendable, Equatable {
  /// The title, where the document names one.
  public var title: String?
  /// The author, where the document names one.
  public var author: String?
  /// The version of PDF, as `PDF-1.7`.
  public var version: String?
  /// Whether the file is laid out for showing its first page early.
  public var isLinearized: Bool
  /// Whether the document is encrypted.
  public var isEncrypted: Bool
  /// Whether its table of objects had to be rebuilt, or its tree of pages for one of the first 1000 pages.
  public var isRepaired: Bool
  /// The names of fonts that are neither in the document nor replaced by one of this machine with
  /// their letters; at most 64, of the first 1000 pages.
  public var missingFonts: [String]
}
