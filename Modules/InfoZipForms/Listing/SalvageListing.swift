package import ZipKitCore

extension ArchiveSalvage {
  /// What was saved and what was not, for people; names are as they are in the archive.
  ///
  /// - Parameter report: Of the extraction or test that followed; nil when there was none.
  /// - Returns: The head line, then one for each entry and place that is not in order.
  package func lines(_ report: ExtractionReport?) -> [String] {
    var lines: [String] = []
    let damaged = (report?.count(of: .failed) ?? 0) + (report?.count(of: .refused) ?? 0)
    let open = report?.count(of: .cancelled) ?? 0
    let tried = report.map { archive.entries.count - $0.count(of: .notSelected) } ?? 0
    let whole = tried - damaged - open
    let all = tried + lost.count
    var head = "\(whole) of \(all) \(all == 1 ? "entry" : "entries") saved"
    if let report { head += ", \(report.bytes) bytes" }
    for (count, word) in [
      (damaged, "damaged"), (open, "not tried"), (lost.count, "lost"),
    ] where count > 0 {
      head += "; \(count) \(word)"
    }
    lines.append(head)
    let listed = report?.outcomes.lazy.filter { $0.status == .failed || $0.status == .refused }
      .prefix(ZipProblems.mostKept).map { outcome in
        let rule = outcome.problems.last.map { " [\($0.code.id)]" } ?? ""
        return "  damaged: \(archive.entries[outcome.entryIndex].name)\(rule)"
      }
    if let listed { lines += listed }
    if damaged > ZipProblems.mostKept {
      lines.append("  damaged: \(damaged - ZipProblems.mostKept) more")
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
