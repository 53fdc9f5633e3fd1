/// One of N parts of a list, for runs that divide it among machines.
///
/// Part I has the items I, I + N, I + 2N …, so that every item is in exactly one part and the parts
/// differ by at most one item.
package struct ShardSelection: Hashable, Sendable {
  /// Which part, from 1 to ``count``.
  package let index: Int
  /// How many parts there are.
  package let count: Int

  /// Parses `I/N`.
  ///
  /// - Throws: What was found instead.
  package init(_ text: String) throws(InputError) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { decimal(Array($0.utf8)).flatMap(Int.init(exactly:)) }
    guard parts.count == 2, numbers.count == 2, numbers[0] >= 1, numbers[0] <= numbers[1] else {
      throw InputError(.shard, found: text)
    }
    index = numbers[0]
    count = numbers[1]
  }

  /// Whether the item at a position, from 0 on, belongs to this part.
  package func contains(_ position: Int) -> Bool {
    position % count == index - 1
  }
}
