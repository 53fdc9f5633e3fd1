/// What the parent asks of a worker: one message of ``byteCount`` bytes each.
///
/// Layout: the mark (4 bytes), the kind (2), zero (2), the serial number (8), then the kind's own
/// fields, then zeros. Every request but ``surface`` names the half of the shared memory that the
/// answer may use.
package struct WireRequest: Equatable, Sendable {
  /// The size of every request.
  package static let byteCount = 128
  /// "CTW" and the version of these messages.
  package static let mark: UInt32 = 0x0157_5443
  /// The two halves of the shared memory.
  package static let slots = 0...1
  /// The longest password in bytes (ISO 32000-2, 7.6.4.1: 127).
  package static let greatestPasswordCount = 1024

  /// The kinds of request.
  package enum Kind: Equatable, Sendable {
    /// Use the memory file that comes with this message from now on.
    case surface
    /// Open the document that comes with this message; its password, if any, stands in the slot.
    case open(documentSize: UInt64, passwordCount: Int?)
    /// Draw a page.
    case draw(DrawOrder)
    /// Tell the geometry of pages, as many as fit.
    case describe(first: Int, count: Int, withBoxes: Bool)
    /// Tell the outline, as much as fits.
    case outline
    /// Tell what the document says of itself.
    case information
    /// Write a copy of the document, its streams expanded, into the memory file that comes with this message; or none
    /// if that is to be quick and cannot be.
    case prepare(quickly: Bool)
    /// Draw from the copy that comes with this message from now on.
    case adopt(documentSize: UInt64)
  }

  /// The number the answer will repeat.
  package var serial: UInt64
  /// The half of the shared memory the answer may use.
  package var slot: Int
  /// What is asked.
  package var kind: Kind

  package init(serial: UInt64, slot: Int, kind: Kind) {
    self.serial = serial
    self.slot = slot
    self.kind = kind
  }

  /// The message.
  package var bytes: [UInt8] {
    var writer = WireWriter()
    writer.put(Self.mark)
    writer.put(number)
    writer.put(UInt16(slot))
    writer.put(serial)
    switch kind {
    case .surface, .outline, .information: break
    case .prepare(let quickly): writer.put(quickly)
    case .adopt(let size): writer.put(size)
    case .open(let size, let passwordCount):
      writer.put(size)
      writer.put(passwordCount != nil)
      writer.put(UInt16(passwordCount ?? 0))
    case .draw(let order): order.write(to: &writer)
    case .describe(let first, let count, let withBoxes):
      writer.put(UInt32(first))
      writer.put(UInt32(count))
      writer.put(withBoxes)
    }
    return writer.padded(to: Self.byteCount)
  }

  /// Takes a message apart.
  ///
  /// - Throws: ``WireViolation`` for a message of another size, mark, kind or range of fields.
  package init(_ bytes: [UInt8]) throws(WireViolation) {
    var reader = WireReader(bytes)
    guard bytes.count == Self.byteCount else {
      throw reader.violation("expected \(Self.byteCount) bytes, found \(bytes.count)")
    }
    let mark: UInt32 = try reader.take()
    guard mark == Self.mark else { throw reader.violation("expected the mark, found \(mark)") }
    let number = try reader.take(UInt16.self, in: 1...8)
    slot = try reader.take(UInt16.self, in: Self.slots)
    serial = try reader.take()
    switch number {
    case 1: kind = .surface
    case 2:
      let size: UInt64 = try reader.take()
      let hasPassword = try reader.takeFlag()
      let count = try reader.take(UInt16.self, in: 0...Self.greatestPasswordCount)
      kind = .open(documentSize: size, passwordCount: hasPassword ? count : nil)
    case 3: kind = .draw(try DrawOrder(&reader))
    case 4:
      let first = try reader.take(UInt32.self, in: 0...Int(Int32.max))
      let count = try reader.take(UInt32.self, in: 0...Int(Int32.max))
      kind = .describe(first: first, count: count, withBoxes: try reader.takeFlag())
    case 5: kind = .outline
    case 6: kind = .information
    case 7: kind = .prepare(quickly: try reader.takeFlag())
    default: kind = .adopt(documentSize: try reader.take())
    }
  }

  private var number: UInt16 {
    switch kind {
    case .surface: 1
    case .open: 2
    case .draw: 3
    case .describe: 4
    case .outline: 5
    case .information: 6
    case .prepare: 7
    case .adopt: 8
    }
  }
}

/// One page to draw and how.
package struct DrawOrder: Equatable, Sendable {
  /// The page, counted from 0.
  package var page: Int
  /// How large.
  package var size: ThumbnailSize
  /// What it looks like, and the greatest number of pixels.
  package var renderer: PageRenderer
  /// The few pages that are asked for, where no others will be as far as anybody said.
  package var few: Range<Int>?

  package init(
    page: Int, size: ThumbnailSize, renderer: PageRenderer, few: Range<Int>? = nil
  ) {
    self.page = page
    self.size = size
    self.renderer = renderer
    self.few = few
  }

  package static func == (left: DrawOrder, right: DrawOrder) -> Bool {
    left.page == right.page && left.size == right.size && left.few == right.few
      && left.renderer.settings == right.renderer.settings
      && left.renderer.greatestPixelCount == right.renderer.greatestPixelCount
  }

  func write(to writer: inout WireWriter) {
    writer.put(UInt32(page))
    switch size {
    case .height(let height): Self.write(0, height, 0, 0, to: &writer)
    case .width(let width): Self.write(1, width, 0, 0, to: &writer)
    case .fit(let width, let height): Self.write(2, width, height, 0, to: &writer)
    case .scale(let factor): Self.write(3, 0, 0, factor, to: &writer)
    }
    let settings = renderer.settings
    switch settings.ground {
    case .none: for _ in 0..<4 { writer.put(UInt8(0)) }
    case .color(let color):
      for part in [1, color.red, color.green, color.blue] { writer.put(part) }
    }
    writer.put(settings.isGray)
    writer.put(settings.drawsAnnotations)
    writer.put(UInt8(PageBox.allCases.firstIndex(of: settings.box) ?? 0))
    writer.put(UInt8(((settings.rotation % 360) + 360) % 360 / 90))
    writer.put(settings.takesShortcuts)
    writer.put(settings.embedded.rawValue)
    writer.put(renderer.greatestPixelCount)
    writer.put(UInt32(few?.lowerBound ?? 0))
    writer.put(UInt32(few?.count ?? 0))
  }

  private static func write(
    _ kind: UInt8, _ first: Int, _ second: Int, _ factor: Double, to writer: inout WireWriter
  ) {
    writer.put(kind)
    writer.put(UInt32(clamping: first))
    writer.put(UInt32(clamping: second))
    writer.put(factor)
  }

  init(_ reader: inout WireReader) throws(WireViolation) {
    page = try reader.take(UInt32.self, in: 0...Int(Int32.max))
    let kind = try reader.take(UInt8.self, in: 0...3)
    let first = Int(try reader.take(UInt32.self))
    let second = Int(try reader.take(UInt32.self))
    let factor = try reader.takeDouble()
    size =
      switch kind {
      case 0: .height(first)
      case 1: .width(first)
      case 2: .fit(width: first, height: second)
      default: .scale(factor)
      }
    let hasColor = try reader.takeFlag()
    let color = RGBColor(
      red: try reader.take(), green: try reader.take(), blue: try reader.take())
    let isGray = try reader.takeFlag()
    let drawsAnnotations = try reader.takeFlag()
    let box = PageBox.allCases[try reader.take(UInt8.self, in: 0...PageBox.allCases.count - 1)]
    let quarters = try reader.take(UInt8.self, in: 0...3)
    let takesShortcuts = try reader.takeFlag()
    let embedded = EmbeddedThumbnails.allCases[
      try reader.take(UInt8.self, in: 0...EmbeddedThumbnails.allCases.count - 1)]
    renderer = PageRenderer(
      settings: RenderSettings(
        ground: hasColor ? .color(color) : .none, isGray: isGray,
        drawsAnnotations: drawsAnnotations, box: box, rotation: quarters * 90,
        takesShortcuts: takesShortcuts, embedded: embedded),
      greatestPixelCount: try reader.take())
    let start = try reader.take(UInt32.self, in: 0...Int(Int32.max))
    let count = try reader.take(UInt32.self, in: 0...Int(Int32.max))
    few = count > 0 ? start..<start + count : nil
  }
}
