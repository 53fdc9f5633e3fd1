import SystemIO
import TestSupport
import Testing
import TruthTable

@Suite("The truth contract")
struct TruthTests {
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

  @Test func `has a row for every case`() {
    #expect(Set(TruthRow.all.map(\.id)) == Set(TruthRow.ids))
  }

  // MARK: The reference

  /// Where the table departs from the reference, and why.
  static let departures: [Int: String] = [
    95: "a full disk is a limit, as the manual has it for all commands: 10, not 3",
    70: "the status says no: 8 goes with it",
  ]

  @Test(.enabled(if: ReferenceRow.all != nil, "the reference is not beside the package"))
  func `agrees with the reference`() throws {
    for reference in try #require(ReferenceRow.all) {
      let rows = TruthRow.all.filter { $0.id == reference.id }
      let codes = rows.map(\.code)
      #expect(codes.contains { reference.codes.contains($0) }, "\(reference.id): \(codes)")
      guard let exit = reference.exit, Self.departures[reference.id] == nil else { continue }
      #expect(rows.allSatisfy { $0.exit == exit }, "\(reference.id)")
    }
  }

  // MARK: The page

  /// The published page is that of these rows: `Scripts/truth` writes it anew.
  @Test func `is published as it is`() throws {
    let package = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(4)
      .joined(separator: "/")
    let page = try FileDescriptor.open(package + "/Documentation/Truth.md")
    let lines = String(decoding: try page.readToEnd(limit: 1 << 20), as: UTF8.self)
      .split(separator: "\n")
    for row in TruthRow.all {
      let start = "| \(row.id) | \(row.server) | \(row.expectation) | ✓ |"
      #expect(lines.contains { $0.hasPrefix(start) }, "\(row)")
    }
  }
}

extension TruthRow {
  fileprivate var code: Int { if case .failure(let code, _) = right { code } else { 0 } }
  fileprivate var exit: Int32 { if case .failure(_, let exit) = right { exit } else { 0 } }
}

/// A row of the reference, which lies outside the package and may be absent.
private struct ReferenceRow: Sendable {
  var id: Int
  var codes: Set<Int>
  var exit: Int32?

  static let all: [ReferenceRow]? = {
    let package = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(4)
      .joined(separator: "/")
    let folder = Environment["COURIER_REFERENCE"] ?? package + "/../shared/reference"
    guard let file = try? FileDescriptor.open(folder + "/downloads.md"),
      let bytes = try? file.readToEnd(limit: 1 << 20)
    else { return nil }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    let rows = lines.drop { !$0.hasPrefix("### 5.4") }.compactMap(Self.init)
    return rows.count == TruthRow.ids.count ? rows : nil
  }()

  /// `| id | what happens | expected | codes | observed |`.
  private init?(_ line: Substring) {
    let cells = line.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
    guard cells.count == 7, let id = Int(cells[1].filter { $0 != " " }), TruthRow.ids.contains(id)
    else { return nil }
    self.id = id
    codes = Set(
      cells[4].split { !($0.isNumber || $0 == "-") }.compactMap { Int($0) })
    let words = cells[3].split { !($0.isLetter || $0.isNumber) }
    exit = words.firstIndex(of: "exit").flatMap { place in
      words.indices.contains(place + 1) ? Int32(words[place + 1]) : nil
    }
  }
}
