import SystemIO
import TestSupport
import TruthTable

/// How a program is given up on.
let patience: Duration = .seconds(20)

/// Shows in full how every program fares with a row.
func show(_ row: TruthRow, _ clients: [TruthClient]) {
  print("\(row): \(row.expectation)")
  for client in clients {
    do {
      let result = try row.run(client, patience: patience)
      print("  \(client.name): \(row.grade(result).cell)")
      guard let result else { continue }
      print("    \(result.ending), \(result.elapsed), \(result.names), \(result.requests) requests")
      for line in (result.output + result.errors).split(separator: "\n").suffix(4) {
        print("    | \(line)")
      }
      if client.keepsJournal { print("    faults: \(row.faults(result))") }
    } catch {
      print("  \(client.name): not here: \(error)")
    }
  }
}
