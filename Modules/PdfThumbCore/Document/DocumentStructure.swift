/// The raw objects of a document, read by qpdf when something asks for them.
struct DocumentStructure: ~Copyable, Sendable {
  private let bytes: DocumentBytes
  private var handle: QPDFHandle?
  private var wasTried = false
  private var survey = ResourceSurvey()

  init(bytes: consuming DocumentBytes) { self.bytes = bytes }

  /// A copy of an encrypted document without its encryption.
  ///
  /// Newer encryptions take passwords in UTF-8, older ones in Latin-1 (ISO 32000-2, 7.6.4).
  static func unlock(
    _ bytes: borrowing DocumentBytes, password: String
  ) throws(PDFError) -> DocumentBytes {
    let latin1 = password.unicodeScalars.map { UInt8(exactly: $0.value) }
    var forms = [Array(password.utf8)]
    if latin1.allSatisfy({ $0 != nil }) { forms.append(latin1.compactMap { $0 }) }
    for form in forms {
      if var handle = QPDFHandle.open(bytes: bytes, password: form),
        let copy = handle.copy(QPDFHandle.Changes())
      {
        return copy
      }
    }
    throw .passwordWrong()
  }

  /// Calls `body` with the open document, or returns `nil` when qpdf cannot read it.
  mutating func withDocument<R>(_ body: (inout QPDFHandle) -> R?) -> R? {
    if !wasTried {
      wasTried = true
      handle = QPDFHandle.open(bytes: bytes)
    }
    guard var open = handle.take() else { return nil }
    let result = body(&open)
    handle = consume open
    return result
  }

  /// Whether the document is encrypted, if only with an empty password.
  mutating func isEncrypted() -> Bool {
    withDocument { $0.isEncrypted() } ?? false
  }

  /// Whether the table of objects had to be rebuilt; true when even that did not help.
  mutating func isRepaired() -> Bool {
    withDocument { $0.isRepaired } ?? true
  }

  /// Whether laying out a page's text takes longer than drawing it.
  mutating func isRichInText(_ page: Int) -> Bool {
    withDocument { $0.isRichInText(page) } ?? false
  }

  /// A changed copy of the document, or `nil` when qpdf cannot write it.
  ///
  /// Writing changes what qpdf holds, so it happens on an instance of its own.
  func copy(_ changes: QPDFHandle.Changes) -> DocumentBytes? {
    var hiding = QPDFHandle.Changes()
    hiding.hidesText = true
    if changes == hiding, let quick = quickCopy() {
      return DocumentBytes(copying: quick)
    }
    guard var handle = QPDFHandle.open(bytes: bytes) else { return nil }
    return handle.copy(changes)
  }

  /// An expanded copy whose text is hidden, of a document that qpdf is not needed for.
  private func quickCopy() -> [UInt8]? {
    unsafe bytes.withBytes {
      unsafe DocumentExpander.expand($0, limit: PreparedDocument.greatestSize)
    }
  }

  /// An expanded copy of what some pages need, their text hidden; `nil` where that is qpdf's matter, or does not pay.
  ///
  /// It comes with whether qpdf would surely find no fault with the document's table of objects.
  func copy(of pages: Range<Int>, limit: Int) -> (copy: [UInt8], isPlain: Bool)? {
    unsafe bytes.withBytes { unsafe DocumentExpander.expand($0, pages: pages, limit: limit) }
  }

  /// Lends a copy whose streams are expanded, but for large images; `nil` when qpdf cannot write it, or is not to.
  func expanded<R>(quickly: Bool, _ body: (UnsafeRawBufferPointer) -> R) -> R? {
    if let quick = quickCopy() { return unsafe quick.withUnsafeBytes { unsafe body($0) } }
    if quickly { return nil }
    // What qpdf has any doubt about poppler may read otherwise, and a copy must not show.
    guard var handle = QPDFHandle.open(bytes: bytes), !handle.isRepaired else { return nil }
    var changes = QPDFHandle.Changes()
    changes.expands = true
    changes.hidesText = true
    guard let result = unsafe handle.withCopy(changes, body), !handle.hasWarned() else {
      return nil
    }
    return result
  }

  /// The number of objects the document says it has; read without qpdf where its newest table is as it should be.
  mutating func objectCount() -> Int {
    let count = unsafe bytes.withBytes { ObjectTable.count(in: unsafe ByteView($0)) }
    return count ?? withDocument { $0.objectCount() } ?? 0
  }

  /// Lets go of the objects read so far.
  mutating func forget() {
    handle = nil
    wasTried = false
  }

  /// The size of a page's unit in points, 1 where none can be read.
  mutating func userUnit(of page: Int) -> Double {
    withDocument { $0.userUnit(of: page) } ?? 1
  }

  /// What the resources of a page say.
  mutating func resources(of page: Int) -> ResourceFindings {
    var survey = survey
    self.survey = ResourceSurvey()
    let findings = withDocument { $0.survey(page, &survey) }
    self.survey = survey
    return findings ?? ResourceFindings()
  }

  /// The names of missing fonts, at most 64, among the first pages' resources.
  mutating func missingFonts(pages: Int) -> [String] {
    for page in 0..<pages { _ = resources(of: page) }
    return survey.missingFonts
  }

  /// The boxes of a page, or `nil` when they cannot be read.
  mutating func boxes(of page: Int) -> PageBoxes? {
    withDocument { $0.boxes(of: page) }
  }
}
