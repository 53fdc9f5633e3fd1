/// A document with smaller images in place of large ones, added behind it as an update of the document
/// (ISO 32000-1, 7.5.6).
struct StandIns: Sendable {
  /// The sizes of the images so far, by the numbers of their objects.
  private(set) var sizes: [Int: PixelSize] = [:]
  private let room: DocumentRoom
  private let trailer: String
  /// Where updates begin.
  private let start: Int
  /// Where the next one begins.
  private var end: Int
  private let firstTable: Int
  /// Where the newest table of objects is.
  private var table: Int

  /// A document of more bytes is not copied for it.
  private static let greatestDocument = PreparedDocument.greatestSize
  /// The bytes of images that are kept.
  static let greatestAddition = 20 << 20

  /// Begins, with a copy of the document where it has no room behind it; `nil` when it cannot be added to.
  ///
  /// - Parameters:
  ///   - bytes: The document.
  ///   - trailer: What its trailer says and that of an update has to repeat.
  init?(_ bytes: borrowing DocumentBytes, trailer: String) {
    guard let table = Self.table(of: bytes),
      let room = DocumentRoom(of: bytes, behind: Self.greatestAddition) ?? Self.copy(bytes)
    else { return nil }
    self.room = room
    self.trailer = trailer
    start = bytes.count
    end = start
    firstTable = table
    self.table = table
  }

  /// Whether a document may be added to; its trailer has to agree.
  static func canExtend(_ bytes: borrowing DocumentBytes) -> Bool { table(of: bytes) != nil }

  private static func table(of bytes: borrowing DocumentBytes) -> Int? {
    guard bytes.count <= greatestDocument else { return nil }
    return unsafe bytes.withBytes { unsafe lastTable(in: $0) }
  }

  private static func copy(_ bytes: borrowing DocumentBytes) -> DocumentRoom? {
    guard let room = DocumentRoom(count: bytes.count + greatestAddition),
      unsafe bytes.withBytes({ unsafe room.store($0, at: 0) })
    else { return nil }
    return room
  }

  /// Adds images.
  ///
  /// - Returns: The document that has them; `nil` when there is no room for them.
  mutating func add(_ images: [StandIn]) -> DocumentBytes? {
    var place = end
    var entries = ""
    for image in images {
      let head =
        "\n\(image.number) \(image.generation) obj\n<< \(image.entries) /Length \(image.samples.count) >>\nstream\n"
      entries +=
        "\(image.number) 1\n\(Self.padded(place + 1, 10)) \(Self.padded(image.generation, 5)) n \n"
      for bytes in [Array(head.utf8), image.samples, Array("\nendstream\nendobj\n".utf8)] {
        guard store(bytes, at: &place) else { return nil }
      }
    }
    let newTable = place + 1
    let tail =
      "\nxref\n\(entries)trailer\n<< \(trailer) /Prev \(table) >>\nstartxref\n\(newTable)\n%%EOF\n"
    guard store(Array(tail.utf8), at: &place), let document = room.document(count: place) else {
      return nil
    }
    end = place
    table = newTable
    for image in images { sizes[image.number] = image.size }
    return document
  }

  /// Gives up all images, whose places the next ones take; no document with them may be read any more.
  mutating func removeAll() {
    sizes = [:]
    end = start
    table = firstTable
  }

  private func store(_ bytes: [UInt8], at place: inout Int) -> Bool {
    defer { place += bytes.count }
    return unsafe bytes.withUnsafeBytes { unsafe room.store($0, at: place) }
  }

  private static func padded(_ number: Int, _ count: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, count - digits.count)) + digits
  }

  /// Where a document says its table of objects is; `nil` when that is in doubt, as with bytes before the header,
  /// which places are then counted from.
  private static func lastTable(in bytes: UnsafeRawBufferPointer) -> Int? {
    guard unsafe bytes.starts(with: Array("%PDF-".utf8)) else { return nil }
    let tail = unsafe Array(bytes.suffix(1024))
    let mark = Array("startxref".utf8)
    guard tail.count > mark.count,
      let found = (0..<tail.count - mark.count).last(where: { tail[$0...].starts(with: mark) })
    else { return nil }
    let digits = tail[(found + mark.count)...].drop { $0 <= 32 }.prefix { (48...57).contains($0) }
    guard let place = Int(String(decoding: digits, as: UTF8.self)),
      (1..<bytes.count).contains(place)
    else { return nil }
    return place
  }
}

extension PDFDocument {
  /// The number of large images in place of which poppler reads smaller ones now.
  package var standInCount: Int { copy.standIns?.sizes.count ?? 0 }

  /// Makes poppler read smaller images in place of the large ones that a page draws.
  ///
  /// - Parameters:
  ///   - page: The page.
  ///   - shown: Its size in points.
  ///   - renderer: What the picture looks like.
  ///   - size: The size of the picture.
  /// - Returns: Whether poppler has another document open now.
  mutating func useStandIns(
    on page: Int, shown: (width: Double, height: Double), renderer: PageRenderer, size: PixelSize
  ) -> Bool {
    guard renderer.settings.takesShortcuts, copy.changes == QPDFHandle.Changes(),
      !copy.refusesStandIns, shown.width > 0, shown.height > 0
    else { return false }
    let turned = renderer.settings.swapsSides
    let (width, height) = turned ? (size.height, size.width) : (size.width, size.height)
    let factor = Double(renderer.supersampling(for: size))
    let scale = factor * max(Double(width) / shown.width, Double(height) / shown.height)
    guard let found = findings(on: page, scale: scale) else { return false }
    guard found.outgrown.isEmpty else { return restart(with: page, scale: scale) }
    guard !found.made.isEmpty else { return false }
    return read(found.made) || restart(with: page, scale: scale)
  }

  /// Whether the thumbnail that a page carries, if that is wanted, would be read from a smaller image.
  mutating func embedsStandIn(_ page: Int, _ settings: RenderSettings) -> Bool {
    guard settings.embedded != .unused, let known = copy.standIns?.sizes else { return false }
    let number = structure.withDocument { document in
      document.withPage(page) { $0["/Thumb"]?.objectNumber }
    }
    return number.map { known[$0] != nil } ?? false
  }

  /// Makes poppler read the document as it is.
  mutating func dropStandIns() throws(PDFError) {
    guard copy.standIns != nil else { return }
    handle = try PopplerDocumentHandle(bytes: bytes)
    copy.standIns = nil
  }

  /// Whether smaller images can be added to the document, as far as it can be told before it is tried.
  mutating func takesStandIns() -> Bool {
    guard !copy.refusesStandIns, structure.withDocument({ $0.trailerEntries() }) != nil else {
      return false
    }
    return StandIns.canExtend(bytes)
  }

  private mutating func findings(on page: Int, scale: Double) -> StandInFindings? {
    let known = copy.standIns?.sizes ?? [:]
    let refused = copy.refusedStandIns
    let found = structure.withDocument { document in
      document.standIns(for: page, scale: scale, known: known, refused: refused)
    }
    copy.refusedStandIns.formUnion(found?.refused ?? [])
    return found
  }

  /// Adds images to the copy and opens it.
  private mutating func read(_ images: [StandIn]) -> Bool {
    if copy.standIns == nil {
      guard let trailer = structure.withDocument({ $0.trailerEntries() }),
        let standIns = StandIns(bytes, trailer: trailer)
      else {
        copy.refusesStandIns = true
        return false
      }
      copy.standIns = standIns
    }
    guard let added = copy.standIns?.add(images) else { return false }
    guard var opened = try? PopplerDocumentHandle(bytes: added), opened.pageCount() == pageCount
    else {
      // Poppler does not read it as it was written, and would not next time.
      copy.standIns = nil
      copy.refusesStandIns = true
      return false
    }
    handle = opened
    return true
  }

  /// Lets go of all images but a page's own; if there is no room even for these, the page is drawn as it is.
  private mutating func restart(with page: Int, scale: Double) -> Bool {
    guard let plain = try? PopplerDocumentHandle(bytes: bytes) else { return false }
    // Only then nobody reads what is written over.
    handle = plain
    copy.standIns?.removeAll()
    guard !copy.refusesStandIns, let found = findings(on: page, scale: scale),
      !found.made.isEmpty, !read(found.made)
    else { return true }
    copy.standIns?.removeAll()
    return true
  }
}
