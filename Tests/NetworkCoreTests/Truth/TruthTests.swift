import NetworkCore
import SystemIO
import TestSupport
import Testing

@Suite("The truth contract")
struct TruthTests {
  static let cases =
    TruthCase.heads + TruthCase.framing + TruthCase.codings + TruthCase.statuses + TruthCase.ranges

  // The limit is against hanging; no case is about how long it takes.
  @Test(.timeLimit(.minutes(5)), arguments: cases)
  func `a server that misbehaves`(_ row: TruthCase) async throws {
    let folder = try TemporaryDirectory()
    let session = try NetworkSession()
    let server = try FaultServer(greeting: row.greeting, row.script)
    let target = DownloadTarget.file(folder.path("file"))
    var options = row.options
    if row.resumes {
      options.retryLimit = 0
      _ = try? await session.download(server.url(), to: target, options: options)
      #expect(try FileSystem.names(in: folder.path).contains("file.part"))
      options.retryLimit = 1
    }
    let before = server.requests.count
    var code = 0
    do {
      _ = try await session.download(server.url(), to: target, options: options)
    } catch let error as NetworkError {
      code = error.code.rawValue
      if let exit = row.exit { #expect(error.exitStatus == exit, "\(error)") }
      #expect(code == row.code, "\(error.message), \(error.curlMessage ?? "")")
    }
    #expect(code == row.code)
    let names = try FileSystem.names(in: folder.path).sorted()
    if row.code == 0 {
      #expect(names == ["file"])
      #expect(try folder.read("file") == row.file)
    } else {
      #expect(!names.contains("file"))
      #expect(names.isEmpty || names == ["file.part", "file.part.journal"])
      if row.leavesPart { #expect(!names.isEmpty) }
    }
    let requests = server.requests.count - before
    #expect(row.requests.contains(requests), "\(requests) requests")
  }
}
