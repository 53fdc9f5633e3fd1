/// Entries of an archive that patterns ask for, in the order of the directory.
///
/// Four bytes an entry, or none where all are asked for.
package struct EntrySelection: RandomAccessCollection, Sendable {
  private let entries: ZipArchive.Entries
  private let chosen: [UInt32]?
  /// Patterns of members that no entry answers to.
  package let unmatched: [NamePattern]
  /// Patterns of exclusion that leave nothing out.
  package let unused: [NamePattern]

  /// Chooses entries.
  ///
  /// - Parameters:
  ///   - archive: Whose entries.
  ///   - members: What is asked for; nothing asks for everything.
  ///   - excluded: What is left out of that.
  package init(_ archive: ZipArchive, members: [NamePattern], excluded: [NamePattern]) {
    entries = archive.entries
    guard !members.isEmpty || !excluded.isEmpty else {
      (chosen, unmatched, unused) = (nil, [], [])
      return
    }
    let core = archive.core
    var chosen: [UInt32] = []
    var isMatched = members.map { _ in false }
    var isUsed = excluded.map { _ in false }
    let filter = NameFilter(members)
    core.directory.forEachRecord { index, record in
      if let filter, let name = CentralHeader.plainName(record),
        !filter.allows(record.extracting(name))
      {
        return
      }
      // What cannot be read any more is in, so that this is told.
      var isMember = members.isEmpty || record.isEmpty
      // A pattern that was met already need not be asked about an entry that is in.
      for (number, pattern) in members.enumerated() where !isMember || !isMatched[number] {
        guard core.matches(index, record, pattern) else { continue }
        isMember = true
        isMatched[number] = true
      }
      guard isMember else { return }
      var isOut = false
      for (number, pattern) in excluded.enumerated() where !isOut || !isUsed[number] {
        guard core.matches(index, record, pattern) else { continue }
        isOut = true
        isUsed[number] = true
      }
      if !isOut { chosen.append(UInt32(truncatingIfNeeded: index)) }
    }
    self.chosen = chosen
    unmatched = zip(members, isMatched).filter { !$1 }.map(\.0)
    unused = zip(excluded, isUsed).filter { !$1 }.map(\.0)
  }

  /// The first place.
  package var startIndex: Int { 0 }
  /// The number of entries chosen.
  package var endIndex: Int { chosen?.count ?? entries.count }

  /// An entry by its place among those chosen.
  package subscript(place: Int) -> ZipEntry { entries[chosen.map { Int($0[place]) } ?? place] }

  /// Whether nothing is left out.
  package var isEverything: Bool { count == entries.count }

  /// The numbers of the entries chosen; nil where all are.
  var numbers: [Int]? { isEverything ? nil : chosen?.map { Int($0) } }
}
