import FuzzTargets
// The parsers are not public; a build for testing lets tests and fuzzers see them.
@testable import PdfThumbCore

/// What a hostile worker can say, and what the kernel says, fed with bytes and held to its promises.
enum WorkerTarget: String, FuzzTarget {
  case reply, request, geometry, outline, information, failure, memory, expansion

  func run(_ bytes: [UInt8]) {
    switch self {
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
    case .expansion:
      let copy = unsafe bytes.withUnsafeBytes {
        unsafe DocumentExpander.expand($0, limit: 1 << 20)
      }
      expect(copy.map { $0.count <= 1 << 20 } ?? true)
      let first = Int(bytes.last ?? 0) % 3
      let few = unsafe bytes.withUnsafeBytes {
        unsafe DocumentExpander.expand($0, pages: first..<first + 2, limit: 1 << 20)
      }
      expect(few.map { $0.copy.count <= 1 << 20 } ?? true)
    case .memory:
      let text = String(decoding: bytes, as: UTF8.self)
      _ = MemoryPressure.available(inMeminfo: text)
      if let stalled = MemoryPressure.stalled(inPressure: text) { expect((0...100) ~= stalled) }
      _ = MemoryPressure.groupRoom(inMemberships: text) { _ in text }
    }
  }

  /// Messages have one size; what the fuzzer leaves open is zero.
  private static func sized(_ bytes: [UInt8], _ count: Int) -> [UInt8] {
    Array(bytes.prefix(count)) + [UInt8](repeating: 0, count: max(0, count - bytes.count))
  }

  private func checkText(_ text: String) {
    expect(text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
  }
}
