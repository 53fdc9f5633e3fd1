import FuzzTargets
// The parsers are not public; a build for testing lets tests and fuzzers see them.
@testable import PdfThumbCore

/// What documents hold, what a hostile worker can say, and what the kernel says, fed with bytes and held to its
/// promises.
enum PDFTarget: String, FuzzTarget {
  // Documents, and whole ones made of objects.
  case expansion, objects, scan, structure
  // Data in them.
  case fax, inflate, rows
  // What workers and the kernel say.
  case reply, request, geometry, outline, information, failure, memory

  func run(_ bytes: [UInt8]) {
    switch self {
    case .expansion: DocumentChecks.expansion(bytes)
    case .objects: DocumentChecks.expansion(DocumentModel(bytes: bytes).file)
    case .scan: DocumentChecks.scan(DocumentModel(bytes: bytes).file)
    case .structure: DocumentChecks.structure(DocumentModel(bytes: bytes).file)
    case .fax: DocumentChecks.fax(bytes)
    case .inflate: DocumentChecks.inflate(bytes)
    case .rows: DocumentChecks.rows(bytes)
    case .reply:
      guard let reply = try? WireReply(Self.sized(bytes, WireReply.byteCount)) else { return }
      expect((try? WireReply(reply.bytes))?.bytes == reply.bytes)
      if case .drawn(let drawn) = reply.kind {
        expect(drawn.format.byteCount(drawn.size) < 1 << 33)
      }
    case .request:
      guard let request = try? WireRequest(Self.sized(bytes, WireRequest.byteCount)) else { return }
      expect((try? WireRequest(request.bytes))?.bytes == request.bytes)
    case .geometry:
      let count = Int(bytes.first ?? 0)
      guard let pages = try? WireData.geometries(Array(bytes.dropFirst()), first: 3, count: count)
      else { return }
      expect(pages.count == count)
      for case .success(let page) in pages { expect(page.width > 0 && page.height.isFinite) }
    case .outline:
      for entry in (try? WireData.outline(bytes, pageCount: 9)) ?? [] {
        expect((0..<9).contains(entry.page ?? 0))
        checkText(entry.title)
      }
    case .information: checkText((try? WireData.information(bytes))?.title ?? "")
    case .failure:
      if let error = try? WireData.error(bytes, code: .damaged, page: 1) {
        checkText(error.message)
      }
    case .memory:
      let text = String(decoding: bytes, as: UTF8.self)
      _ = MemoryPressure.available(inMeminfo: text)
      if let stalled = MemoryPressure.stalled(inPressure: text) { expect((0...100) ~= stalled) }
      _ = MemoryPressure.groupRoom(inMemberships: text) { _ in text }
    }
  }

  var seeds: [[UInt8]] {
    switch self {
    case .expansion: DocumentSeeds.models.map(\.file)
    case .objects, .scan, .structure: DocumentSeeds.models.map(\.bytes)
    default: []
    }
  }

  /// Documents are changed as documents.
  func remade(_ bytes: [UInt8], _ random: inout SmallRandom) -> [UInt8]? {
    guard [.objects, .scan, .structure].contains(self) else { return nil }
    var model = DocumentModel(bytes: bytes)
    for _ in 0...random.below(3) { model.mutate(&random) }
    return model.bytes
  }

  /// Messages have one size; what the fuzzer leaves open is zero.
  private static func sized(_ bytes: [UInt8], _ count: Int) -> [UInt8] {
    Array(bytes.prefix(count)) + [UInt8](repeating: 0, count: max(0, count - bytes.count))
  }

  private func checkText(_ text: String) {
    expect(text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
  }
}
