extension TruthRow {
  /// What is not as the row has it, for `fetch`.
  package func faults(_ result: TruthResult) -> [String] {
    var faults = commonFaults(result)
    switch right {
    case .file(let bytes):
      faults += mismatch("exit status", result.status, 0)
      if result.file != bytes {
        faults.append("the file has \(result.file?.count ?? -1) bytes, not these \(bytes.count)")
      }
      if result.names.count != 1 { faults.append("left \(result.names)") }
    case .delivered:
      faults += mismatch("exit status", result.status, 0)
      if !result.names.isEmpty { faults.append("left \(result.names)") }
    case .failure(let code, let exit):
      faults += mismatch("exit status", result.status, exit)
      faults += mismatch("code", result.failure("code"), code)
      let found = result.failure("curl")
      if !curl.contains(found) { faults += mismatch("curl code", found, curl.first ?? nil) }
      faults += partFaults(result)
    }
    return faults
  }

  private func commonFaults(_ result: TruthResult) -> [String] {
    var faults = result.flaw.map { [$0] } ?? []
    if !requests.contains(result.requests) {
      faults.append("\(result.requests) requests, not \(requests)")
    }
    if let connections, !connections.contains(result.connections) {
      faults.append("\(result.connections) connections, not \(connections)")
    }
    if result.elapsed > bound { faults.append("took \(result.elapsed)") }
    return faults
  }

  private func partFaults(_ result: TruthResult) -> [String] {
    if result.name != nil { return ["a file under its name"] }
    let parts = result.names.filter { $0.contains(".part") }
    switch part {
    case .gone where !parts.isEmpty: return ["left \(parts)"]
    case .kept where !parts.contains("file.part"): return ["no part"]
    default: return []
    }
  }

  private func mismatch<Value: Equatable>(
    _ what: String, _ found: Value?, _ expected: Value?
  ) -> [String] {
    guard found != expected else { return [] }
    let words = [found, expected].map { value in value.map { "\($0)" } ?? "none" }
    return ["\(what) \(words[0]), not \(words[1])"]
  }
}
