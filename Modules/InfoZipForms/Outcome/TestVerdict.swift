package import ZipKitCore

/// What `unzip -t` says at the end of an archive.
package struct TestVerdict {
  private let skipped: Int
  private let wrongPasswords: Int
  private let tested: Int
  private let status: UnzipStatus
  private let isSelective: Bool

  /// Judges a test.
  ///
  /// - Parameters:
  ///   - report: Of the test.
  ///   - status: What else went wrong or was missed.
  ///   - isSelective: Whether members are named, or some left out.
  package init(_ report: ExtractionReport, status: UnzipStatus, isSelective: Bool) {
    let problems = report.allProblems
    skipped = problems.codes.filter { UnzipStatus($0) == .unsupported }
      .reduce(0) { $0 + problems.count(of: $1) }
    wrongPasswords = problems.count(of: .passwordWrong)
    tested =
      report.outcomes.reduce(0) { $0 + ($1.status == .cancelled ? 0 : 1) }
      - skipped - wrongPasswords
    // What was not looked into is told apart from what is wrong.
    let wrong = problems.codes.filter { $0 != .passwordWrong && UnzipStatus($0) != .unsupported }
    self.status = wrong.reduce(status) { $0.worse(UnzipStatus($1)) }.worse(report.general)
    self.isSelective = isSelective
  }

  /// The lines about an archive, whose name is as it is to be shown.
  package func lines(_ name: String) -> [String] {
    var lines: [String] = []
    if status != .success {
      lines = ["At least one \(status == .warning ? "warning-" : "")error was detected in \(name)."]
    } else if tested <= 0 {
      lines = ["Caution:  zero files tested in \(name)."]
    } else if !isSelective, skipped + wrongPasswords == 0 {
      lines = ["No errors detected in compressed data of \(name)."]
    } else {
      lines = ["No errors detected in \(name) for the \(files(tested)) tested."]
    }
    if skipped > 0 {
      lines.append("\(files(skipped)) skipped because of unsupported compression or encoding.")
    }
    if wrongPasswords > 0 {
      lines.append("\(files(wrongPasswords)) skipped because of incorrect password.")
    }
    return lines
  }

  private func files(_ count: Int) -> String { "\(count) file\(count == 1 ? "" : "s")" }
}
