import TestSupport
import TruthTable

// usage: TruthPage            prints the page
//        TruthPage ID...      shows in full how every program fares with these cases
let clients = [TruthClient.fetch(BuiltProgram.path("fetch"))] + TruthClient.peers
let wanted = CommandLine.arguments.dropFirst().compactMap { Int($0) }
if wanted.isEmpty {
  print(try TruthPage(clients).text, terminator: "")
} else {
  for row in TruthRow.all where wanted.contains(row.id) { show(row, clients) }
}
