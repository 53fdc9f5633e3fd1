/// Puts a response head together from the lines that the transport passes on.
///
/// Bounded: a server that sends heads without end is stopped by count and by size. The transport has
/// already refused lines without a colon and NUL bytes.
package struct HeadCollector {
  /// What a line led to.
  package enum Step: Equatable {
    /// More lines are needed.
    case more
    /// An interim response (1xx) is complete.
    case interim(status: Int)
    /// The head of an answer is complete.
    case complete(ResponseHead)
    /// A field after the body.
    case trailer(ResponseHead.Field)
    /// The head breaks a limit or the protocol.
    case refused(Refusal)
  }

  /// Why a head is not acceptable.
  package enum Refusal: Equatable {
    /// More lines or bytes than ``HeadCollector`` takes.
    case tooLarge
    /// The status line is not one of HTTP.
    case statusLine(String)
    /// More interim responses than a server has reason to send.
    case tooManyInterim
  }

  package static let maximumLines = 1000
  package static let maximumBytes = 300 << 10
  package static let maximumInterim = 20

  /// Whether any byte of a head came.
  package private(set) var hasBegun = false
  /// Whether the last head that began was completed by its empty line.
  package private(set) var isComplete = false
  private var current: ResponseHead?
  private var lines = 0
  private var bytes = 0
  private var interim = 0

  package init() {}

  /// Takes the next line, with or without its line end.
  package mutating func take(_ line: String) -> Step {
    hasBegun = true
    lines += 1
    bytes += line.utf8.count
    guard lines <= Self.maximumLines, bytes <= Self.maximumBytes else { return .refused(.tooLarge) }
    let line = line.trimmingLineEnd()
    if line.hasPrefix("HTTP/") { return begin(line) }
    guard !line.isEmpty else { return end() }
    guard let field = Self.field(line) else { return .more }
    guard current != nil, !isComplete else { return .trailer(field) }
    current?.fields.append(field)
    return .more
  }

  private mutating func begin(_ line: Substring) -> Step {
    let parts = line.dropFirst(5).split(separator: " ", maxSplits: 2)
    guard parts.count >= 2, parts[1].utf8.count == 3, let status = Int(parts[1]),
      (100...999).contains(status)
    else { return .refused(.statusLine(String(line.prefix(80)))) }
    current = ResponseHead(version: String(parts[0]), status: status)
    isComplete = false
    return .more
  }

  private mutating func end() -> Step {
    guard let head = current, !isComplete else { return .more }
    isComplete = true
    // 101 is an answer of its own: nobody asked for another protocol.
    guard (100..<200).contains(head.status), head.status != 101 else { return .complete(head) }
    interim += 1
    guard interim <= Self.maximumInterim else { return .refused(.tooManyInterim) }
    current = nil
    return .interim(status: head.status)
  }

  private static func field(_ line: Substring) -> ResponseHead.Field? {
    guard let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    return ResponseHead.Field(
      name: String(line[..<colon].trimmingBlanks()),
      value: String(line[line.utf8.index(after: colon)...].trimmingBlanks()))
  }
}

extension StringProtocol where SubSequence == Substring {
  /// Without spaces and tabs at both ends.
  package func trimmingBlanks() -> Substring {
    let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
    guard let first = firstIndex(where: { !isBlank($0) }),
      let last = lastIndex(where: { !isBlank($0) })
    else { return "" }
    return self[first...last]
  }

  fileprivate func trimmingLineEnd() -> Substring {
    var end = endIndex
    while end > startIndex {
      let before = index(before: end)
      guard self[before].isNewline else { break }
      end = before
    }
    return self[startIndex..<end]
  }
}
