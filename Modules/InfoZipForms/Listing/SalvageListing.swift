package import ZipKitCore

extension ArchiveSalvage {
  /// What was saved and what was not, for people; names are as they are in the archive.
  ///
  /// - Parameter report: Of the extraction or test that followed; nil when there was none.
  /// - Returns: The head line, then one for each entry and place that is not in order.
  package func lines(_ report: ExtractionReport?) -> [String] {
    var lines: [String] = []
    let outcomes = report.map { Array($0.outcomes) } ?? []
    let damaged = outcomes.filter { $0.status == .failed || $0.status == .refused }
    let open = outcomes.filter { $0.status == .cancelled }
    let whole = outcomes.count - damaged.count - open.count
    let all = outcomes.count + lost.count
    var head = "\(whole) of \(all) \(all == 1 ? "entry" : "entries") saved"
    if let report { head += ", \(report.bytes) bytes" }
    for (count, word) in [
      (damaged.count, "damaged"), (open.count, "not tried"), (lost.count, "lost"),
    ] where count > 0 {
      head += "; \(count) \(word)"
    }
    lines.append(head)
    for outcome in damaged {
      let rule = outcome.problems.last.map { " [\($0.code.id)]" } ?? ""
      lines.append("  damaged: \(archive.entries[outcome.entryIndex].name)\(rule)")
    }
    for entry in lost { lines.append("     lost: \(entry.name) (\(entry.size) bytes)") }
    for gap in gaps.prefix(20) {
      lines.append(
        "   no use: \(gap.upperBound - gap.lowerBound) bytes at byte \(gap.lowerBound)")
    }
    if gaps.count > 20 { lines.append("   no use: \(gaps.count - 20) more places") }
    return lines
  }
}
