import SystemIO

/// How a program fared with a row, judged the same for all: by its exit status and what it left.
package enum TruthGrade: Hashable, Sendable {
  /// It said what is so, and left what is right.
  case right
  /// It said what is so, and left something unfinished under the file's name.
  case rightUntidy
  /// It did not; in a few words.
  case wrong(String)
  /// It has no words for what the row needs.
  case unspoken
  /// The row cannot be made on this machine; why.
  case unmade(String)

  /// The cell of a table.
  package var cell: String {
    switch self {
    case .right: "✓"
    case .rightUntidy: "✓ *"
    case .wrong(let how): "✗ " + how
    case .unspoken: "–"
    case .unmade(let reason): "not here: " + reason
    }
  }
}

extension TruthRow {
  /// Judges what came of it.
  package func grade(_ result: TruthResult?) -> TruthGrade {
    guard let result else { return .unspoken }
    // SIGXFSZ, of which most know nothing, is a clear answer to a file that may not grow.
    let status = result.ending == .signalled(25) ? 25 : result.status
    guard let status else {
      return .wrong(result.ending == .signalled(9) ? "hangs" : "crashes")
    }
    let isSuccess = status == 0
    if isSuccess, let flaw = result.flaw { return .wrong(flaw) }
    switch right {
    case .file(let bytes):
      if !isSuccess { return .wrong("gives up (\(status))") }
      guard let file = result.file else { return .wrong("says done, no file") }
      if file != bytes { return .wrong("says done, wrong bytes") }
    case .delivered:
      if !isSuccess { return .wrong("gives up (\(status))") }
    case .failure:
      if isSuccess {
        guard let file = result.file else { return .wrong("says done, no file") }
        return .wrong("says done, \(file.isEmpty ? "empty file" : "\(file.count) bytes")")
      }
    }
    if let flaw = result.flaw { return .wrong(flaw) }
    if case .failure = right, result.name != nil { return .rightUntidy }
    return .right
  }

  /// What is right, in a few words.
  package var expectation: String {
    switch right {
    case .file(let bytes): bytes.isEmpty ? "an empty file" : "the file"
    case .delivered: "success"
    case .failure(let code, let exit): "\(code), exit \(exit)"
    }
  }
}
