/// Finds what the user may have meant.
package enum NearestMatch {
  /// The candidate that is fewest edits away; `nil` when none is near.
  ///
  /// An edit inserts, deletes or replaces a character, or swaps two neighbours. A third of the
  /// longer word may differ. A candidate that begins with the word is as near as one edit.
  package static func find(_ word: String, among candidates: [String]) -> String? {
    var best: (distance: Int, candidate: String)?
    // Nobody mistypes a word this long, and it would cost time.
    guard word.utf8.count <= 256 else { return nil }
    for candidate in candidates where !candidate.isEmpty {
      let isBeginning = word.count >= 2 && candidate.hasPrefix(word)
      let distance = isBeginning ? 1 : edits(word, candidate)
      guard distance <= max(1, max(word.count, candidate.count) / 3) else { continue }
      if best.map({ distance < $0.distance }) ?? true { best = (distance, candidate) }
    }
    return best?.candidate
  }

  /// The optimal string alignment distance; the product of the lengths in time.
  package static func edits(_ first: String, _ second: String) -> Int {
    let (a, b) = (Array(first), Array(second))
    var twoAgo = [Int](repeating: 0, count: b.count + 1)
    var previous = Array(0...b.count)
    for i in a.indices {
      var current = [i + 1]
      for j in b.indices {
        let substitution = previous[j] + (a[i] == b[j] ? 0 : 1)
        var cost = min(previous[j + 1] + 1, current[j] + 1, substitution)
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { cost = min(cost, twoAgo[j - 1] + 1) }
        current.append(cost)
      }
      (twoAgo, previous) = (previous, current)
    }
    return previous[b.count]
  }
}
