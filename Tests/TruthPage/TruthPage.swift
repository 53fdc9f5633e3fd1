import Synchronization
import SystemIO
import TestSupport
import TruthTable

/// How long a program may take for a row before it is said to hang.
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

/// The page that tells how every program fares with every row.
struct TruthPage {
  private let clients: [TruthClient]
  /// A cell for each row, by client.
  private let columns: [[TruthGrade]]

  /// Runs everything.
  ///
  /// The programs mostly wait, so each has a thread.
  init(_ clients: [TruthClient]) throws {
    self.clients = clients
    let results = Mutex<[Int: [TruthGrade]]>([:])
    let threads = try clients.enumerated().map { index, client in
      try OwnedThread(named: client.name) {
        let grades = TruthRow.all.map { Self.grade($0, client) }
        results.withLock { $0[index] = grades }
      }
    }
    for thread in threads { thread.join() }
    columns = results.withLock { results in clients.indices.map { results[$0] ?? [] } }
  }

  private static func grade(_ row: TruthRow, _ client: TruthClient) -> TruthGrade {
    do {
      let result = try row.run(client, patience: patience)
      // Ours has to get every number right, too.
      if client.keepsJournal, let result, let fault = row.faults(result).first {
        return .wrong(fault)
      }
      return row.grade(result)
    } catch {
      return .unmade("\(error)")
    }
  }

  // MARK: - Text

  /// The page in Markdown.
  var text: String {
    [
      TruthWords.opening, counts, TruthWords.legend, table, commands, TruthWords.choices,
    ].joined(separator: "\n\n") + "\n"
  }

  private var counts: String {
    var lines = [
      "| | right | of these untidy | wrong | not expressible |", "|---|---|---|---|---|",
    ]
    for (client, grades) in zip(clients, columns) {
      let count = { (wanted: (TruthGrade) -> Bool) in grades.filter(wanted).count }
      let right = count { $0 == .right || $0 == .rightUntidy }
      let asked = count { $0 != .unspoken }
      lines.append(
        "| \(client.version) | \(right) of \(asked) | \(count { $0 == .rightUntidy }) "
          + "| \(asked - right) | \(grades.count - asked) |")
    }
    return lines.joined(separator: "\n")
  }

  private var table: String {
    let names = clients.map(\.name).joined(separator: " | ")
    var lines = ["| case | what happens | right | \(names) |"]
    lines.append("|" + String(repeating: "---|", count: clients.count + 3))
    let rows = TruthRow.all.enumerated().sorted {
      ($0.element.id, $0.offset) < ($1.element.id, $1.offset)
    }
    for (index, row) in rows {
      let cells = columns.map { $0[index].cell }.joined(separator: " | ")
      lines.append("| \(row.id) | \(row.server) | \(row.expectation) | \(cells) |")
    }
    return lines.joined(separator: "\n")
  }

  private var commands: String {
    let lines = clients.map { "- `\($0.name) \($0.commonWords)`" }
    return "## What each is told always\n\n" + lines.joined(separator: "\n")
  }
}
