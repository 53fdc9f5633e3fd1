internal import SystemIO

/// What a document is drawn from, when that is not the document as it is.
struct DrawingCopy: Sendable {
  /// What was changed in the copy that poppler has open now.
  var changes = QPDFHandle.Changes()
  /// Whether rebuilding the tree of pages was tried; it helps at the first try or not at all.
  var wasRebuilt = false
  /// Whether cutting circles was tried; it helps at the first try or not at all.
  var wereCirclesCut = false
  /// Whether the document itself is a copy whose text is hidden already.
  var isPrepared = false
  /// Whether hiding text was tried in vain.
  var cannotHideText = false
  /// The pages that the copy has, where it has not all of them.
  var pages: Range<Int>?
  /// Whether no copy of some pages is to be made, for one was made or cannot be.
  var refusesNarrowing = false
  /// The copy with smaller images that poppler has open, if it has.
  var standIns: StandIns?
  /// Whether no such copy can be made.
  var refusesStandIns = false
  /// The numbers of images that cannot be made smaller.
  var refusedStandIns: Set<Int> = []
  /// A copy of more bytes is not worth its memory.
  static let greatestCopy = 64 << 20

  /// Whether poppler lays out no text when it draws for a screen.
  var hidesText: Bool { isPrepared || changes.hidesText }
}

/// What a copy does not tell of the document it was made of.
struct OriginalFacts: Sendable, Equatable {
  var version: String?
  var isLinearized: Bool
  var isEncrypted: Bool
  var isRepaired: Bool
  /// Whether it could be drawn with smaller images; a copy that could all the same must not show.
  var takesStandIns: Bool
}

extension PDFDocument {
  /// Whether poppler finds a page only because the tree of pages was rebuilt.
  ///
  /// That is a page's own matter: others may have been drawn before the tree was rebuilt, or by another worker.
  mutating func isRebuilt(_ page: Int) -> Bool {
    copy.changes.rebuildsPages && unbuilt?.page(page) == nil
  }

  /// The page, if need be out of a copy whose tree of pages is rebuilt.
  ///
  /// - Throws: ``PDFError/Code/pageMissing``.
  mutating func openPage(_ page: Int) throws(PDFError) -> PopplerPageHandle {
    widen(unlessHaving: page)
    if let found = handle.page(page) { return found }
    if whole != nil {
      widen()
      return try openPage(page)
    }
    if !copy.wasRebuilt {
      copy.wasRebuilt = true
      var changes = copy.changes
      changes.rebuildsPages = true
      if reopen(with: changes), let found = handle.page(page) { return found }
    }
    throw PDFError.pageMissing(page).about(name)
  }

  /// Whether something on a page is drawn with itself, which has no end.
  mutating func isCircular(_ page: Int) -> Bool {
    structure.withDocument { $0.hasCircles(page) } ?? false
  }

  /// Makes poppler read a document in which circles are cut; `false` when it does already, or there is no such copy.
  mutating func cutCircles() -> Bool {
    guard !copy.wereCirclesCut else { return false }
    copy.wereCirclesCut = true
    var changes = copy.changes
    changes.cutsCircles = true
    return reopen(with: changes)
  }

  /// Makes poppler read a document whose crop boxes are the box wanted.
  mutating func use(_ box: PageBox) throws(PDFError) {
    guard copy.changes.box != box else { return }
    widen()
    var changes = copy.changes
    changes.box = box
    guard reopen(with: changes) else { throw .boxesUnknown(box) }
  }

  /// Makes a copy whose streams are expanded, for ``adopt(_:)`` to draw from.
  ///
  /// - Parameters:
  ///   - quickly: Whether documents that need qpdf for it, which takes five times as long, shall have none.
  ///   - store: Gets its bytes and says whether there was room for them.
  /// - Returns: The number of bytes stored, 0 when there is no such copy.
  package mutating func expand(
    quickly: Bool = false, _ store: (UnsafeRawBufferPointer) -> Bool
  ) -> Int {
    widen()
    // Where the tree of pages had to be rebuilt, pages may have other numbers in the copy.
    guard !copy.changes.rebuildsPages else { return 0 }
    if copy.isPrepared {
      return unsafe bytes.withBytes { bytes in unsafe store(bytes) ? bytes.count : 0 }
    }
    // What qpdf read so far would stand in memory twice.
    structure.forget()
    defer { MemoryRelease.trim() }
    let count = unsafe structure.expanded(quickly: quickly) { bytes in
      unsafe store(bytes) ? bytes.count : 0
    }
    return count ?? 0
  }

  /// Draws from a copy made by ``expand(_:)`` from now on; the bytes, and the room right behind
  /// them, stay where they are as long as the process lives.
  ///
  /// - Throws: ``PDFError/Code/damaged`` and the like when it is no such copy; then nothing has changed.
  @unsafe
  package mutating func adopt(
    immortal memory: UnsafeRawBufferPointer, room: UnsafeMutableRawBufferPointer? = nil
  ) throws(PDFError) {
    try adopt(unsafe DocumentBytes(immortal: memory, room: room))
  }

  /// Draws from a copy of its own from now on, the same that ``expand(_:)`` makes.
  ///
  /// - Returns: Whether there is one.
  mutating func adoptOwnCopy() -> Bool {
    widen()
    guard copy.changes == QPDFHandle.Changes(), !copy.isPrepared else { return false }
    structure.forget()
    var expanded: DocumentBytes?
    _ = unsafe structure.expanded(quickly: false) { unsafe expanded = DocumentBytes(copying: $0) }
    guard let expanded else { return false }
    return (try? adopt(expanded)) != nil
  }

  private mutating func adopt(_ expanded: consuming DocumentBytes) throws(PDFError) {
    widen()
    var opened = try PopplerDocumentHandle(bytes: expanded)
    guard opened.pageCount() == pageCount else { throw .damaged(cause: "another count of pages") }
    original = facts()
    handle = opened
    unbuilt = nil
    structure = DocumentStructure(bytes: expanded.share())
    bytes = expanded
    start(with: DrawingCopy(isPrepared: true))
    MemoryRelease.trim()
  }

  /// What is known of the document itself.
  mutating func facts() -> OriginalFacts {
    if let original { return original }
    return OriginalFacts(
      version: handle.information().version, isLinearized: handle.isLinearized(),
      isEncrypted: wasLocked || structure.isEncrypted(), isRepaired: structure.isRepaired(),
      takesStandIns: takesStandIns())
  }

  mutating func start(with other: DrawingCopy) {
    copy = other
    copy.refusesStandIns = original?.takesStandIns == false
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
      swap(&handle, &opened)
      if changes.rebuildsPages, !copy.changes.rebuildsPages { unbuilt = consume opened }
    }
    copy.changes = changes
    copy.standIns = nil
    return true
  }
}
