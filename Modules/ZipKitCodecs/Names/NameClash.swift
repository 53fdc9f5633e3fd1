/// Names that are different bytes here and one name elsewhere.
public struct NameClash: Sendable, Equatable {
  /// What is different between the names.
  public enum Kind: Sendable, Equatable {
    /// Only how accents are put together (NFC or NFD): one file on macOS, and one word to the reader.
    case normalization
    /// Upper and lower case: one file on Windows and macOS.
    case letterCase
  }

  /// What is different between the names.
  public let kind: Kind
  /// The positions of the names in what was asked about, in order; at least two.
  public let indexes: [Int]

  package init(kind: Kind, indexes: [Int]) {
    self.kind = kind
    self.indexes = indexes
  }

  /// Finds all names that clash with an earlier one; equal names do not count, they are duplicates.
  ///
  /// - Parameter names: Paths, with `/` between their parts.
  /// - Returns: One clash for each set of names that fall together, in the order of their first names.
  public static func find(in names: [String]) -> [NameClash] {
    var groups: [String: [Int]] = [:]
    for (index, name) in names.enumerated() {
      // A String's own equality is canonical equivalence, so that the key needs case folding alone.
      groups[folded(name), default: []].append(index)
    }
    var clashes: [NameClash] = []
    for indexes in groups.values where indexes.count > 1 {
      let first = names[indexes[0]]
      let isSame = indexes.allSatisfy { names[$0].utf8.elementsEqual(first.utf8) }
      guard !isSame else { continue }
      let isEquivalent = indexes.allSatisfy { names[$0] == first }
      clashes.append(
        NameClash(kind: isEquivalent ? .normalization : .letterCase, indexes: indexes))
    }
    return clashes.sorted { $0.indexes[0] < $1.indexes[0] }
  }

  /// A name without the difference of upper and lower case.
  ///
  /// Upper case first, so that letters with two lower forms, as ς and σ, and ß and ss, fall together.
  private static func folded(_ name: String) -> String {
    if name.utf8.allSatisfy({ $0 < 0x80 }) { return name.lowercased() }
    return name.uppercased().lowercased()
  }
}
