/// A document that waits while some of its pages are drawn from a copy that has no others.
struct WholeDocument: ~Copyable, Sendable {
  var handle: PopplerDocumentHandle
  var structure: DocumentStructure
  var bytes: DocumentBytes
}

extension PDFDocument {
  /// The most bytes a copy of some pages has.
  private static let greatestNarrowCopy = 16 << 20

  /// Draws some pages from a copy that has nothing but what they need, its streams expanded, where there is one.
  ///
  /// For few pages of a long document that is quicker, for poppler unpacks the streams that objects stand in, and
  /// fonts for each page; and the copy is made in the time of one page. Whatever else is asked for comes from the
  /// document itself, which pages are drawn from again after that.
  ///
  /// - Parameter pages: The pages, counted from 0.
  package mutating func narrow(to pages: Range<Int>) {
    guard whole == nil, original == nil, !copy.refusesNarrowing, !wasLocked,
      copy.changes == QPDFHandle.Changes(), copy.standIns == nil
    else { return }
    copy.refusesNarrowing = true
    guard let (made, isPlain) = structure.copy(of: pages, limit: Self.greatestNarrowCopy) else {
      return
    }
    let copied = DocumentBytes(copying: made)
    guard var opened = try? PopplerDocumentHandle(bytes: copied), opened.pageCount() == pageCount
    else { return }
    original = isPlain ? plainFacts() : facts()
    var some = DocumentStructure(bytes: copied.share())
    swap(&handle, &opened)
    swap(&structure, &some)
    whole = WholeDocument(handle: opened, structure: some, bytes: bytes.share())
    bytes = copied
    start(with: DrawingCopy(isPrepared: true, pages: pages, refusesNarrowing: true))
  }

  /// What ``facts()`` are where the table of objects is beyond doubt and there is no encryption, found without qpdf.
  private mutating func plainFacts() -> OriginalFacts {
    OriginalFacts(
      version: handle.information().version, isLinearized: handle.isLinearized(),
      isEncrypted: false, isRepaired: false,
      takesStandIns: !copy.refusesStandIns && StandIns.canExtend(bytes))
  }

  /// Whether pages are drawn from a copy that has not all of them.
  package var isNarrow: Bool { copy.pages != nil }

  /// Goes back to the document itself, if a copy of some pages has not got a page.
  mutating func widen(unlessHaving page: Int) {
    if copy.pages?.contains(page) == false { widen() }
  }

  /// Goes back from a copy of some pages to the document itself.
  mutating func widen() {
    guard let whole = whole.take() else { return }
    handle = whole.handle
    structure = whole.structure
    bytes = whole.bytes
    original = nil
    copy = DrawingCopy(refusesNarrowing: true)
  }
}
