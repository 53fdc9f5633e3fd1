/// Pages as people write them: `1,3-5,-1`.
///
/// Numbers count from 1; a negative one counts from the end, -1 being the last page. A range may leave out its
/// end (`3-`), may run backwards (`5-3`), and is cut where the document ends.
public struct PageSelection: Sendable, Hashable {
  private enum Part: Sendable, Hashable {
    case page(Int)
    case range(Int, Int)
  }

  private let parts: [Part]

  /// All pages.
  public static let all = PageSelection(parts: [.range(1, -1)])

  private init(parts: [Part]) { self.parts = parts }

  /// Reads a selection, or returns `nil` when it is none: an empty part, a zero, letters.
  public init?(_ text: String) {
    var parts: [Part] = []
    for word in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let part = Self.part(word.filter { $0 != " " }[...]) else { return nil }
      parts.append(part)
    }
    self.parts = parts
  }

  /// The pages of a document that are meant, counted from 0, in the order written.
  ///
  /// - Parameter count: The number of the document's pages.
  /// - Returns: The pages; single ones that lie outside the document are among them, for each is a miss of its
  ///   own, while ranges are cut.
  public func pages(of count: Int) -> [Int] {
    parts.flatMap { part -> [Int] in
      switch part {
      case .page(let number):
        return [number > 0 ? number - 1 : number + count]
      case .range(let from, let to):
        let first = from > 0 ? from - 1 : from + count
        let last = to > 0 ? to - 1 : to + count
        let bounds = 0..<count
        return first <= last
          ? Array((first..<last + 1).clamped(to: bounds))
          : Array((last..<first + 1).clamped(to: bounds)).reversed()
      }
    }
  }

  private static func part(_ word: Substring) -> Part? {
    if let number = number(word) { return .page(number) }
    // The dash of a range is the first one behind a digit.
    guard let dash = word.dropFirst().firstIndex(of: "-"),
      let first = number(word[..<dash])
    else { return nil }
    let rest = word[word.index(after: dash)...]
    if rest.isEmpty { return .range(first, -1) }
    return number(rest).map { .range(first, $0) }
  }

  private static func number(_ word: Substring) -> Int? {
    guard let number = Int32(word), number != 0, word.first != "+" else { return nil }
    return Int(number)
  }
}
