import Synchronization
import TestSupport
import Testing
import ZipKitCore

/// Bytes of a known pattern, which break off at a place: with an error, or with the source's end.
private final class PatternSource: ArchiveSource {
  let size: UInt64 = 64 << 20
  /// From here on nothing can be read.
  let bad: UInt64
  let throwsError: Bool
  private let last = Atomic<UInt64>(0)

  init(bad: UInt64 = .max, throwsError: Bool = true) {
    (self.bad, self.throwsError) = (bad, throwsError)
  }

  /// The end of the last read.
  var readTo: UInt64 { last.load(ordering: .relaxed) }

  static func byte(at offset: UInt64) -> UInt8 { UInt8(truncatingIfNeeded: offset >> 12 &+ 7) }

  func read(at offset: UInt64, into output: inout OutputRawSpan) throws(ZipError) {
    let end = offset + UInt64(output.freeCapacity)
    if throwsError, end > bad {
      throw ZipError(.sourceRead, "expected to read, found a bad place", offset: offset)
    }
    var place = offset
    while place < min(end, bad) {
      let count = min(4096 - place % 4096, min(end, bad) - place)
      unsafe output.append(repeating: Self.byte(at: place), count: Int(count), as: UInt8.self)
      place += count
    }
    last.store(end, ordering: .relaxed)
  }
}

/// Adds one to each byte.
private final class AddingCipher: EntryCipher {
  var headerSize: Int { 0 }
  var trailerSize: Int { 0 }
  var replacesChecksum: Bool { false }
  func unlock(header: RawSpan, password: [UInt8]) throws(DecodeError) -> Bool { true }
  func decrypt(_ bytes: inout MutableRawSpan) {
    unsafe bytes.withUnsafeMutableBytes { for place in $0.indices { unsafe $0[place] &+= 1 } }
  }
  func finish(trailer: RawSpan) throws(DecodeError) {}
}

/// A thread that reads ahead of a decoder.
@Suite("reading ahead") struct EntryFeedTests {
  private static let piece = UInt64(EntryFeed.pieceSize)

  /// Takes pieces until the end or an error, and holds each against the pattern.
  private func drain(
    _ feed: EntryFeed, from start: UInt64, added: UInt8 = 0
  ) -> (end: UInt64, error: ZipError?) {
    var place = start
    var buffer: [UInt8] = []
    do throws(ZipError) {
      while true {
        let count = try feed.exchange(&buffer)
        if count == 0 { return (place, nil) }
        for offset in [0, count / 2, count - 1] {
          let expected = PatternSource.byte(at: place + UInt64(offset)) &+ added
          #expect(buffer[offset] == expected)
        }
        place += UInt64(count)
      }
    } catch {
      return (place, error)
    }
  }

  @Test(arguments: [0, 1, 1 << 20, (1 << 20) + 1, 7 << 20])
  func `all bytes come, in order, and then the end`(count: UInt64) throws {
    let feed = try EntryFeed(PatternSource(), 5000..<(5000 + count), nil)
    #expect(drain(feed, from: 5000).end == 5000 + count)
    var buffer: [UInt8] = []
    #expect(try feed.exchange(&buffer) == 0)
    feed.stop()
  }

  @Test func `bytes are decrypted on the way`() throws {
    let feed = try EntryFeed(PatternSource(), 0..<(3 << 20), AddingCipher())
    #expect(drain(feed, from: 0, added: 1).end == 3 << 20)
    feed.stop()
  }

  @Test(arguments: [0, 1, 4, 9])
  func `a read that does not work costs nothing that came before it`(pieces: UInt64) throws {
    let source = PatternSource(bad: 5000 + pieces * Self.piece + 10)
    let feed = try EntryFeed(source, 5000..<(5000 + 20 * Self.piece), nil)
    let found = drain(feed, from: 5000)
    #expect(found.end == 5000 + pieces * Self.piece)
    #expect(found.error?.code == .sourceRead)
    #expect(found.error?.offset == 5000 + pieces * Self.piece)
    // The error stays, and the thread has ended.
    #expect(drain(feed, from: found.end).error == found.error)
    feed.stop()
  }

  @Test func `a source that ends early is an end with its place`() throws {
    let source = PatternSource(bad: 2 * Self.piece + 10, throwsError: false)
    let feed = try EntryFeed(source, 0..<(20 * Self.piece), nil)
    let found = drain(feed, from: 0)
    #expect(found.end == 2 * Self.piece)
    #expect(found.error?.code == .dataTruncated)
    #expect(found.error?.offset == 2 * Self.piece)
    feed.stop()
  }

  @Test(arguments: [0, 1, 5])
  func `it ends when nothing more is wanted, and has not read far ahead`(taken: Int) throws {
    let source = PatternSource()
    let feed = try EntryFeed(source, 0..<source.size, nil)
    var buffer: [UInt8] = []
    for _ in 0..<taken { _ = try feed.exchange(&buffer) }
    feed.stop()
    #expect(source.readTo <= UInt64(taken + 3) * Self.piece)
    // Twice is as good as once.
    feed.stop()
  }
}
