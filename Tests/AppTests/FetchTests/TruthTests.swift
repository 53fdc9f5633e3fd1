import SystemIO
import TestSupport
import Testing
import TruthTable

@Suite("The truth contract")
struct TruthTests {
  @Test func `has a row for every case`() {
    #expect(Set(TruthRow.all.map(\.id)) == Set(TruthRow.ids))
  }

  // The limit is against hanging; no case is about how long it takes.
  @Test(.timeLimit(.minutes(5)), arguments: TruthRow.all)
  func `a server that misbehaves`(_ row: TruthRow) async throws {
    let client = TruthClient.fetch(BuiltProgram.path("fetch"))
    do {
      let result = try #require(
        try await OwnedThread.run(named: "truth") { try row.run(client, patience: .seconds(120)) })
      let faults = row.faults(result)
      #expect(faults.isEmpty, "\(result.errors)")
    } catch let reason as TruthUnavailable {
      try Test.cancel("\(reason)")
    }
  }
}
