internal import Synchronization

/// The bytes of a central directory: held where they are few, and read again, piece by piece, where they are many.
///
/// A directory may be of gigabytes, of names, extra fields and comments that nobody asks for. A long one in a file is
/// not held at all: of its pieces some that were used last are kept, half a megabyte in all.
final class DirectoryText: Sendable {
  /// A piece of the directory.
  final class Piece: Sendable {
    /// Where in the directory it begins.
    let start: Int
    let bytes: [UInt8]

    init(start: Int, bytes: [UInt8]) {
      self.start = start
      self.bytes = bytes
    }

    func holds(_ range: Range<Int>) -> Bool {
      range.lowerBound >= start && range.upperBound <= start + bytes.count
    }

    /// Calls with a range of the directory, or with as much of it as there is.
    @inline(__always)
    func withBytes<Result>(_ range: Range<Int>, _ body: (RawSpan) -> Result) -> Result {
      let (bytes, count) = (bytes, bytes.count)
      let low = min(max(range.lowerBound - start, 0), count)
      let high = min(max(range.upperBound - start, low), count)
      return body(unsafe bytes.span.bytes.extracting(low..<high))
    }
  }

  /// What is held in memory at most, in bytes.
  static let mostHeld = 4 << 20
  /// What is read at once where a directory is not held: little, as entries may be asked for in any order.
  private static let pieceSize = 16 << 10
  private static let mostPieces = 32

  /// Bytes of the directory.
  let count: Int
  private let held: Piece?
  private let source: (any ArchiveSource)?
  private let start: UInt64
  private let recent = Mutex<[Piece]>([])

  /// Holds bytes.
  init(_ bytes: [UInt8]) {
    count = bytes.count
    held = Piece(start: 0, bytes: bytes)
    source = nil
    start = 0
  }

  /// Holds bytes of a source, or reads them when they are asked for.
  init(
    _ source: any ArchiveSource, at start: UInt64, count: Int, isHeld: Bool
  ) throws(ZipError) {
    self.start = start
    if isHeld {
      let bytes = try source.bytes(at: start, count: count)
      self.count = bytes.count
      held = Piece(start: 0, bytes: bytes)
      self.source = nil
    } else {
      self.count = Int(min(UInt64(count), source.size > start ? source.size - start : 0))
      held = nil
      self.source = source
    }
  }

  /// Whether a source is quick to be read again.
  static func mayStay(_ source: any ArchiveSource) -> Bool {
    source is FileSource || source is SplitSource
  }

  /// Whether all bytes are in memory, so that they cannot change.
  var isHeld: Bool { held != nil }

  /// The piece that holds a range; where the source gives less by now than it did, less of it.
  func piece(_ range: Range<Int>) -> Piece {
    if let held { return held }
    return recent.withLock { pieces in
      var place = pieces.count - 1
      while place >= 0 {
        if pieces[place].holds(range) {
          let piece = pieces[place]
          // Those in use stay.
          if place < pieces.count - 4 { pieces.append(pieces.remove(at: place)) }
          return piece
        }
        place -= 1
      }
      let piece = read(range)
      if pieces.count == Self.mostPieces { pieces.removeFirst() }
      pieces.append(piece)
      return piece
    }
  }

  // From the same places always, so that those who come from behind use them as well.
  private func read(_ range: Range<Int>) -> Piece {
    let low = range.lowerBound / Self.pieceSize * Self.pieceSize
    let high = min(max(low + Self.pieceSize, range.upperBound), count)
    guard let source, low < high, let place = start.adding(UInt64(low)),
      let bytes = try? source.bytes(at: place, count: high - low)
    else { return Piece(start: low, bytes: []) }
    return Piece(start: low, bytes: bytes)
  }

  /// Calls with a range of the directory; with less where the source gives less by now than it did.
  func withBytes<Result>(_ range: Range<Int>, _ body: (RawSpan) -> Result) -> Result {
    piece(range).withBytes(range, body)
  }

  /// A copy of a range.
  func bytes(_ range: Range<Int>) -> [UInt8] { withBytes(range) { $0.array() } }

  /// Calls with piece after piece from the beginning, each going on where the one before was left.
  ///
  /// - Parameters:
  ///   - size: Bytes of a piece, where the directory is not held; more than any header takes.
  ///   - body: Returns how many bytes of its piece it is done with; none to end.
  /// - Throws: What the source throws.
  func forEachPiece(
    _ size: Int = 256 << 10, _ body: (RawSpan, Int) -> Int
  ) throws(ZipError) {
    if let bytes = held?.bytes {
      _ = body(unsafe bytes.span.bytes, 0)
      return
    }
    guard let source else { return }
    var buffer = [UInt8](repeating: 0, count: min(size, count))
    var offset = 0
    while offset < count, let place = start.adding(UInt64(offset)) {
      let filled = try source.fill(&buffer, count: min(buffer.count, count - offset), at: place)
      let done = body(unsafe buffer.span.bytes.extracting(0..<filled), offset)
      guard done > 0, filled > 0 else { return }
      offset += done
    }
  }
}

/// A place in a directory from which names are read in order.
struct DirectoryCursor {
  private let text: DirectoryText
  private var piece: DirectoryText.Piece?

  init(_ text: DirectoryText) { self.text = text }

  /// Calls with a range of the directory.
  @inline(__always)
  mutating func withBytes<Result>(_ range: Range<Int>, _ body: (RawSpan) -> Result) -> Result {
    if let piece, piece.holds(range) { return piece.withBytes(range, body) }
    let found = text.piece(range)
    piece = found
    return found.withBytes(range, body)
  }
}
