internal import CQpdf

/// The owner of one `qpdf_data`: a document's raw objects.
///
/// qpdf catches its own exceptions and turns them into null objects; warnings are dropped, for poppler's
/// view of the document is what counts. It belongs to one thread.
@safe
struct QPDFHandle: ~Copyable, @unchecked Sendable {
  let raw: OpaquePointer
  // qpdf reads from the caller's memory as long as it lives.
  private let bytes: DocumentBytes
  /// Whether the table of objects had to be rebuilt.
  private(set) var isRepaired = false
  /// Where the pages found so far are.
  private var places: [Int: (number: Int32, generation: Int32)] = [:]
  private static let greatestPlaceCount = 1 << 16
  /// The layers, once they were asked for.
  var layerStates: LayerStates?

  /// Opens a document, or returns `nil` when qpdf cannot read it.
  ///
  /// - Parameters:
  ///   - bytes: The document.
  ///   - password: The user's or the owner's password, in the encoding the document's encryption has.
  /// - Returns: The open document.
  static func open(bytes: borrowing DocumentBytes, password: [UInt8] = []) -> QPDFHandle? {
    guard let raw = unsafe qpdf_init() else { return nil }
    var handle = unsafe QPDFHandle(owning: raw, bytes: bytes.share())
    guard handle.read(password: password) else { return nil }
    return consume handle
  }

  @unsafe
  private init(owning raw: OpaquePointer, bytes: consuming DocumentBytes) {
    unsafe self.raw = raw
    self.bytes = bytes
    unsafe qpdf_silence_errors(raw)
    unsafe qpdf_set_suppress_warnings(raw, 1)
  }

  private mutating func read(password: [UInt8]) -> Bool {
    let password = password.map { CChar(bitPattern: $0) } + [0]
    let status = unsafe bytes.withBytes { memory in
      let start = unsafe memory.baseAddress?.assumingMemoryBound(to: CChar.self)
      return unsafe qpdf_read_memory(raw, "document", start, UInt64(memory.count), password)
    }
    while unsafe qpdf_more_warnings(raw) != 0 {
      // "file is damaged", the first of the warnings when the table had to be rebuilt, has this code.
      let code = unsafe qpdf_get_error_code(raw, qpdf_next_warning(raw))
      if code == qpdf_e_damaged_pdf { isRepaired = true }
    }
    return status & 2 == 0
  }

  deinit {
    // An error that nobody fetched would be printed.
    if unsafe qpdf_has_error(raw) != 0 { _ = unsafe qpdf_get_error(raw) }
    var handle: OpaquePointer? = unsafe raw
    unsafe qpdf_cleanup(&handle)
  }

  /// The number of objects its table has room for.
  mutating func objectCount() -> Int {
    defer { unsafe qpdf_oh_release_all(raw) }
    let trailer = unsafe QPDFObject(document: raw, handle: qpdf_get_trailer(raw))
    return max(0, trailer["/Size"]?.integer ?? 0)
  }

  /// Whether qpdf found something wrong after the document was open.
  mutating func hasWarned() -> Bool {
    unsafe qpdf_more_warnings(raw) != 0
  }

  /// Whether the document is encrypted.
  mutating func isEncrypted() -> Bool {
    unsafe qpdf_is_encrypted(raw) != 0
  }

  /// Reads from a page's dictionary, and lets go of the objects afterwards.
  ///
  /// The page is found by the counts of the page tree, which reads a few objects; qpdf's own list of pages
  /// reads all of them. A tree whose counts lie may lead to another page than poppler's.
  mutating func withPage<R>(_ page: Int, _ body: (QPDFObject) -> R?) -> R? {
    defer { unsafe qpdf_oh_release_all(raw) }
    if let place = places[page] {
      let handle = unsafe qpdf_get_object_by_id(raw, place.number, place.generation)
      return body(unsafe QPDFObject(document: raw, handle: handle))
    }
    let root = unsafe QPDFObject(document: raw, handle: qpdf_get_root(raw))
    guard page >= 0, let pages = root["/Pages"], let found = find(page, in: pages) else {
      return nil
    }
    return body(found)
  }

  private mutating func note(_ object: QPDFObject, as page: Int) {
    guard places.count < Self.greatestPlaceCount, let number = Int32(exactly: object.objectNumber),
      let generation = Int32(exactly: object.generation), number > 0
    else { return }
    places[page] = (number, generation)
  }

  private mutating func find(_ page: Int, in root: QPDFObject) -> QPDFObject? {
    var node = root
    var remaining = page
    for _ in 0..<64 {
      guard let kids = node["/Kids"] else { return nil }
      if let count = node["/Count"]?.number, Int(exactly: count) == kids.elementCount {
        noteLeaves(kids, first: page - remaining)
        return kids.element(remaining).flatMap { $0["/Kids"] == nil ? $0 : nil }
      }
      var next: QPDFObject?
      for index in 0..<min(kids.elementCount, 100_000) {
        guard let kid = kids.element(index), kid.isDictionary else { continue }
        guard kid["/Kids"] != nil else {
          if remaining == 0 {
            note(kid, as: page)
            return kid
          }
          remaining -= 1
          continue
        }
        let count = Int(exactly: kid["/Count"]?.number ?? 0) ?? 0
        if remaining < count {
          next = kid
          break
        }
        remaining -= max(0, count)
      }
      guard let next else { return nil }
      node = next
    }
    return nil
  }

  /// Notes the pages of a small node of the tree; finding the way through large ones is quick.
  private mutating func noteLeaves(_ kids: QPDFObject, first: Int) {
    guard kids.elementCount <= 32 else { return }
    for index in 0..<kids.elementCount {
      guard let kid = kids.element(index), kid["/Kids"] == nil else { continue }
      note(kid, as: first + index)
    }
  }

  /// The size of a page's unit in points.
  mutating func userUnit(of page: Int) -> Double? {
    withPage(page) { Self.userUnit(of: $0) }
  }

  /// ISO 32000-1, 14.11.2: 1 where there is none; 75,000 is what Acrobat knows (annex C).
  private static func userUnit(of page: QPDFObject) -> Double {
    let unit = page["/UserUnit"]?.number ?? 1
    return unit > 0 && unit <= 75_000 ? unit : 1
  }

  /// The boxes and turn of a page.
  mutating func boxes(of page: Int) -> PageBoxes? {
    withPage(page) { Self.boxes(of: $0) }
  }

  static func boxes(of object: QPDFObject) -> PageBoxes? {
    guard object.isDictionary else { return nil }
    let media =
      object.inherited("/MediaBox")?.rectangle ?? PDFRectangle(0, 0, 612, 792)
    let crop = object.inherited("/CropBox")?.rectangle?.intersection(media) ?? media
    let trim = object["/TrimBox"]?.rectangle?.intersection(media) ?? crop
    let turn = object.inherited("/Rotate")?.number ?? 0
    return PageBoxes(
      media: media, crop: crop, trim: trim, rotation: Self.quarterTurns(turn),
      userUnit: userUnit(of: object))
  }

  /// Turns that are no multiple of 90 count as none, as in poppler.
  private static func quarterTurns(_ degrees: Double) -> Int {
    guard let whole = Int(exactly: degrees), whole % 90 == 0 else { return 0 }
    return ((whole % 360) + 360) % 360
  }
}

/// One object of a document, valid until its handle is released.
@safe
struct QPDFObject {
  let document: OpaquePointer
  let handle: UInt32

  @unsafe
  init(document: OpaquePointer, handle: UInt32) {
    unsafe self.document = document
    self.handle = handle
  }

  var isDictionary: Bool { unsafe qpdf_oh_is_dictionary(document, handle) != 0 }
  var isStream: Bool { unsafe qpdf_oh_is_stream(document, handle) != 0 }
  var isArray: Bool { unsafe qpdf_oh_is_array(document, handle) != 0 }

  /// The value of a key, or `nil` when there is none or it is null.
  subscript(key: String) -> QPDFObject? {
    guard isDictionary else { return nil }
    return unsafe present(qpdf_oh_get_key(document, handle, key))
  }

  /// The value of a key of this page or of the nearest parent that has it, at most 32 levels up.
  func inherited(_ key: String) -> QPDFObject? {
    var object = self
    for _ in 0..<32 {
      if let value = object[key] { return value }
      guard let parent = object["/Parent"] else { return nil }
      object = parent
    }
    return nil
  }

  /// The dictionary of a stream.
  var streamDictionary: QPDFObject? {
    guard isStream else { return nil }
    return unsafe present(qpdf_oh_get_dict(document, handle))
  }

  /// The number, integer or real.
  var number: Double? {
    guard unsafe qpdf_oh_is_number(document, handle) != 0 else { return nil }
    return unsafe qpdf_oh_get_numeric_value(document, handle)
  }

  /// The name with its slash.
  var name: String? {
    guard unsafe qpdf_oh_is_name(document, handle) != 0,
      let text = unsafe qpdf_oh_get_name(document, handle)
    else { return nil }
    return unsafe String(cString: text)
  }

  /// The number of elements of an array; 0 for anything else.
  var elementCount: Int {
    isArray ? max(0, Int(unsafe qpdf_oh_get_array_n_items(document, handle))) : 0
  }

  /// An element of an array, or `nil` outside it.
  func element(_ index: Int) -> QPDFObject? {
    guard index >= 0, index < elementCount else { return nil }
    return unsafe present(qpdf_oh_get_array_item(document, handle, Int32(index)))
  }

  /// The elements of an array, at most `limit`; nulls are left out.
  func elements(limit: Int) -> [QPDFObject] {
    (0..<min(limit, elementCount)).compactMap { element($0) }
  }

  /// The keys of a dictionary.
  var keys: [String] {
    guard isDictionary else { return [] }
    unsafe qpdf_oh_begin_dict_key_iter(document, handle)
    var keys: [String] = []
    while unsafe qpdf_oh_dict_more_keys(document) != 0 {
      guard let key = unsafe qpdf_oh_dict_next_key(document) else { break }
      keys.append(unsafe String(cString: key))
    }
    return keys
  }

  /// How often the number of this object was used before.
  var generation: Int { Int(unsafe qpdf_oh_get_generation(document, handle)) }

  /// The number by which other objects refer to this one; 0 for a direct object.
  var objectNumber: Int { Int(unsafe qpdf_oh_get_object_id(document, handle)) }

  /// The rectangle of an array of four numbers, or `nil` when it is none or empty.
  var rectangle: PDFRectangle? {
    let numbers = elements(limit: 4).compactMap(\.number)
    guard numbers.count == 4, numbers.allSatisfy(\.isFinite) else { return nil }
    let rectangle = PDFRectangle(numbers[0], numbers[1], numbers[2], numbers[3])
    return rectangle.width > 0 && rectangle.height > 0 ? rectangle : nil
  }

  private func present(_ handle: UInt32) -> QPDFObject? {
    guard unsafe qpdf_oh_is_initialized(document, handle) != 0,
      unsafe qpdf_oh_is_null(document, handle) == 0
    else { return nil }
    return unsafe QPDFObject(document: document, handle: handle)
  }
}
