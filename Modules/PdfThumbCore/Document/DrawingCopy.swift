internal import SystemIO

/// What a document is drawn from, when that is not the document as it is.
struct DrawingCopy: Sendable {
  /// What was changed in the copy that poppler has open now.
  var changes = QPDFHandle.Changes()
  /// Whether rebuilding the tree of pages was tried; it helps at the first try or not at all.
  var wasRebuilt = false
  /// Whether the document itself is a copy whose text is hidden already.
  var isPrepared = false
  /// Whether hiding text was tried in vain.
  var cannotHideText = false
  /// That images are reduced, if they are.
  var reduced: ReducedImages?
  /// A copy of more bytes is not worth its memory.
  static let greatestCopy = 64 << 20

  /// Whether poppler lays out no text when it draws for a screen.
  var hidesText: Bool { isPrepared || changes.hidesText }
}

/// That the images of a copy are reduced, and what for.
struct ReducedImages: Sendable {
  /// The shorter side in pixels of the largest canvas they are good for.
  var canvasSide: Int
  /// The document as it was.
  var full: FullDocument
}

/// Holds a document's bytes, for values that can be copied.
final class FullDocument: Sendable {
  let bytes: DocumentBytes
  init(bytes: consuming DocumentBytes) { self.bytes = bytes }
}

/// What a copy does not tell of the document it was made of.
struct OriginalFacts: Sendable, Equatable {
  var version: String?
  var isLinearized: Bool
  var isEncrypted: Bool
  var isRepaired: Bool
}

extension PDFDocument {
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

  /// Makes a copy whose streams are expanded, for ``adopt(_:)`` to draw from.
  ///
  /// - Parameters:
  ///   - canvasSide: The shorter side in pixels of the canvas that large images are reduced for, or 0 to keep them.
  ///   - store: Gets its bytes and says whether there was room for them.
  /// - Returns: The number of bytes stored, 0 when there is no such copy, and whether images were reduced.
  package mutating func expand(
    canvasSide: Int = 0, _ store: (UnsafeRawBufferPointer) -> Bool
  ) -> (count: Int, isReduced: Bool) {
    // Where the tree of pages had to be rebuilt, pages may have other numbers in the copy.
    guard !copy.changes.rebuildsPages else { return (0, false) }
    // What qpdf read so far would stand in memory twice.
    structure.forget()
    defer { MemoryRelease.trim() }
    let made = unsafe structure.expanded(canvasSide: canvasSide) { bytes in
      unsafe store(bytes) ? bytes.count : 0
    }
    return made ?? (0, false)
  }

  /// Goes back to the document as it was, where reduced images would show.
  mutating func useFullImages(
    unlessFor size: PixelSize, _ renderer: PageRenderer
  ) throws(PDFError) {
    guard let reduced = copy.reduced else { return }
    let side = min(size.width, size.height) * renderer.supersampling(for: size)
    guard side > reduced.canvasSide || !renderer.settings.takesShortcuts else { return }
    let full = reduced.full.bytes.share()
    handle = try PopplerDocumentHandle(bytes: full)
    structure = DocumentStructure(bytes: full.share())
    bytes = full
    copy = DrawingCopy()
  }

  /// Draws from a copy made by ``expand(_:)`` from now on; the bytes stay where they are as long as the process lives.
  ///
  /// - Throws: ``PDFError/Code/damaged`` and the like when it is no such copy; then nothing has changed.
  @unsafe
  package mutating func adopt(
    immortal memory: UnsafeRawBufferPointer, canvasSide: Int = 0
  ) throws(PDFError) {
    let expanded = unsafe DocumentBytes(immortal: memory)
    var opened = try PopplerDocumentHandle(bytes: expanded)
    guard opened.pageCount() == pageCount else { throw .damaged(cause: "another count of pages") }
    original = OriginalFacts(
      version: handle.information().version, isLinearized: handle.isLinearized(),
      isEncrypted: wasLocked || structure.isEncrypted(), isRepaired: isRepaired())
    handle = opened
    structure = DocumentStructure(bytes: expanded.share())
    let full = FullDocument(bytes: bytes.share())
    bytes = expanded
    copy = DrawingCopy(isPrepared: true)
    if canvasSide > 0 { copy.reduced = ReducedImages(canvasSide: canvasSide, full: full) }
    MemoryRelease.trim()
  }

  /// Opens a copy in place of what poppler has open; whatever goes wrong leaves that as it is.
  mutating func reopen(with changes: QPDFHandle.Changes) -> Bool {
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
