internal import SystemIO

/// What a document is drawn from, when that is not the document as it is.
struct DrawingCopy: Sendable, Equatable {
  /// What was changed in the copy that poppler has open now.
  var changes = QPDFHandle.Changes()
  /// Whether the document may be expanded: in processes whose memory is limited only, for it may be a bomb.
  var mayExpand = false
  /// Whether rebuilding the tree of pages was tried; it helps at the first try or not at all.
  var wasRebuilt = false
  /// The time spent on drawing from the document as it is.
  var spent = Duration.zero

  /// A document of more bytes is drawn as it is.
  static let greatestOriginal = 24 << 20
  /// A copy of more bytes is not worth its memory.
  static let greatestCopy = 64 << 20

  /// Whether as much time was spent as making the copy will take, by half.
  ///
  /// Nobody knows how many pages will be asked for. Expanding takes about 0.15 s a megabyte; once half of
  /// that went into drawing, the copy has cost at worst three times what it could have saved.
  func isWorthExpanding(bytes: Int, pages: Int) -> Bool {
    mayExpand && !changes.expands && pages > 4 && bytes <= Self.greatestOriginal
      && spent >= .nanoseconds(max(10_000_000, Int64(bytes) * 75))
  }
}

extension PDFDocument {
  /// Whether pages are drawn from an expanded copy.
  package var isExpanded: Bool { copy.changes.expands }

  /// The page, if need be out of a copy whose tree of pages is rebuilt.
  ///
  /// - Throws: ``PDFError/Code/pageMissing``.
  mutating func openPage(_ page: Int) throws(PDFError) -> PopplerPageHandle {
    if let found = handle.page(page) { return found }
    if !copy.wasRebuilt {
      copy.wasRebuilt = true
      var changes = copy.changes
      changes.rebuildsPages = true
      if reopen(with: changes), let found = handle.page(page) { return found }
    }
    throw PDFError.pageMissing(page).about(name)
  }

  /// Makes poppler read a document whose crop boxes are the box wanted.
  mutating func use(_ box: PageBox) throws(PDFError) {
    guard copy.changes.box != box else { return }
    var changes = copy.changes
    changes.box = box
    guard reopen(with: changes) else { throw .boxesUnknown(box) }
  }

  /// Notes time spent on drawing, and expands the document when that seems worth it.
  mutating func note(spent: Duration) {
    copy.spent += spent
    guard copy.isWorthExpanding(bytes: bytes.count, pages: pageCount) else { return }
    var changes = copy.changes
    changes.expands = true
    copy.mayExpand = false
    // What qpdf read so far would stand in memory twice.
    structure.forget()
    _ = reopen(with: changes)
    MemoryRelease.trim()
  }

  /// Opens a copy in place of what poppler has open; whatever goes wrong leaves that as it is.
  private mutating func reopen(with changes: QPDFHandle.Changes) -> Bool {
    if changes == QPDFHandle.Changes() {
      guard let original = try? PopplerDocumentHandle(bytes: bytes) else {
        return false
      }
      handle = original
    } else {
      guard let copied = structure.copy(changes), copied.count <= DrawingCopy.greatestCopy,
        var opened = try? PopplerDocumentHandle(bytes: copied),
        opened.pageCount() == pageCount
      else { return false }
      handle = opened
    }
    copy.changes = changes
    return true
  }
}
