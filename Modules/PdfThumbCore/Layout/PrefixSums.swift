/// Sums over the front of a row of numbers that change: both in logarithmic time (a Fenwick tree).
struct PrefixSums: Sendable {
  private var tree: [Int]

  /// A row of `count` times the same number, built in linear time.
  init(count: Int, value: Int) {
    tree = (0..<count + 1).map { $0 == 0 ? 0 : ($0 & -$0) * value }
  }

  /// Adds to one number of the row.
  mutating func add(_ difference: Int, at index: Int) {
    var node = index + 1
    while node < tree.count {
      tree[node] += difference
      node += node & -node
    }
  }

  /// The sum of the numbers before an index.
  func sum(before index: Int) -> Int {
    var node = index
    var sum = 0
    while node > 0 {
      sum += tree[node]
      node -= node & -node
    }
    return sum
  }

  /// The last index whose numbers before it, with `spacing` behind each, sum up to `position` at most; 0
  /// for positions below.
  func index(at position: Int, spacing: Int) -> Int {
    guard position > 0, tree.count > 1 else { return 0 }
    var step = 1
    while step * 2 < tree.count { step *= 2 }
    var node = 0
    var rest = position
    while step > 0 {
      let next = node + step
      if next < tree.count {
        let size = tree[next] + step * spacing
        if size <= rest {
          node = next
          rest -= size
        }
      }
      step /= 2
    }
    return node
  }
}
